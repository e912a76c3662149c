/// The times at which the connection that many subscriptions share is opened again.
///
/// Each subscription notices the loss by itself. If each had a delay of its own, an unavailable
/// server would get an attempt from each of them instead of one, and the watched results would be
/// refetched each time that one of them returns.
final class ReconnectionTimes: Sendable {
  /// The time of each future attempt, by its number.
  private let times = Locked<[Int: Duration]>([:])

  /// Returns the delay before an attempt: until the time that another subscription has chosen for
  /// it, or this subscription's own delay. Subscriptions that lost the same connection count their
  /// attempts in the same way, from 1.
  func delay(before attempt: Int, own: Duration, now: Duration) -> Duration {
    times.withLock { times in
      times = times.filter { $0.value > now }
      let time = times[attempt] ?? now + own
      times[attempt] = time
      return time - now
    }
  }
}
