internal import WeirSupport

/// Limits how often a cache refetches everything because events may have been missed. A server that
/// keeps dropping connections would otherwise cause a refetch with each of them.
///
/// At most one task sleeps for a whole cache, and none while connections last.
package final class MissedEventsThrottle: Sendable {
  private struct State {
    var last: Duration?
    var task: Task<Void, Never>?
  }

  private let state = Locked(State())
  private let interval: Duration
  private let now: @Sendable () -> Duration
  private let sleep: @Sendable (Duration) async throws -> Void

  package init(interval: Duration, clock: some Clock<Duration>) {
    self.interval = interval
    now = clock.elapsed()
    sleep = { try await clock.wait(for: $0) }
  }

  deinit {
    state.withLock { $0.task }?.cancel()
  }

  /// Refetches at once if the last time is long enough ago. Otherwise refetches once when it is:
  /// what was missed until then may be newer than the last refetch.
  package func note(refetch: @escaping @Sendable () -> Void) {
    let now = now()
    let isDue = state.withLock { state in
      guard state.task == nil else { return false }
      if let last = state.last, now - last < interval {
        let delay = interval - (now - last)
        state.task = Task { [weak self, sleep] in
          do { try await sleep(delay) } catch { return }
          self?.begin()
          refetch()
        }
        return false
      }
      state.last = now
      return true
    }
    if isDue { refetch() }
  }

  private func begin() {
    let now = now()
    state.withLock { $0 = State(last: now, task: nil) }
  }
}
