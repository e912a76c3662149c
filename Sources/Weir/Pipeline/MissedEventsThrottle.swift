internal import WeirSupport

/// Limits how often a cache refetches everything because events may have been missed. A server that
/// keeps dropping connections would otherwise cause a refetch with each of them.
///
/// At most one task sleeps for a whole cache, and none while connections last.
package final class MissedEventsThrottle: Sendable {
  private struct State {
    var last: Duration?
    /// Sleeps until the next refetch is due.
    var task: Task<Void, Never>?
    /// The refetch that is due then: the one that was noted last, because it belongs to the newest
    /// session.
    var refetch: (@Sendable () -> Void)?
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
      if state.task == nil {
        guard let last = state.last, now - last < interval else {
          state.last = now
          return true
        }
        let delay = interval - (now - last)
        state.task = Task.detached { [weak self, sleep] in
          do { try await sleep(delay) } catch { return }
          self?.refetch()
        }
      }
      state.refetch = refetch
      return false
    }
    if isDue { refetch() }
  }

  private func refetch() {
    let now = now()
    let refetch = state.withLock { state in
      defer { state = State(last: now) }
      return state.refetch
    }
    refetch?()
  }
}
