/// A result whose data have been decoded.
public struct TypedResult<Data: Decodable & Sendable>: Sendable {
  /// What the operation selects; nil if there is nothing, or if it does not fit the type.
  public let data: Data?
  /// Why there are no data, or not all; nil if everything went well.
  public let error: OperationError?
  /// The result before decoding.
  public let untyped: OperationResult

  /// Decodes a result's data, unless that was done before for this type: the value is kept with
  /// the data, also in a cache. Data that do not fit are an error with the code
  /// ``OperationError/Code/decoding``, which also has the message, the errors of the server and the
  /// status of an error that came beside the data.
  @inlinable
  public init(decoding result: consuming OperationResult) {
    do {
      data = try result.payload.decoded(as: Data.self)
      error = result.error
    } catch {
      data = nil
      self.error = error.adding(result.error)
    }
    untyped = result
  }

  /// Whether newer data are known to exist.
  public var isStale: Bool { untyped.isStale }
  /// Whether more of this execution's data will follow.
  public var hasNext: Bool { untyped.hasNext }
  /// Where the data come from.
  public var outcome: CacheOutcome { untyped.outcome }
  /// Whether a cache could not read or write its storage when it made this.
  public var isDegraded: Bool { untyped.isDegraded }
  /// When the response came; nil if there was none.
  public var timing: ResultTiming? { untyped.timing }
  /// What the server adds beside data and errors.
  public var extensions: JSON? { untyped.extensions }

  /// The data, or the error. Data beside errors count as data only if `allowingPartialData` says so.
  public func get(allowingPartialData: Bool = false) throws(OperationError) -> Data {
    if let error, data == nil || !allowingPartialData { throw error }
    guard let data else { throw .noData }
    return data
  }
}

/// The results of one execution, or of a watch, decoded one by one as they are asked for.
public struct TypedResultStream<Data: Decodable & Sendable>: AsyncSequence, Sendable {
  /// What the stream delivers.
  public typealias Element = TypedResult<Data>
  /// It never throws.
  public typealias Failure = Never

  private let base: ResultStream

  /// Decodes the results of a stream.
  public init(_ base: ResultStream) {
    self.base = base
  }

  /// Starts an iteration; nothing runs before its first `next()`.
  public func makeAsyncIterator() -> Iterator {
    Iterator(base: base.makeAsyncIterator())
  }

  /// One iteration of a ``TypedResultStream``.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var base: ResultStream.Iterator

    /// The next result, or nil at the end, and when the task is cancelled.
    public mutating func next(isolation: isolated (any Actor)?) async -> TypedResult<Data>? {
      await base.next(isolation: isolation).map(TypedResult.init(decoding:))
    }
  }
}

extension OperationError {
  /// The same with what was known to be wrong before the data were looked at, which most often is the
  /// reason: a null where the server could not do better.
  @usableFromInline
  func adding(_ cause: OperationError?) -> OperationError {
    guard let cause else { return self }
    return OperationError(
      code: code, message: "\(message); beside the data: \(cause.message)",
      graphQLErrors: cause.graphQLErrors, httpStatus: cause.httpStatus,
      mediaType: cause.mediaType, underlying: underlying)
  }
}
