import Weir

/// One collection: finds out what has to stay, then lets go of the rest or a part of it.
struct RecordCollection {
  private let catalog: Catalog
  /// Records that stay.
  private var kept: RecordSet
  /// Fields of the query root that stay.
  private var keptFields: Set<FieldID> = []
  private var keptEntries: Set<DependencyIndex.Watcher> = []
  private let version: UInt64
  private var changes = ChangeSet()
  /// How many records were let go.
  private(set) var count = 0

  /// - Parameters:
  ///   - state: what is collected.
  ///   - catalog: the names.
  ///   - written: what has just been written; it stays.
  ///   - aftermath: what has to be done when the lock is open.
  init(
    _ state: inout StoreState, catalog: Catalog, written: ChangeSet,
    _ aftermath: inout Aftermath
  ) {
    self.catalog = catalog
    version = state.lastVersion + 1
    kept = RecordSet(state.records)
    var pending: [RecordReference] = []
    for (operation, _) in state.size.pins.values {
      keep(state.entry(for: ReadTarget(operation), catalog: catalog, &aftermath), state, &pending)
    }
    for entry in state.entries.values where state.isAwaited(entry) {
      keep(entry, state, &pending)
    }
    for record in state.layers.touched { insert(record, &pending) }
    keepUnsaved(state)
    state.records.addReachable(to: &kept, from: pending)
    for change in written.changes { keep(change, state.records) }
  }

  /// What the storage does not have yet stays, unless it cannot be saved.
  private mutating func keepUnsaved(_ state: StoreState) {
    guard let storage = state.storage, storage.failure == nil else { return }
    for changes in [storage.unsaved, storage.saving] {
      for record in changes.records { _ = kept.insert(record) }
      keptFields.formUnion(changes.fields)
    }
  }

  /// The keys under which a storage has what has to stay.
  func storedKeys(_ records: RecordState) -> Set<String> {
    var prefixes = SpacePrefixes(catalog)
    var keys: Set = [LearnedNames.key]
    for table in records.tables.indices where table > RootType.subscription.rawValue {
      for row in 0..<records.tables[table].rowCount {
        let record = RecordReference(table: table, row: row)
        guard kept.contains(record), records[record].key(record.rowInChunk).kind == .string else {
          continue
        }
        keys.insert(records.storedKey(of: record, spacePrefix: prefixes[table]))
      }
    }
    for field in keptFields {
      keys.insert(StoredKey.text(ofRootField: catalog.info(field).storageKey))
    }
    return keys
  }

  /// What was written stays, and what it refers to.
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
    guard record.table > RootType.subscription.rawValue else { return }
    if kept.insert(record) { pending.append(record) }
  }

  private mutating func keep(
    _ entry: OperationEntry, _ state: StoreState, _ pending: inout [RecordReference]
  ) {
    guard keptEntries.insert(entry.number).inserted else { return }
    let root = RootType.query.reference
    var fields: Set<FieldID> = []
    for (record, place) in entry.rootFields(catalog: catalog) where record == root {
      fields.insert(place.field)
      let list = catalog.info(place.field).list
      if let list { fields.formUnion(catalog.pages(of: list)) }
    }
    keptFields.formUnion(fields)
    for place in state.records.places(of: root, catalog) where fields.contains(place.field) {
      state.records[root].forEachReference(in: state.records.cell(root, place)) {
        insert($0, &pending)
      }
    }
    if let record = state.records.record(at: entry.target.origin, catalog) {
      insert(record, &pending)
    }
    guard let trace = entry.reading?.trace else { return }
    for entry in trace.entries { insert(entry.record, &pending) }
    for (record, _) in trace.dangling { insert(record, &pending) }
    for (record, _) in trace.unseen { insert(record, &pending) }
  }
}

// MARK: - Goals

extension RecordCollection {
  /// Lets go of all entities that the query root does not lead to.
  mutating func removeUnreachable(_ state: inout StoreState, _ aftermath: inout Aftermath) {
    let root = RootType.query.reference
    var pending: [RecordReference] = []
    state.records[root].forEachReference(of: root.rowInChunk) { record in
      if record.table > RootType.subscription.rawValue, kept.insert(record) {
        pending.append(record)
      }
    }
    state.records.addReachable(to: &kept, from: pending)
    for record in candidates(state.records) { remove(record, &state.records) }
    finish(&state, &aftermath)
  }

  /// Lets go of what was not used for the longest time.
  mutating func remove(
    toBytes limit: Int, _ state: inout StoreState, _ aftermath: inout Aftermath
  ) {
    var excess = state.size.total - max(limit, 0)
    guard excess > 0 else { return }
    var units = units(of: state)
    // Sorting all would cost more than the rest: it is enough to sort the oldest.
    let share = Double(excess) / Double(max(state.size.total, 1)) * 1.5 + 0.05
    let oldest = CollectionUnit.partition(&units, share: share)
    units[..<oldest].sort()
    var index = 0
    while index < units.count, excess > 0 {
      if index == oldest { units[oldest...].sort() }
      excess -= remove(units[index], &state, &aftermath)
      index += 1
    }
    finish(&state, &aftermath)
  }

  /// The entities that need not stay.
  private func candidates(_ records: RecordState) -> [RecordReference] {
    var found: [RecordReference] = []
    for table in records.tables.indices where table > RootType.subscription.rawValue {
      for row in 0..<records.tables[table].rowCount {
        let record = RecordReference(table: table, row: row)
        let header = records.header(record)
        guard !header.isFree, header.type != .removed, !kept.contains(record),
          records[record].key(record.rowInChunk).kind == .string
        else { continue }
        found.append(record)
      }
    }
    return found
  }

  /// All that may go, with when it was used last.
  private func units(of state: StoreState) -> [CollectionUnit] {
    let records = state.records
    var uses: [RecordReference: UInt64] = [:]
    var rootUses = state.size.rootUses
    var units: [CollectionUnit] = []
    for entry in state.entries.values where !keptEntries.contains(entry.number) {
      units.append(CollectionUnit(lastUse: entry.lastUseVersion, content: .result(entry.number)))
      for (_, place) in entry.rootFields(catalog: catalog) {
        rootUses[place.field] = max(rootUses[place.field] ?? 0, entry.lastUseVersion)
      }
      for visited in entry.reading?.trace.entries ?? [] {
        // What only a layer has made is not there.
        guard records.hasRow(of: visited.record),
          records.header(visited.record).version < entry.lastUseVersion
        else { continue }
        uses[visited.record] = max(uses[visited.record] ?? 0, entry.lastUseVersion)
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

// MARK: - Removal

extension RecordCollection {
  /// Lets one of them go and answers with how many bytes that gives, about.
  private mutating func remove(
    _ unit: CollectionUnit, _ state: inout StoreState, _ aftermath: inout Aftermath
  ) -> Int {
    switch unit.content {
    case .entity(let record):
      let before = bytes(of: record, state.records)
      remove(record, &state.records)
      return before
    case .field(let place):
      let root = RootType.query.reference
      let cell = state.records.cell(root, place)
      var bytes = 40 + state.records[root].bytes(of: cell)
      for record in state.records[root].embeddedRecords(in: cell) {
        bytes += self.bytes(of: record, state.records)
      }
      state.records.removeField(place, of: root) { note(removed: $0) }
      state.records[root].compactText()
      state.records[root].setHeader(
        RowHeader(version: version, type: RootType.query.type), of: root.rowInChunk)
      var change = ChangeSet.Change(record: root, slots: 0, fields: [])
      change.add(place)
      changes.changes.append(change)
      state.size.rootUses[place.field] = nil
      return bytes
    case .result(let number):
      guard let entry = state.entriesByNumber[number] else { return 0 }
      let bytes = entry.reading?.bytes ?? 0
      state.remove(entry, &aftermath)
      return bytes
    }
  }

  /// What a record takes, and what is embedded in it.
  private func bytes(of record: RecordReference, _ records: RecordState) -> Int {
    var bytes = records[record].bytes(of: record.rowInChunk)
    records[record].forEachEmbedded(of: record.rowInChunk) {
      bytes += self.bytes(of: $0, records)
    }
    return bytes
  }

  /// The fields go; the row stays as long as anything refers to it.
  private mutating func remove(_ record: RecordReference, _ records: inout RecordState) {
    var freed: [RecordReference] = []
    records.removeFields(of: record) { freed.append($0) }
    for record in freed { note(removed: record) }
    records[record].setHeader(
      RowHeader(version: version, type: .removed), of: record.rowInChunk)
    note(removed: record)
    count += 1
  }

  private mutating func note(removed record: RecordReference) {
    changes.changes.append(
      ChangeSet.Change(record: record, slots: .max, fields: [], isRemoved: true))
  }

  /// Gives back the rows that nothing refers to any more, counts, and wakes who is concerned.
  private mutating func finish(_ state: inout StoreState, _ aftermath: inout Aftermath) {
    guard !changes.isEmpty || count > 0 else { return }
    _ = state.nextVersion()
    // Those speak of rows by their number.
    if state.invalidations.isEmpty { giveBackRows(&state) }
    state.journal.forget(changes, freeIn: state.records)
    state.errors.forget(changes)
    for change in changes.changes { state.storage?.noteCollected(change, catalog) }
    state.storage?.rowGeneration += 1
    state.writeCount += 1
    state.size.collected += count
    state.size.count(changes, in: state.records)
    if state.layers.isEmpty {
      state.noteChanges(changes, catalog: catalog, &aftermath)
    } else {
      state.layers.note(changes)
    }
    let overflow = state.records[RootType.query.reference].overflow
    let present = overflow[RootType.query.reference.rowInChunk] ?? [:]
    state.size.rootUses = state.size.rootUses.filter { present[$0.key] != nil }
    forgetNames(state)
  }

  private mutating func giveBackRows(_ state: inout StoreState) {
    let referenced = state.records.referenced
    for table in state.records.tables.indices where table > RootType.subscription.rawValue {
      var isChanged = false
      for row in 0..<state.records.tables[table].rowCount {
        let record = RecordReference(table: table, row: row)
        guard state.records.header(record).type == .removed, !referenced.contains(record),
          !state.dependencies.isRead(record), !state.layers.touched.contains(record),
          state.storage?.holds(record) != true
        else { continue }
        state.records.free(record)
        note(removed: record)
        isChanged = true
      }
      if isChanged {
        state.records.tables[table].vacateEmptyChunks()
        state.records.tables[table].rebuildIndex(seed: state.records.seed)
      }
    }
  }

  /// Names with arguments that nothing uses must not pile up.
  private func forgetNames(_ state: StoreState) {
    var used = state.dependencies.fieldNumbers
    if let storage = state.storage {
      used.formUnion(storage.unsaved.fields)
      used.formUnion(storage.saving.fields)
    }
    for table in state.records.tables {
      for chunk in table.chunks {
        for fields in chunk.overflow.values { used.formUnion(fields.keys) }
      }
    }
    for entry in state.entries.values { used.formUnion(entry.bindings.knownFields) }
    catalog.forget(allBut: used)
  }
}

/// Something that can be let go by itself.
struct CollectionUnit: Comparable {
  enum Content {
    case entity(RecordReference)
    /// A field of the query root.
    case field(FieldPlace)
    /// What is kept of an operation.
    case result(DependencyIndex.Watcher)
  }

  /// The version of the records when it was used last.
  let lastUse: UInt64
  let content: Content

  /// Of what was used at the same time, results go first: they can be made again.
  private var rank: Int {
    switch content {
    case .result: 0
    case .field: 1
    case .entity: 2
    }
  }

  static func < (left: CollectionUnit, right: CollectionUnit) -> Bool {
    (left.lastUse, left.rank) < (right.lastUse, right.rank)
  }

  static func == (left: CollectionUnit, right: CollectionUnit) -> Bool {
    left.lastUse == right.lastUse && left.rank == right.rank
  }

  /// Brings about a share of the units, the oldest, to the front.
  ///
  /// - Returns: how many those are.
  static func partition(_ units: inout [CollectionUnit], share: Double) -> Int {
    guard units.count > 1024, share < 1 else { return units.count }
    let step = units.count / 512
    let sample = stride(from: 0, to: units.count, by: step).map { units[$0] }.sorted()
    let pivot = sample[min(sample.count - 1, Int(Double(sample.count) * share))]
    return units.partition { pivot < $0 }
  }
}
