import Weir

/// Waits until something has happened a given number of times, and knows when that was.
///
/// The time is taken by the task that arrives last, so how long the waiting task needs to wake up
/// is not part of a measurement.
final class Countdown: Sendable {
  private struct State {
    var missing: Int
    var doneAt: ContinuousClock.Instant?
    var waiting: [CheckedContinuation<ContinuousClock.Instant, Never>] = []
  }

  private let state: Locked<State>

  init(_ count: Int = 0) {
    state = Locked(State(missing: count, doneAt: count == 0 ? .now : nil))
  }

  /// Starts again with a new number. No task may be waiting.
  func restart(_ count: Int) {
    state.withLock { $0 = State(missing: count, doneAt: count == 0 ? .now : nil) }
  }

  func arrive() {
    let (waiting, now) = state.withLock { state in
      state.missing -= 1
      let now = ContinuousClock.now
      if state.missing == 0 { state.doneAt = now }
      return (state.missing == 0 ? state.waiting : [], now)
    }
    for continuation in waiting { continuation.resume(returning: now) }
  }

  /// Returns the time of the last arrival, and waits for it if necessary.
  func done() async -> ContinuousClock.Instant {
    await withCheckedContinuation { continuation in
      let doneAt = state.withLock { state in
        if state.doneAt == nil { state.waiting.append(continuation) }
        return state.doneAt
      }
      if let doneAt { continuation.resume(returning: doneAt) }
    }
  }
}
