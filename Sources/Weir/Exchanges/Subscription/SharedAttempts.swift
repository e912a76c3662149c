/// When the connection that many subscriptions share is made again.
///
/// Each of them notices the loss by itself. If each drew a delay of its own, a server that is away
/// would be tried once for each of them instead of once, and what is watched be fetched again and
/// again as one after the other comes back.
final class SharedAttempts: Sendable {
  /// The time of each attempt that is still to come, by its number.
  private let times = Locked<[Int: Duration]>([:])

  /// How long to wait before an attempt: until the time that another subscription has drawn for it,
  /// else as long as this one has drawn. Attempts are counted from 1, by all in the same way that
  /// lost the same connection.
  func delay(before attempt: Int, own: Duration, now: Duration) -> Duration {
    times.withLock { times in
      times = times.filter { $0.value > now }
      let time = times[attempt] ?? now + own
      times[attempt] = time
      return time - now
    }
  }
}
