import Weir

/// The data that a collection evicts; see ``NormalizedStore/collect(_:)``.
public enum CollectionGoal: Hashable, Sendable {
  /// The entities that no field of the query root leads to.
  case unreachable
  /// The least recently used data, until at most so many bytes are left.
  case bytes(Int)
}

extension NormalizedStore {
  /// Evicts records that are not needed: never those that are watched, pinned, or reachable from either.
  /// A query that would show one of them is then a miss.
  ///
  /// The store does so by itself when it exceeds ``NormalizedCacheConfiguration/maximumBytes``. Visits
  /// every record.
  ///
  /// - Parameter goal: what to evict.
  /// - Returns: how many records were evicted.
  @discardableResult
  public func collect(_ goal: CollectionGoal = .unreachable) -> Int {
    let stores = withPartitions
    guard stores.count > 1, case .bytes(let limit) = goal else {
      return stores.reduce(0) { $0 + $1.collectAlone(goal) }
    }
    let bytes = stores.map { store in store.state.withLock { $0.size.total } }
    let share = Double(limit) / Double(max(1, bytes.reduce(0, +)))
    return zip(stores, bytes).reduce(0) {
      $0 + $1.0.collectAlone(.bytes(Int(Double($1.1) * min(1, share))))
    }
  }

  /// Evicts records of this partition only.
  @discardableResult
  func collectAlone(_ goal: CollectionGoal, keepsRefused: Bool = true) -> Int {
    state.withLock { state in
      var collection = RecordCollection(&state, keepsRefused: keepsRefused)
      switch goal {
      case .unreachable: collection.removeUnreachable(&state)
      case .bytes(let bytes): collection.remove(toBytes: bytes, &state)
      }
      return collection.count
    }
  }
}

extension StoreState {
  /// Counts what was written, and evicts something else if there is too much.
  mutating func noteSize(of changes: ChangeSet) {
    guard !changes.isEmpty else { return }
    count(changes)
    collectIfNeeded(written: changes)
  }

  /// Counts the bytes of records that have changed, and notes the use of the root's fields.
  mutating func count(_ changes: ChangeSet) {
    size.count(changes, in: records)
    for change in changes.changes where change.record == RootType.query.reference {
      for place in change.places(in: change.record.table, catalog) {
        if records.cell(change.record, place).isAbsent {
          size.forgetUse(of: place.field)
        } else {
          size.noteUse(of: place.field, version: lastVersion, catalog)
        }
      }
    }
  }

  mutating func collectIfNeeded(written: ChangeSet = ChangeSet()) {
    guard size.total > size.nextCheck else { return forgetNamesIfNeeded() }
    var collection = RecordCollection(&self, written: written)
    // A little more than needed, so that the effort serves many batches.
    collection.remove(toBytes: size.limit - size.limit / 8, &self)
    size.nextCheck = max(size.limit, size.total + size.limit / 8)
    if size.total <= size.limit { size.nextCheck = size.limit }
    size.awaitsSaving = size.total > size.limit && collection.hasUnsaved
  }
}
