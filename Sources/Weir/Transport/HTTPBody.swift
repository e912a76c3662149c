/// The body of a response, in chunks as they arrive.
///
/// It can be read once. Leaving the loop early, cancelling the task that reads, or dropping a body
/// unread ends the request and closes its connection. What arrived before an error is delivered
/// before the error is thrown.
public struct HTTPBody: AsyncSequence, Sendable {
  /// One chunk; never empty. Where chunks are cut says nothing.
  public typealias Element = [UInt8]

  enum Storage: Sendable {
    case bytes([UInt8])
    case source(any HTTPBodySource)
    case sequence(@Sendable () -> NextChunk)
  }
  /// Called by one iterator only, in the isolation that it is iterated in.
  typealias NextChunk = (isolated (any Actor)?) async throws -> [UInt8]?

  let storage: Storage

  /// A body of bytes that are there already.
  public init(_ bytes: [UInt8]) {
    storage = .bytes(bytes)
  }

  /// A body of chunks that another sequence delivers.
  ///
  /// - Parameter chunks: A sequence that can be iterated once at least, and ends its request when
  ///   its iterator goes away.
  public init<Chunks: AsyncSequence & Sendable>(_ chunks: Chunks) where Chunks.Element == [UInt8] {
    storage = .sequence {
      var iterator = chunks.makeAsyncIterator()
      return { isolation in try await iterator.next(isolation: isolation) }
    }
  }

  init(source: any HTTPBodySource) {
    storage = .source(source)
  }

  /// Starts to read.
  public func makeAsyncIterator() -> Iterator {
    switch storage {
    case .bytes(let bytes): Iterator(next: nil, bytes: bytes)
    case .sequence(let make): Iterator(next: make(), bytes: [])
    case .source(let source):
      Iterator(
        next: { [reading = Reading(source)] _ in try await reading.source.next() }, bytes: [])
    }
  }

  /// Delivers the chunks of one body.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let next: NextChunk?
    fileprivate var bytes: [UInt8]

    /// Waits for the next chunk.
    ///
    /// - Parameter actor: Where the caller runs; it is not left.
    /// - Returns: The chunk, or `nil` at the end.
    /// - Throws: ``HTTPTransportError``, or what a transport of another make throws.
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
  }

  /// Reads the whole body.
  ///
  /// - Parameter limit: The most bytes to take; `nil` for no limit.
  /// - Returns: All bytes.
  /// - Throws: ``HTTPTransportError`` (with the code `tooLarge` past the limit).
  public func collect(upTo limit: Int? = nil) async throws(HTTPTransportError) -> [UInt8] {
    var collected: [UInt8] = []
    var iterator = makeAsyncIterator()
    do {
      while let chunk = try await iterator.next(isolation: #isolation) {
        if let limit, chunk.count > limit - collected.count {
          throw HTTPTransportError(.tooLarge, "The body has more than \(limit) bytes.")
        }
        if collected.isEmpty { collected = chunk } else { collected += chunk }
      }
    } catch {
      throw HTTPTransportError(error)
    }
    return collected
  }
}

/// What streams a body; letting go of it cancels the request.
protocol HTTPBodySource: AnyObject, Sendable {
  func next() async throws(HTTPTransportError) -> [UInt8]?
  func cancel()
}

/// Lives as long as the iterator that reads a source: its end is the reader's end.
private final class Reading {
  let source: any HTTPBodySource

  init(_ source: any HTTPBodySource) {
    self.source = source
  }

  deinit {
    source.cancel()
  }
}
