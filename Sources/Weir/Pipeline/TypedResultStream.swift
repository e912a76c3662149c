/// The results of one execution or watch, each decoded when the consumer asks for it.
public struct TypedResultStream<Data: Decodable & Sendable>: AsyncSequence, Sendable {
  /// One result.
  public typealias Element = TypedResult<Data>
  /// Streams never throw.
  public typealias Failure = Never

  private let base: ResultStream
  private let refetch: (@Sendable () async -> Void)?

  /// Creates a stream that decodes the results of another.
  public init(_ base: ResultStream) {
    self.base = base
    refetch = nil
  }

  /// Creates the stream of a watch.
  ///
  /// - Parameters:
  ///   - base: The watch.
  ///   - refetch: Requests the data. It is called if a cache has data that does not fit the type, once in
  ///     each iteration.
  init(_ base: ResultStream, refetch: @escaping @Sendable () async -> Void) {
    self.base = base
    self.refetch = refetch
  }

  /// Starts an iteration; nothing runs before its first `next()`.
  public func makeAsyncIterator() -> Iterator {
    Iterator(base: base.makeAsyncIterator(), refetch: refetch)
  }

  /// One iteration of a ``TypedResultStream``.
  public struct Iterator: AsyncIteratorProtocol {
    @usableFromInline var base: ResultStream.Iterator
    /// Called at most once: the response might not fit either.
    @usableFromInline var refetch: (@Sendable () async -> Void)?
    @usableFromInline var isUnfit = false

    // Inlined, so that values of the caller's types are not handled as of unknown ones.

    /// Returns the next result, or nil at the end and when the task is cancelled.
    @inlinable
    public mutating func next(isolation: isolated (any Actor)?) async -> TypedResult<Data>? {
      await next()
    }

    /// Returns the next result, or nil at the end and when the task is cancelled.
    @inlinable
    public mutating func next() async -> TypedResult<Data>? {
      if isUnfit, let refetch = refetch.take() { await refetch() }
      guard let next = await base.next() else { return nil }
      let result = TypedResult<Data>(decoding: next)
      isUnfit = result.isUnfitHit
      return result
    }
  }
}
