/// What happens when the connection of a subscription is lost: how often and how fast it is made
/// again.
///
/// Only a subscription that the server had accepted is taken up again; if the very first attempt
/// fails, that is the result. While it is taken up again, its consumer sees nothing; if that fails
/// too often, a last result with the error. Caches are told that events may have been missed (see
/// ``OperationContext/onMissedEvents(_:)``), and what is watched is fetched again.
public struct Reconnection: Sendable {
  /// How often in a row it is tried. Default 8: with the other defaults about a minute and a half.
  /// The count begins anew with each event, and after ``maximumDelay`` of being connected.
  public var maximumAttempts = 8

  /// The upper bound of the delay before the first attempt; that of each further one is twice the
  /// one before. Default 0.5 seconds. The delay itself is a random part of that bound, so that the
  /// clients of a server that was restarted do not come back all at once; it is at least what the
  /// event stream's `retry` field asks for, and comes on top of a `Retry-After`.
  public var initialDelay: Duration = .milliseconds(500)

  /// The largest upper bound of a delay. Default 30 seconds.
  public var maximumDelay: Duration = .seconds(30)

  /// The longest that a server that turns the subscription away may make it wait by `Retry-After`; if
  /// it asks for more, the error is the result. Default 5 minutes.
  public var maximumRetryAfter: Duration = .seconds(300)

  let sleep: @Sendable (Duration) async throws -> Void
  let now: @Sendable () -> Duration
  private let random: @Sendable () -> Double

  /// The defaults.
  ///
  /// - Parameters:
  ///   - clock: what delays are measured with.
  ///   - random: a number of at least 0 and less than 1.
  public init(
    clock: some Clock<Duration> = ContinuousClock(),
    random: @escaping @Sendable () -> Double = { .random(in: 0..<1) }
  ) {
    sleep = { try await clock.wait(for: $0) }
    now = clock.elapsed()
    self.random = random
  }

  /// The delay before an attempt, counted from 1.
  func delay(before attempt: Int) -> Duration {
    var backoff = RetryConfiguration()
    backoff.initialDelay = initialDelay
    backoff.maximumDelay = maximumDelay
    return backoff.delay(after: attempt, fraction: random())
  }
}
