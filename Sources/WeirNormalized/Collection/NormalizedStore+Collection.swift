public import Weir

/// The data that a collection evicts; see ``NormalizedStore/collect(_:)``.
public enum CollectionGoal: Hashable, Sendable {
  /// The entities that no field of the query root leads to.
  case unreachable
  /// The least recently used data, until at most so many bytes are left.
  case bytes(Int)
}

/// How much a store holds.
public struct NormalizedStoreStatistics: Hashable, Sendable {
  /// Entities, embedded objects and roots.
  public var records: Int
  /// The bytes of the records in memory: live data and the arguments of the query root's fields, without the
  /// overhead of allocations.
  public var recordBytes: Int
  /// The operations whose results are kept.
  public var results: Int
  /// The bytes of these results and their variables.
  public var resultBytes: Int
  /// The operations that are watched.
  public var watched: Int
  /// The operations and entities that are pinned.
  public var pinned: Int
  /// The optimistic results that are shown.
  public var layers: Int
  /// The fields that are known by name and arguments.
  public var fields: Int
  /// How many records collections have evicted so far.
  public var collected: Int

  /// The bytes that ``NormalizedCacheConfiguration/maximumBytes`` limits.
  public var bytes: Int { recordBytes + resultBytes }
}

extension NormalizedStoreStatistics {
  fileprivate mutating func add(_ other: NormalizedStoreStatistics) {
    records += other.records
    recordBytes += other.recordBytes
    results += other.results
    resultBytes += other.resultBytes
    watched += other.watched
    pinned += other.pinned
    layers += other.layers
    fields += other.fields
    collected += other.collected
  }
}

/// Keeps what an operation shows, or an entity, from being collected, until you release the pin or drop it.
public final class StorePin: Sendable {
  private let store: NormalizedStore
  private let target: OperationIdentity
  private let isReleased = Locked(false)

  fileprivate init(_ store: NormalizedStore, _ target: OperationIdentity) {
    self.store = store
    self.target = target
  }

  deinit { release() }

  /// Releases the pin; a second call does nothing.
  public func release() {
    let isFirst = isReleased.withLock { isReleased in
      defer { isReleased = true }
      return !isReleased
    }
    if isFirst { store.state.withLock { $0.size.unpin(target) } }
  }
}

extension NormalizedStore {
  /// How much the store holds, in all partitions. Visits each operation that is known.
  public var statistics: NormalizedStoreStatistics {
    guard isMain else { return ownStatistics }
    return partitions.all.reduce(into: ownStatistics) { $0.add($1.ownStatistics) }
  }

  private var ownStatistics: NormalizedStoreStatistics {
    let fields = catalog.fieldCount
    return state.withLock { state in
      let entries = state.results.entries.values
      return NormalizedStoreStatistics(
        records: state.records.count, recordBytes: state.size.records + state.size.names,
        results: entries.count { $0.reading?.payload != nil }, resultBytes: state.size.results,
        watched: entries.count { $0.isWatched }, pinned: state.size.pins.count,
        layers: state.layers.list.count, fields: fields, collected: state.size.collected)
    }
  }

  /// Keeps what a query shows, and what that leads to, from being collected, until the pin is
  /// released. The data need not be there yet. What is only in a storage with a budget
  /// (``NormalizedCacheConfiguration/maximumStoredBytes``) is loaded in the background. (If another process adds
  /// an element to a list of it later, the storage does not keep what that leads to until something reads it.)
  public func pin(_ operation: GraphQLOperation) -> StorePin {
    let pin = hold(operation)
    if operation.defect == nil {
      partition(of: operation.context).loadPinned(ReadTarget(operation, session: .any))
    }
    return pin
  }

  /// Pins an operation for a moment, and loads nothing.
  func hold(_ operation: GraphQLOperation) -> StorePin {
    let store = partition(of: operation.context)
    store.state.withLock { $0.size.pin(operation) }
    return StorePin(store, operation.identity)
  }

  /// Only memory knows what a pinned record leads to, which the storage must not remove.
  private func loadPinned(_ target: ReadTarget) {
    if configuration.maximumStoredBytes != nil { link?.loadLater(target) }
  }

  /// Keeps what a generated query shows; see ``pin(_:)-(GraphQLOperation)``.
  public func pin(_ query: some GeneratedQuery) -> StorePin { pin(query.operation()) }

  /// Keeps what a typed query shows; see ``pin(_:)-(GraphQLOperation)``.
  public func pin<Data, Variables>(
    _ query: Query<Data, Variables>, _ variables: Variables
  ) -> StorePin {
    pin(query.operation(variables))
  }

  /// Keeps an entity, and what it leads to, from being collected, until the pin is released. Without that,
  /// ``collect(_:)`` evicts an entity to which no field of the query root leads, such as a draft that only
  /// your app knows. The entity need not be there yet. What the fragment selects, and is only in a storage with
  /// a budget, is loaded in the background. To keep fields of a root, pin an operation; a pin of
  /// ``Entity/query`` keeps nothing.
  ///
  /// A removal, `clear()` and a switch of the session remove it nevertheless.
  public func pin(_ fragment: GraphQLFragment, of entity: Entity) -> StorePin {
    let target = ReadTarget(fragment, of: entity, catalog)
    state.withLock { $0.size.pin(target) }
    if target.defect == nil { loadPinned(target) }
    return StorePin(self, target.identity)
  }

  /// Keeps an entity from being collected; see ``pin(_:of:)-(GraphQLFragment,_)``.
  public func pin<Data>(_ fragment: Fragment<Data>, of entity: Entity) -> StorePin {
    pin(fragment.untyped, of: entity)
  }

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
