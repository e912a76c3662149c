extension ResultStream {
  /// Creates a stream that is made by each iteration, for an exchange that does something before it
  /// forwards: `execute` itself must have no effect.
  ///
  /// ```swift
  /// return .deferred {
  ///   let requestedAt = LogicalInstant.next()
  ///   return forward(operation).map { keep($0, requestedAt) }
  /// }
  /// ```
  ///
  /// The stream has no ``immediate`` result, so `client.peek` does not see what `make` would return:
  /// answer with ``just(_:)-(OperationResult)`` if you can answer at once.
  public static func deferred(_ make: @escaping @Sendable () -> ResultStream) -> ResultStream {
    ResultStream(content: .deferred(make))
  }

  /// Creates a stream that is made by each iteration, after it has waited for a cache's storage. Each
  /// execution waits for itself; what then needs a request may be shared in a flight.
  package static func awaiting(
    _ make: @escaping @Sendable () async -> ResultStream
  ) -> ResultStream {
    ResultStream(
      content: .awaiting {
        let stream = await make()
        // The request of an execution that has been cancelled meanwhile must not be sent.
        return Task.isCancelled ? .just([]) : stream
      })
  }

  /// Creates a stream whose source is made again by each iteration, and that executions may share in
  /// a flight: `make` puts the flight's tags into the operation's context.
  static func shareable(
    _ make: @escaping @Sendable (SharedRequest?) -> sending ResultSource
  ) -> ResultStream {
    ResultStream(content: .shareable(make))
  }
}

/// Makes its stream in its first wait, so that a cached result is never older than the
/// iteration.
final class AwaitingSource: ResultSource {
  private let make: @Sendable () async -> ResultStream
  private let flight: SharedRequest?
  private var iterator: ResultStream.Iterator?

  init(_ make: @escaping @Sendable () async -> ResultStream, in flight: SharedRequest?) {
    self.make = make
    self.flight = flight
  }

  override func step() -> ResultStream.Iterator.Step {
    iterator?.step() ?? .waiting(for: .source(self))
  }

  override func wait() async {
    if iterator == nil { iterator = await make().makeIterator(in: flight) }
  }
}
