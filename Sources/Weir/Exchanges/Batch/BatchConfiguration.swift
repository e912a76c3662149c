/// Which operations share a request, and how long they wait for each other.
public struct BatchConfiguration: Sendable {
  /// The time for which the first operation waits for others.
  public struct Window: Sendable {
    /// Waits; nil for the same turn.
    private let sleep: (@Sendable () async -> Void)?

    /// The same turn: the time in which other operations start that were ready to run, in the
    /// caller's isolation. It takes microseconds.
    ///
    /// Use it if the batching exchange is called in the isolation that starts the operations, as in
    /// a chain without dedup: it then includes all that a view starts at once. A ``DedupExchange``
    /// carries out each request in a task of its own, outside the caller's isolation, so a turn ends
    /// there with the first few requests or the first one: use ``duration(_:clock:)``, the default. The same
    /// applies if several threads start operations.
    public static let turn = Window(sleep: nil)

    /// A length of time, measured by a clock.
    public static func duration(
      _ duration: Duration, clock: any Clock<Duration> = .continuous
    ) -> Window {
      Window(sleep: { try? await clock.wait(for: duration) })
    }

    private init(sleep: (@Sendable () async -> Void)?) {
      self.sleep = sleep
    }

    var isTurn: Bool { sleep == nil }

    /// Waits until a batch should be sent.
    func pass(_ batch: Batch) async {
      if let sleep { return await sleep() }
      var known = 0
      while case let (count, isOpen) = batch.occupancy, isOpen, count > known {
        known = count
        await Task.yield()
      }
    }
  }

  /// The time for which the first operation waits for others. Default 10 milliseconds. In a chain
  /// without a ``DedupExchange``, ``Window/turn`` costs no time.
  public var window = Window.duration(.milliseconds(10))

  /// The maximum number of operations in one request; a full request is sent at once. Default 10.
  public var maximumCount = 10

  /// The kinds of operations that are batched. Default queries and mutations; a request contains
  /// only one kind. Subscriptions are never batched, even if they are among the kinds.
  public var kinds: Set<GraphQLOperation.Kind> = [.query, .mutation]

  /// Makes the default settings.
  public init() {}
}
