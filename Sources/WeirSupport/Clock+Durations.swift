/// A clock whose instants have a time since 1970, because a test moves it on between two runs of an app.
package protocol DatedClock: Clock<Duration> {
  /// The time since 1970 that the clock shows.
  var timeSince1970: Duration { get }
}

extension Clock<Duration> {
  /// Returns a closure that returns how much time has passed since this call.
  package func elapsed() -> @Sendable () -> Duration {
    let start = now
    return { start.duration(to: now) }
  }

  /// Sleeps for a duration, but for 136 years at most: the system's clocks cannot add the largest
  /// durations, which users may pass to mean "never", and would end the process.
  package func wait(for duration: Duration) async throws {
    try await sleep(for: min(duration, .seconds(Int64(1) << 32)))
  }
}

extension Duration {
  /// A number of seconds that was read from a file or a message, limited to 0 seconds to 136 years.
  /// Values far beyond would end the process.
  package init(readSeconds seconds: Double) {
    self = .seconds(min(max(0, seconds), 0x1p32))
  }
}
