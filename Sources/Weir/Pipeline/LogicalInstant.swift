import Synchronization

/// A point on Weir's logical clock: one counter for the whole process, which only says what came
/// before what.
///
/// A request takes an instant when it is sent, and whatever overtakes a result (an invalidation, a
/// newer response, a refresh by hand) takes one when it happens. Comparing the two tells, without
/// a wall clock, whether a result was requested late enough to be shown.
public struct LogicalInstant: Hashable, Comparable, Sendable {
  /// How often the clock had ticked.
  package let ticks: UInt64

  package init(ticks: UInt64) {
    self.ticks = ticks
  }

  /// Before everything that ever happens in this process.
  public static let distantPast = LogicalInstant(ticks: 0)

  /// Advances the clock and answers with the new instant, later than every one before it. Costs
  /// one atomic addition.
  public static func next() -> LogicalInstant {
    LogicalInstant(ticks: clock.add(1, ordering: .sequentiallyConsistent).newValue)
  }

  /// Orders instants by when they were taken.
  @inline(__always)
  public static func < (earlier: LogicalInstant, later: LogicalInstant) -> Bool {
    earlier.ticks < later.ticks
  }
}

private let clock = Atomic<UInt64>(0)
