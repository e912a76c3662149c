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

  /// Creates a stream that is made by each iteration, after it has waited for something. Executions
  /// may share it in a flight: `make` puts the flight's tags into the operation's context.
  package static func awaiting(
    _ make: @escaping @Sendable (SharedRequest?) async -> ResultStream
  ) -> ResultStream {
    .shareable { AwaitingSource(make, in: $0) }
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
  private let make: @Sendable (SharedRequest?) async -> ResultStream
  private let flight: SharedRequest?
  private var iterator: ResultStream.Iterator?

  init(
    _ make: @escaping @Sendable (SharedRequest?) async -> ResultStream, in flight: SharedRequest?
  ) {
    self.make = make
    self.flight = flight
  }

  override func step() -> ResultStream.Iterator.Step {
    iterator?.step() ?? .waiting(for: .source(self))
  }

  override func wait() async {
    if iterator == nil { iterator = await make(flight).makeIterator(in: flight) }
  }
}
