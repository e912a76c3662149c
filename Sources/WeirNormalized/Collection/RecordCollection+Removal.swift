extension RecordCollection {
  /// - Returns: about how many bytes that frees.
  mutating func remove(_ unit: CollectionUnit, _ state: inout StoreState) -> Int {
    switch unit.content {
    case .entity(let record):
      let bytes = bytes(of: record, state.records)
      remove(record, &state.records, state.catalog)
      return bytes
    case .field(let place):
      let root = RootType.query.reference
      let cell = state.records.cell(root, place)
      var bytes = 40 + state.size.forgetUse(of: place.field) + state.records[root].bytes(of: cell)
      for record in state.records[root].embeddedRecords(in: cell) {
        bytes += self.bytes(of: record, state.records)
      }
      state.records.removeField(place, of: root) { changes.append(removed: $0) }
      state.records[root].compactText()
      state.records.touch(root, version: version)
      changes.append(root, place)
      return bytes
    case .result(let number):
      guard let entry = state.results[number] else { return 0 }
      let bytes = entry.bytes
      state.remove(entry)
      return bytes
    }
  }

  /// The bytes of a record and of what is embedded in it.
  private func bytes(of record: RecordReference, _ records: RecordState) -> Int {
    var bytes = records[record].bytes(of: record.rowInChunk)
    records[record].forEachEmbedded(of: record.rowInChunk) {
      bytes += self.bytes(of: $0, records)
    }
    return bytes
  }

  /// Removes the fields; the row stays as long as anything refers to it.
  mutating func remove(
    _ record: RecordReference, _ records: inout RecordState, _ catalog: Catalog
  ) {
    records.removeFields(of: record) { changes.append(removed: $0) }
    records.touch(record, version: version, type: .removed)
    if catalog.policies.dropsDangling { records[record].noteEvicted(record.rowInChunk) }
    changes.append(removed: record)
    count += 1
  }

  /// Frees the rows that nothing refers to any more, counts, and wakes the watches of what has changed.
  mutating func finish(_ state: inout StoreState) {
    guard !changes.isEmpty || count > 0 else { return state.forgetNames() }
    _ = state.nextVersion()
    // Invalidations name rows by their number.
    if state.history.invalidations.isEmpty { freeRows(&state) }
    state.history.journal.forget(changes, freeIn: state.records)
    state.errors.forget(changes)
    for change in changes.changes { state.storage?.noteEvicted(change, catalog) }
    for entry in state.results.entries.values { entry.collectionsSinceFiring? += 1 }
    state.storage?.rowGeneration += 1
    state.size.collected += count
    state.size.count(changes, in: state.records)
    state.publish(changes)
    let root = RootType.query.reference
    let present = Set(state.records.places(of: root, catalog).map(\.field))
    for field in state.size.rootUses.keys where !present.contains(field) {
      state.size.forgetUse(of: field)
    }
    state.forgetNames()
  }

  private mutating func freeRows(_ state: inout StoreState) {
    let referenced = state.records.referenced
    for table in state.records.tableIDs where table.root == nil {
      var free: [RecordReference] = []
      state.records.forEachRecord(in: table) { record, header in
        if header.type == .removed, !referenced.contains(record),
          !state.results.dependencies.isRead(record), !state.layers.touched.contains(record),
          state.storage?.holds(record) != true
        {
          free.append(record)
        }
      }
      guard !free.isEmpty else { continue }
      for record in free {
        state.records.free(record)
        changes.append(removed: record)
      }
      state.records[table].vacateEmptyChunks()
      state.records[table].rebuildIndex(seed: state.records.seed)
    }
  }
}

extension StoreState {
  /// Forgets names of fields with arguments that nothing uses, which would otherwise pile up. (The
  /// catalog knows those that compiled selections use.)
  mutating func forgetNames() {
    var used = results.dependencies.fieldNumbers.union(errors.fieldNumbers)
    if let storage {
      used.formUnion(storage.unsaved.fields)
      used.formUnion(storage.saving.fields)
    }
    let tables = records.tables.map(\.self) + (layers.shown?.tables.map(\.self) ?? [])
    for chunk in tables.flatMap(\.chunks) {
      for fields in chunk.overflow.values { used.formUnion(fields.keys) }
    }
    for entry in results.entries.values { used.formUnion(entry.bindings.knownFields) }
    catalog.forget(allBut: used)
    // Whoever works on a copy of the records, or loads, may have used a name that was forgotten.
    writeCount += 1
    storage?.rowGeneration += 1
    size.nextForgetting = catalog.fieldCount + max(1_000, used.count)
  }

  /// Forgets names once there are so many new ones that the effort is small for each.
  mutating func forgetNamesIfNeeded() {
    if catalog.fieldCount > size.nextForgetting { forgetNames() }
  }
}
