/// A point on Weir's logical clock: one counter for the whole process, which only orders events.
///
/// A request takes an instant when it is sent. Whatever supersedes a result (an invalidation, a
/// newer response, a manual refresh) takes one when it happens. Comparing the two shows, without a
/// wall clock, whether a result was requested late enough to be shown.
public struct LogicalInstant: Hashable, Comparable, Sendable {
  /// How often the clock had ticked.
  @usableFromInline package let ticks: UInt64

  @inlinable
  package init(ticks: UInt64) {
    self.ticks = ticks
  }

  /// An instant before everything that happens in this process.
  @inlinable
  public static var distantPast: LogicalInstant { LogicalInstant(ticks: 0) }

  /// An instant before every request, but after ``distantPast``: a signal that fires then wakes a watch, for
  /// which any data of the cache is new enough.
  package static var anyRequest: LogicalInstant { LogicalInstant(ticks: 1) }

  /// Advances the clock and returns the new instant, which is later than every one before it. Costs
  /// one atomic addition.
  public static func next() -> LogicalInstant {
    LogicalInstant(ticks: clock.add(1))
  }

  /// Orders instants by when they were taken.
  @inlinable
  public static func < (earlier: LogicalInstant, later: LogicalInstant) -> Bool {
    earlier.ticks < later.ticks
  }
}

private let clock = AtomicWord()
