import Weir

/// One collection: finds out what must stay, then evicts all or the oldest of the rest.
struct RecordCollection {
  let catalog: Catalog
  /// Records that stay.
  var kept: RecordSet
  /// Fields of the query root that stay.
  private var keptFields: Set<FieldID> = []
  /// Entities that stay in a storage, even if memory does not have them.
  private var keptEntities: [Entity] = []
  private var keptEntries: Set<DependencyIndex.Watcher> = []
  /// Whether something stays only until it is saved.
  private(set) var hasUnsaved = false
  let version: UInt64
  var changes = ChangeSet()
  /// How many records were evicted.
  var count = 0

  /// - Parameters:
  ///   - state: the state to be collected.
  ///   - written: what has just been written; it stays.
  ///   - keepsRefused: whether changes stay that the storage has refused only for a while.
  init(
    _ state: inout StoreState, written: ChangeSet = ChangeSet(), keepsRefused: Bool = true
  ) {
    catalog = state.catalog
    version = state.lastVersion + 1
    kept = RecordSet(state.records)
    var pending: [RecordReference] = []
    for (target, _) in state.size.pins.values {
      keep(state.entry(for: target), state, &pending)
    }
    for entry in state.results.entries.values where state.results.isAwaited(entry) {
      keep(entry, state, &pending)
    }
    for record in state.layers.touched { insert(record, &pending) }
    if keepsRefused || state.storage?.failure == nil { keepUnsaved(state) }
    state.records.addReachable(to: &kept, from: pending)
    for change in written.changes { keep(change, state.records) }
  }

  /// Finds out what some results have shown.
  init(shownBy entries: [OperationEntry], _ state: StoreState) {
    catalog = state.catalog
    version = state.lastVersion
    kept = RecordSet(state.records)
    var pending: [RecordReference] = []
    for entry in entries { keep(entry, state, &pending) }
  }

  /// Changes that the storage does not have yet stay, unless they cannot be saved.
  private mutating func keepUnsaved(_ state: StoreState) {
    guard let storage = state.storage, storage.keepsUnsaved else { return }
    for changes in [storage.unsaved, storage.saving] {
      for record in changes.records { _ = kept.insert(record) }
      keptFields.formUnion(changes.fields)
      if !changes.records.isEmpty || !changes.fields.isEmpty { hasUnsaved = true }
    }
  }

  /// The keys under which a storage has what must stay.
  func storedKeys(_ records: RecordState) -> Set<String> {
    var keys: Set = [LearnedNames.key]
    for record in records.entities() where kept.contains(record) {
      keys.insert(records.storedKey(of: record, catalog))
    }
    for field in keptFields {
      keys.insert(catalog.storedKey(ofRootField: field))
    }
    for entity in keptEntities { keys.insert(StoredKey.text(of: entity)) }
    return keys
  }

  /// A written record stays, and so does what it refers to.
  private mutating func keep(_ change: ChangeSet.Change, _ records: RecordState) {
    let record = change.record
    _ = kept.insert(record)
    guard !change.isRemoved, !records.header(record).isFree else { return }
    let isRoot = record == RootType.query.reference
    for place in records.places(of: record, catalog) {
      if isRoot {
        guard change.contains(place) else { continue }
        keptFields.insert(place.field)
      }
      records[record].forEachReference(in: records.cell(record, place)) { _ = kept.insert($0) }
    }
  }

  private mutating func insert(_ record: RecordReference, _ pending: inout [RecordReference]) {
    if !record.isRoot, kept.insert(record) { pending.append(record) }
  }

  private mutating func keep(
    _ entry: OperationEntry, _ state: StoreState, _ pending: inout [RecordReference]
  ) {
    guard keptEntries.insert(entry.number).inserted else { return }
    let root = RootType.query.reference
    var fields: Set<FieldID> = []
    for (record, place, _) in entry.rootFields where record == root {
      fields.insert(place.field)
      let list = catalog.info(place.field).list
      if let list { fields.formUnion(catalog.pages(of: list)) }
    }
    keptFields.formUnion(fields)
    for field in fields {
      let cell = state.records.cell(root, catalog.rootPlace(field))
      state.records[root].forEachReference(in: cell) { insert($0, &pending) }
    }
    for record in entry.redirectedRecords(state.records, catalog) { insert(record, &pending) }
    if case .entity(let entity) = entry.target.origin { keptEntities.append(entity) }
    if let record = state.records.record(at: entry.target.origin, catalog) {
      insert(record, &pending)
    }
    guard let reading = entry.reading else { return }
    for entry in reading.trace.entries { insert(entry.record, &pending) }
    for (record, _) in reading.trace.others.unseen { insert(record, &pending) }
  }
}

// MARK: - Goals

extension RecordCollection {
  /// Evicts all entities that the query root does not lead to.
  mutating func removeUnreachable(_ state: inout StoreState) {
    let root = RootType.query.reference
    var pending: [RecordReference] = []
    state.records[root].forEachReference(of: root.rowInChunk) { insert($0, &pending) }
    state.records.addReachable(to: &kept, from: pending)
    for record in candidates(state.records) {
      remove(record, &state.records, state.catalog)
    }
    finish(&state)
  }

  /// Evicts what was not used for the longest time.
  mutating func remove(toBytes limit: Int, _ state: inout StoreState) {
    var excess = state.size.total - max(limit, 0)
    guard excess > 0 else { return }
    var units = units(of: state)
    // Sorting everything would cost more than the rest: it is enough to sort the oldest.
    let share = Double(excess) / Double(max(state.size.total, 1)) * 1.5 + 0.05
    let oldest = CollectionUnit.partition(&units, share: share)
    units[..<oldest].sort()
    var index = 0
    while index < units.count, excess > 0 {
      if index == oldest { units[oldest...].sort() }
      excess -= remove(units[index], &state)
      index += 1
    }
    finish(&state)
  }

  /// The entities that need not stay.
  private func candidates(_ records: RecordState) -> [RecordReference] {
    records.entities().filter { records.header($0).type != .removed && !kept.contains($0) }
  }

  /// Everything that may be evicted, with the time of its last use.
  private func units(of state: StoreState) -> [CollectionUnit] {
    let records = state.records
    var uses: [RecordReference: UInt64] = [:]
    var rootUses = state.size.rootUses
    var units: [CollectionUnit] = []
    for entry in state.results.entries.values where !keptEntries.contains(entry.number) {
      let use = entry.lastUseVersion
      units.append(CollectionUnit(lastUse: use, content: .result(entry.number)))
      for (_, place, _) in entry.rootFields {
        rootUses[place.field] = max(rootUses[place.field] ?? 0, use)
      }
      for visited in entry.reading?.trace.entries ?? [] {
        // A record that only a layer has made does not exist here.
        guard records.hasRow(of: visited.record), records.header(visited.record).version < use
        else { continue }
        uses[visited.record] = max(uses[visited.record] ?? 0, use)
      }
    }
    for record in candidates(records) {
      let written = records.header(record).version
      units.append(
        CollectionUnit(lastUse: max(written, uses[record] ?? 0), content: .entity(record)))
    }
    let root = RootType.query.reference
    for place in records.places(of: root, catalog) where !keptFields.contains(place.field) {
      units.append(
        CollectionUnit(lastUse: rootUses[place.field] ?? 0, content: .field(place)))
    }
    return units
  }
}
