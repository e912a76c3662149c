/// Delays between attempts: each is a random part of a bound that doubles each time ("full jitter", so that
/// clients that failed together do not return together).
struct Backoff {
  /// The bound after the first attempt.
  let initial: Duration
  /// The maximum bound.
  let maximum: Duration

  /// Returns the delay after an attempt.
  ///
  /// - Parameters:
  ///   - attempt: The number of attempts so far, at least 1.
  ///   - fraction: The random part, at least 0 and less than 1.
  /// - Returns: At most ``maximum``.
  func delay(after attempt: Int, fraction: Double) -> Duration {
    // 2^60 times any delay but zero exceeds every bound.
    let factor = Double(UInt64(1) << UInt64(min(max(attempt, 1) - 1, 60)))
    let bound = min(initial / .seconds(1) * factor, maximum / .seconds(1))
    return .seconds(max(bound, 0) * min(max(fraction, 0), 1))
  }
}
