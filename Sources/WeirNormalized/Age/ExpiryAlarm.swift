import Weir

/// Rings when the first of the results that somebody waits for becomes stale.
///
/// One task at most sleeps for a whole store, and none while nothing that has an age is waited for.
final class ExpiryAlarm: Sendable {
  private struct State {
    var deadline: Int64?
    var task: Task<Void, Never>?
  }

  private let state = Locked(State())
  /// Sleeps until the store's clock shows so many milliseconds.
  private let sleep: @Sendable (Int64) async throws -> Void

  init(sleep: @escaping @Sendable (Int64) async throws -> Void) {
    self.sleep = sleep
  }

  deinit {
    state.withLock { $0.task }?.cancel()
  }

  /// Sets it to a time, unless it rings earlier anyway.
  func set(_ deadline: Int64, ring: @escaping @Sendable () -> Void) {
    let replaced = state.withLock { state -> Task<Void, Never>? in
      if let earlier = state.deadline, earlier <= deadline { return nil }
      defer {
        state.deadline = deadline
        state.task = Task { [weak self, sleep] in
          do { try await sleep(deadline) } catch { return }
          self?.finish(deadline)
          ring()
        }
      }
      return state.task
    }
    replaced?.cancel()
  }

  private func finish(_ deadline: Int64) {
    state.withLock { state in
      if state.deadline == deadline { state = State() }
    }
  }
}

extension NormalizedStore {
  /// Somebody waits for a result that becomes stale at a time: he is woken then.
  func setAlarm(_ freshUntil: Int64) {
    guard freshUntil != RowAges.never, freshUntil > milliseconds else { return }
    alarm.set(freshUntil) { [weak self] in self?.wakeExpired() }
  }

  private func wakeExpired() {
    let now = milliseconds
    var aftermath = Aftermath()
    let next = state.withLock { $0.wakeExpired(now: now, &aftermath) }
    setAlarm(next)
    aftermath.fire()
  }
}

extension StoreState {
  /// Fires for all who wait for a result that is stale now, and says when the next one will be. Costs
  /// a look at each that is waited for.
  fileprivate mutating func wakeExpired(now: Int64, _ aftermath: inout Aftermath) -> Int64 {
    let instant = LogicalInstant.next()
    var next = RowAges.never
    for entry in entriesByNumber.values where entry.isRegistered && entry.isWatched {
      guard let freshUntil = entry.reading?.freshUntil, freshUntil > 0 else { continue }
      if freshUntil > now {
        next = min(next, freshUntil)
      } else if entry.expiredAt != freshUntil {
        // Once: who cannot get newer data goes on showing the old ones.
        entry.expiredAt = freshUntil
        fire(entry, at: instant, &aftermath)
      }
    }
    return next
  }
}
