/// The body of a response, delivered in chunks as they arrive.
///
/// A body can be read once. If the consumer leaves the loop early, the reading task is cancelled,
/// or the body is dropped unread, the request ends and its connection closes. Chunks that arrived
/// before an error are delivered before the error is thrown.
public struct HTTPBody: AsyncSequence, Sendable {
  /// One chunk; never empty. The boundaries between chunks have no meaning.
  public typealias Element = [UInt8]

  /// Called by one iterator only, in the isolation of the iterating task.
  fileprivate typealias NextChunk = (isolated (any Actor)?) async throws -> [UInt8]?

  private enum Content {
    case bytes([UInt8])
    case chunks(@Sendable () -> NextChunk)
  }

  private let content: Content

  /// The number of bytes; nil if they arrive in chunks.
  var length: Int? {
    if case .bytes(let bytes) = content { bytes.count } else { nil }
  }

  /// Makes a body of bytes in memory.
  public init(_ bytes: [UInt8]) {
    content = .bytes(bytes)
  }

  /// Makes a body of the chunks that another sequence delivers.
  ///
  /// - Parameter chunks: A sequence that can be iterated at least once, and that ends its request
  ///   when its iterator is released.
  public init<Chunks: AsyncSequence & Sendable>(_ chunks: Chunks) where Chunks.Element == [UInt8] {
    content = .chunks {
      var iterator = chunks.makeAsyncIterator()
      return { isolation in try await iterator.nextElement(isolation: isolation) }
    }
  }

  /// Makes a body of the chunks that a closure returns.
  ///
  /// - Parameters:
  ///   - cancel: Ends the request. Called when the body or its iterator is released.
  ///   - next: Returns the next chunk, or nil at the end.
  init(
    cancel: @escaping @Sendable () -> Void, next: @escaping @Sendable () async throws -> [UInt8]?
  ) {
    let body = ReleaseAction(cancel)
    content = .chunks {
      let iterator = ReleaseAction(cancel)
      return { _ in
        defer { withExtendedLifetime((body, iterator)) {} }
        return try await next()
      }
    }
  }

  /// Starts reading.
  public func makeAsyncIterator() -> Iterator {
    switch content {
    case .bytes(let bytes): Iterator(bytes: bytes)
    case .chunks(let start): Iterator(next: start())
    }
  }

  /// Delivers the chunks of one body.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var bytes: [UInt8] = []
    fileprivate var next: NextChunk?

    /// Waits for the next chunk.
    ///
    /// - Parameter actor: The caller's isolation, in which this method stays.
    /// - Returns: The chunk, or `nil` at the end.
    /// - Throws: ``HTTPTransportError``, or any error that a custom transport throws.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws -> [UInt8]? {
      if let next {
        while let chunk = try await next(actor) {
          if !chunk.isEmpty { return chunk }
        }
        return nil
      }
      defer { bytes = [] }
      return bytes.isEmpty ? nil : bytes
    }

    /// Waits for the next chunk.
    ///
    /// - Returns: The chunk, or `nil` at the end.
    /// - Throws: ``HTTPTransportError``, or any error that a custom transport throws.
    public mutating func next() async throws -> [UInt8]? {
      try await next(isolation: #isolation)
    }
  }

  /// Reads the whole body.
  ///
  /// - Parameter limit: The maximum number of bytes; `nil` for no limit.
  /// - Returns: All bytes.
  /// - Throws: ``HTTPTransportError``, with the code `tooLarge` if the body exceeds the limit.
  public func collect(upTo limit: Int? = nil) async throws(HTTPTransportError) -> [UInt8] {
    if case .bytes(let bytes) = content {
      if let limit, bytes.count > limit { throw .body(exceeds: limit) }
      return bytes
    }
    var collected: [UInt8] = []
    var iterator = makeAsyncIterator()
    do {
      while let chunk = try await iterator.next(isolation: #isolation) {
        if let limit, chunk.count > limit - collected.count {
          throw HTTPTransportError.body(exceeds: limit)
        }
        if collected.isEmpty { collected = chunk } else { collected += chunk }
      }
    } catch {
      throw HTTPTransportError(error)
    }
    return collected
  }
}

/// Calls a closure when it is released.
final class ReleaseAction: Sendable {
  private let action: @Sendable () -> Void

  init(_ action: @escaping @Sendable () -> Void) {
    self.action = action
  }

  deinit {
    action()
  }
}
