extension Clock<Duration> {
  /// A closure that says how much time has passed since it was made.
  func elapsed() -> @Sendable () -> Duration {
    let start = now
    return { start.duration(to: now) }
  }

  /// Waits, for 136 years at most: the largest durations, as one may write them for "never", are
  /// beyond what the system's clocks can add up, which would end the process.
  package func wait(for duration: Duration) async throws {
    try await sleep(for: min(duration, .seconds(1 << 32)))
  }
}

extension Duration {
  /// A number of seconds that was read from somewhere: from none to 136 years. What is far beyond
  /// would end the process.
  init(readSeconds seconds: Double) {
    self = .seconds(min(max(0, seconds), 0x1p32))
  }
}
