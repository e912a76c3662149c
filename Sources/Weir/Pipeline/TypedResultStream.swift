/// The results of one execution or watch, each decoded when the consumer asks for it.
public struct TypedResultStream<Data: Decodable & Sendable>: AsyncSequence, Sendable {
  /// One result.
  public typealias Element = TypedResult<Data>
  /// Streams never throw.
  public typealias Failure = Never

  private let base: ResultStream

  /// Creates a stream that decodes the results of another.
  public init(_ base: ResultStream) {
    self.base = base
  }

  /// Starts an iteration; nothing runs before its first `next()`.
  public func makeAsyncIterator() -> Iterator {
    Iterator(base: base.makeAsyncIterator())
  }

  /// One iteration of a ``TypedResultStream``.
  public struct Iterator: AsyncIteratorProtocol {
    @usableFromInline var base: ResultStream.Iterator

    // Inlined, so that values of the caller's types are not handled as of unknown ones.

    /// Returns the next result, or nil at the end and when the task is cancelled.
    @inlinable
    public mutating func next(isolation: isolated (any Actor)?) async -> TypedResult<Data>? {
      await next()
    }

    /// Returns the next result, or nil at the end and when the task is cancelled.
    @inlinable
    public mutating func next() async -> TypedResult<Data>? {
      guard let next = await base.next() else { return nil }
      return TypedResult(decoding: next)
    }
  }
}
