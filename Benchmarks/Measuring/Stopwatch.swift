import Weir

/// Adds up the parts of a sample that count, if the rest is preparation.
final class Stopwatch: Sendable {
  private let sum = Locked(Duration.zero)

  /// Adds the time from `start` to `end`.
  func add(from start: ContinuousClock.Instant, to end: ContinuousClock.Instant = .now) {
    sum.withLock { $0 += end - start }
  }

  /// Returns the sum and begins again at zero.
  func take() -> Duration {
    sum.withLock { sum in
      defer { sum = .zero }
      return sum
    }
  }
}
