/// Which operations share a request, and how long they wait for each other.
public struct BatchConfiguration: Sendable {
  /// The time for which the first operation waits for others.
  public struct Window: Sendable {
    /// Waits; nil for the same turn.
    private let sleep: (@Sendable () async -> Void)?

    /// The same turn: the time in which other operations start that were ready to run, in the
    /// caller's isolation. It takes microseconds, and includes the operations that a view or a task
    /// group starts at once. If several threads start operations, a turn may be split into several
    /// batches.
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

  /// The time for which the first operation waits for others. Default ``Window/turn``.
  public var window = Window.turn

  /// The maximum number of operations in one request; a full request is sent at once. Default 10.
  public var maximumCount = 10

  /// The kinds of operations that are batched. Default queries and mutations; a request contains
  /// only one kind.
  public var kinds: Set<GraphQLOperation.Kind> = [.query, .mutation]

  /// Makes the default settings.
  public init() {}
}
