public import Weir

/// What a collection is to let go; see ``NormalizedStore/collect(_:)``.
public enum CollectionGoal: Hashable, Sendable {
  /// The entities that no field of the query root leads to any more.
  case unreachable
  /// As much as is needed until at most so many bytes are left, least recently used first.
  case bytes(Int)
}

/// How much a store holds.
public struct NormalizedStoreStatistics: Hashable, Sendable {
  /// Entities, embedded objects and roots.
  public var records: Int
  /// What the records take of memory, in bytes: live data, without what allocators add.
  public var recordBytes: Int
  /// The operations whose results are kept.
  public var results: Int
  /// What those take, in bytes.
  public var resultBytes: Int
  /// The operations that somebody watches.
  public var watched: Int
  /// The operations that are pinned.
  public var pinned: Int
  /// The optimistic results that are shown.
  public var layers: Int
  /// The fields that are known by name and arguments.
  public var fields: Int
  /// How many records collections have let go so far.
  public var collected: Int

  /// What ``NormalizedCacheConfiguration/maximumBytes`` bounds.
  public var bytes: Int { recordBytes + resultBytes }
}

/// Keeps what an operation shows from being collected, until it is released or nobody has it.
public final class StorePin: Sendable {
  private let store: NormalizedStore
  private let operation: GraphQLOperation
  private let isReleased = Locked(false)

  init(_ store: NormalizedStore, _ operation: GraphQLOperation) {
    self.store = store
    self.operation = operation
  }

  deinit { release() }

  /// Ends it; a second call does nothing.
  public func release() {
    let isFirst = isReleased.withLock { isReleased in
      defer { isReleased = true }
      return !isReleased
    }
    if isFirst { store.unpin(operation) }
  }
}

extension NormalizedStore {
  /// How much the store holds. Costs a look at each operation that is known.
  public var statistics: NormalizedStoreStatistics {
    let fields = catalog.fieldCount
    return state.withLock { state in
      NormalizedStoreStatistics(
        records: state.records.count, recordBytes: state.size.records,
        results: state.entries.values.count { $0.reading?.payload != nil },
        resultBytes: state.size.results, watched: state.entries.values.count { $0.isWatched },
        pinned: state.size.pins.count, layers: state.layers.list.count, fields: fields,
        collected: state.size.collected)
    }
  }

  /// Keeps what a query shows, and what that leads to, from being collected, until the pin is
  /// released. It need not be there yet.
  public func pin(_ operation: GraphQLOperation) -> StorePin {
    let operation = operation.ofAnySession
    state.withLock { state in
      state.size.pins[operation.identity, default: (operation, 0)].count += 1
    }
    return StorePin(self, operation)
  }

  func unpin(_ operation: GraphQLOperation) {
    state.withLock { state in
      let identity = operation.identity
      guard let pin = state.size.pins[identity] else { return }
      state.size.pins[identity] = pin.count > 1 ? (pin.operation, pin.count - 1) : nil
    }
  }

  /// Lets go of records that are not needed: never of what is watched, pinned, or reachable from
  /// either. A query that would show one of them is a miss then.
  ///
  /// The store does so by itself when it takes more than
  /// ``NormalizedCacheConfiguration/maximumBytes``. Costs a look at every record.
  ///
  /// - Parameter goal: what to let go.
  /// - Returns: how many records were let go.
  @discardableResult
  public func collect(_ goal: CollectionGoal = .unreachable) -> Int {
    var aftermath = Aftermath()
    let (count, hasLayers) = state.withLock { state -> (Int, Bool) in
      var collection = RecordCollection(&state, catalog: catalog, written: ChangeSet(), &aftermath)
      switch goal {
      case .unreachable: collection.removeUnreachable(&state, &aftermath)
      case .bytes(let bytes): collection.remove(toBytes: bytes, &state, &aftermath)
      }
      return (collection.count, !state.layers.isEmpty)
    }
    if hasLayers { showLayers() }
    aftermath.fire()
    return count
  }
}

extension StoreState {
  /// Something was written: counts it, and lets go of something else if it is too much.
  mutating func noteSize(
    of changes: ChangeSet, catalog: Catalog, _ aftermath: inout Aftermath
  ) {
    guard !changes.isEmpty else { return }
    size.count(changes, in: records)
    let root = RootType.query.reference
    for change in changes.changes where change.record == root {
      for place in change.places(in: change.record.table, catalog) {
        size.rootUses[place.field] = lastVersion
      }
    }
    collectIfNeeded(written: changes, catalog: catalog, &aftermath)
  }

  mutating func collectIfNeeded(
    written: ChangeSet, catalog: Catalog, _ aftermath: inout Aftermath
  ) {
    guard size.total > size.nextCheck else { return }
    var collection = RecordCollection(&self, catalog: catalog, written: written, &aftermath)
    // A little more than needed, so that it pays for many batches.
    collection.remove(toBytes: size.limit - size.limit / 8, &self, &aftermath)
    size.nextCheck = max(size.limit, size.total + size.limit / 8)
    if size.total <= size.limit { size.nextCheck = size.limit }
  }
}
