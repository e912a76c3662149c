import Weir

/// Wakes the store when the first of the watched results becomes stale.
///
/// At most one task sleeps for a whole store, and none while no watched result can become stale.
final class ExpiryAlarm: Sendable {
  private struct State {
    var deadline: Int64?
    var task: Task<Void, Never>?
  }

  private let state = Locked(State())
  /// Sleeps until a time of the store's clock, in milliseconds.
  private let sleep: @Sendable (Int64) async throws -> Void

  init(sleep: @escaping @Sendable (Int64) async throws -> Void) {
    self.sleep = sleep
  }

  deinit {
    state.withLock { $0.task }?.cancel()
  }

  /// Sets the alarm to a time, unless it rings earlier anyway.
  func set(_ deadline: Int64, ring: @escaping @Sendable () -> Void) {
    let replaced = state.withLock { state -> Task<Void, Never>? in
      if let earlier = state.deadline, earlier <= deadline { return nil }
      defer {
        state.deadline = deadline
        // Detached: it would keep the task-local values of the caller for the whole time to live.
        state.task = Task.detached { [weak self, sleep] in
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
  /// Wakes the watches of a result when it expires, unless it had expired by `now`, which they already
  /// know. (By the time of this call it may have expired, too: then they wake at once.)
  func setAlarm(_ freshUntil: Int64, after now: Int64) {
    guard freshUntil != RowAges.never, freshUntil > now else { return }
    alarm.set(freshUntil) { [weak self] in self?.wakeExpired() }
  }

  private func wakeExpired() {
    let now = milliseconds
    setAlarm(state.withLock { $0.wakeExpired(now: now) }, after: now)
  }
}

extension StoreState {
  /// Fields become stale earlier than before, and with them the results that show them. Nothing wakes before:
  /// the values may be the same.
  mutating func noteShortened(_ shortened: ChangeSet, now: Int64) {
    guard !shortened.isEmpty else { return }
    shortenDependents(of: shortened, in: records, now: now)
    guard !layers.isEmpty else { return }
    layers.note(shortened)
    effects.appliesLayers = true
  }

  /// The results that show these fields of `records` become stale when the fields do. Those that have
  /// done so already, without a word to their watches, wake them at once.
  mutating func shortenDependents(of shortened: ChangeSet, in records: RecordState, now: Int64) {
    var alarm = RowAges.never
    var expired: [OperationEntry] = []
    for change in shortened.changes {
      let (record, ages) = (change.record, records[change.record].ages)
      let expiry = change.places(in: record.table, catalog).map {
        ages.expiry(record.rowInChunk, $0.field)
      }
      guard let first = expiry.min() else { continue }
      var changes = ChangeSet()
      changes.changes.append(change)
      results.forEachDependent(of: changes) { entry in
        entry.shorten(to: first)
        guard entry.isWatched else { return }
        alarm = min(alarm, first)
        if entry.freshness.noteUnseenExpiry(entry.freshUntil, now: now) { expired.append(entry) }
      }
    }
    if alarm > now, alarm != RowAges.never { effects.alarm = min(effects.alarm, alarm) }
    for entry in expired { fire(entry, at: .next()) }
  }

  /// Lets a result that has expired become stale later, if other responses have brought all of its data
  /// again in the meantime. Costs a look at each field that it shows.
  mutating func noteRefreshed(_ entry: OperationEntry, now: Int64) {
    guard entry.freshUntil > 0, entry.freshUntil <= now, entry.tracking != .changed,
      let reading = entry.reading,
      entry.tracking == .current || reading.trace.isCurrent(in: visible, catalog),
      let expiry = reading.trace.expiry(in: visible, &entry.bindings, after: now)
    else { return }
    entry.renew(until: expiry)
  }

  /// Wakes the watches of results that are stale now. Visits each watched result.
  ///
  /// - Returns: when the next result becomes stale.
  fileprivate mutating func wakeExpired(now: Int64) -> Int64 {
    let instant = LogicalInstant.next()
    var next = RowAges.never
    for entry in results.entries.values where entry.tracking != .off && entry.isWatched {
      guard entry.freshUntil > 0 else { continue }
      noteRefreshed(entry, now: now)
      let freshUntil = entry.freshUntil
      if freshUntil > now {
        next = min(next, freshUntil)
      } else if entry.freshness.noteReported(expiry: freshUntil) {
        fire(entry, at: instant)
      }
    }
    return next
  }
}
