/// Which operations share a request, and how long they wait for each other.
public struct BatchConfiguration: Sendable {
  /// How long the first operation waits for others.
  public struct Window: Sendable {
    private enum Length: Sendable {
      case turn
      case sleep(@Sendable () async -> Void)
    }

    private let length: Length

    /// The same turn: as long as others start that were ready to run already, in the caller's
    /// isolation. It takes microseconds, and catches what a view or a task group starts at once;
    /// where several threads start operations, a turn may be split into several batches.
    public static let turn = Window(length: .turn)

    /// A length of time, by a clock of your choice.
    public static func duration(
      _ duration: Duration, clock: any Clock<Duration> = .continuous
    ) -> Window {
      Window(length: .sleep { try? await clock.wait(for: duration) })
    }

    private init(length: Length) {
      self.length = length
    }

    /// Waits until a batch should be sent.
    func pass(_ batch: Batch) async {
      switch length {
      case .sleep(let sleep):
        await sleep()
      case .turn:
        var known = 0
        while case let (count, isOpen) = batch.occupancy, isOpen, count > known {
          known = count
          await Task.yield()
        }
      }
    }
  }

  /// How long the first operation waits for others. Default ``Window/turn``.
  public var window = Window.turn

  /// The most operations in one request; when there are so many, it leaves at once. Default 10.
  public var maximumCount = 10

  /// Which kinds of operations are batched. Default queries and mutations; a request holds one kind
  /// only.
  public var kinds: Set<GraphQLOperation.Kind> = [.query, .mutation]

  /// The defaults.
  public init() {}
}
