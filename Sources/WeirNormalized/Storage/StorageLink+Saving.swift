import Weir

extension StorageLink {
  /// Commits what has changed, until nothing has; one commit for all that is there each time.
  func save(_ access: inout StorageThread.Access) throws(StorageError) {
    listen(&access)
    while var work = takeUnsaved() {
      do throws(StorageError) {
        let complete = try commit(&work, &access)
        report(nil)
        noteSaved(work, complete: complete)
        try collect(&access)
      } catch {
        putBack(work, error)
        report(error)
        throw error
      }
    }
  }

  /// Commits what is to be removed, if there is anything: what is looked up next must not be found then.
  func saveRemovals(_ access: inout StorageThread.Access) throws(StorageError) {
    if state.withLock({ $0.storage?.unsaved.removesWhatIsStored == true }) { try save(&access) }
  }

  /// What is to be saved, and the records as they are at that moment: so nobody's changes are saved
  /// by half.
  struct Work {
    let changes: UnsavedChanges
    var records: RecordState
    let lookedUp: LookedUp
    let version: UInt64
    let clearCount: Int
  }

  private func takeUnsaved() -> Work? {
    state.withLock { state in
      guard let storage = state.storage, !storage.unsaved.isEmpty else { return nil }
      state.storage?.saving = storage.unsaved
      state.storage?.unsaved = UnsavedChanges()
      return Work(
        changes: storage.unsaved, records: state.records, lookedUp: storage.lookedUp,
        version: state.lastVersion, clearCount: storage.clearCount)
    }
  }

  private func putBack(_ work: Work, _ error: StorageError) {
    state.withLock { state in
      state.storage?.failure = error
      guard let storage = state.storage, storage.clearCount == work.clearCount else { return }
      state.storage?.unsaved.addOlder(storage.saving)
      state.storage?.saving = UnsavedChanges()
    }
  }

  /// - Parameters:
  ///   - work: what was committed.
  ///   - complete: the entities of which the storage had nothing that memory has not.
  private func noteSaved(_ work: Work, complete: [RecordReference]) {
    var aftermath = Aftermath()
    state.withLock { state in
      state.storage?.failure = nil
      guard state.storage?.clearCount == work.clearCount else { return }
      state.storage?.saving = UnsavedChanges()
      for record in complete { state.storage?.lookedUp.records.insert(record) }
      // What was not saved yet could not be let go.
      guard state.size.total > state.size.limit, state.layers.isEmpty else { return }
      state.size.nextCheck = state.size.limit
      state.collectIfNeeded(written: ChangeSet(), catalog: catalog, &aftermath)
    }
    aftermath.fire()
  }
}

// MARK: - One commit

extension StorageLink {
  private func commit(
    _ work: inout Work, _ access: inout StorageThread.Access
  ) throws(StorageError) -> [RecordReference] {
    if work.changes.removesAll {
      try access.storage.removeAll()
      access.names = nil
      access.learned = nil
    }
    try learn(&access)
    let selected = try select(work, &access)
    var complete: [RecordReference] = []
    var batch = try mergeStored(into: &work, selected, complete: &complete, &access)
    let holders = try encode(work, into: &batch, &access)
    let learned = addLearned(to: &batch, holders: holders, &access)
    // As long as it is held, others must copy what they write to.
    work.records = RecordState(seed: 0)
    try access.storage.commit(batch)
    access.learned = learned
    return complete
  }

  /// Completes what is to be saved by what only the storage knows, and marks what is selected.
  private func mergeStored(
    into work: inout Work, _ selected: SelectedKeys, complete: inout [RecordReference],
    _ access: inout StorageThread.Access
  ) throws(StorageError) -> RecordBatch {
    let lookUps = lookUps(of: work)
    // What memory has all of is written, or removed, as it is there.
    let others = selected.changed.subtracting(lookUps.map { ExactString($0.key) }).map(\.text)
      .filter { !work.writesAll(of: $0, catalog) }
    let stored = try access.storage.load(lookUps.map(\.key) + others)
    var found = stored
    if !selected.isEmpty {
      // Another store may have registered names since ours were read.
      if !selected.fields.isEmpty { access.names = nil }
      for index in found.indices {
        guard let stored = stored[index] else { continue }
        found[index] = try apply(selected, to: stored, &access)
      }
    }
    let records = work.records
    if merge(found, lookUps, into: &work, complete: &complete, names: try names(&access)) {
      // Another store has registered names since ours were read.
      access.names = nil
      complete = []
      work.records = records
      _ = merge(found, lookUps, into: &work, complete: &complete, names: try names(&access))
    }
    var batch = RecordBatch(removedKeys: selected.removed.map(\.text))
    for (before, after) in zip(stored, found).dropFirst(lookUps.count) {
      if let after, after != before { batch.records.append(after) }
    }
    return batch
  }

  /// - Returns: whether there are names that are not known.
  private func merge(
    _ found: [StoredRecord?], _ lookUps: [LookUp], into work: inout Work,
    complete: inout [RecordReference], names: RecordNames
  ) -> Bool {
    var decoder = RecordDecoder(
      catalog: catalog, epoch: epoch, version: work.version, names: names)
    for (lookUp, stored) in zip(lookUps, found) {
      guard case .record(let record) = lookUp.content else { continue }
      let change = stored.flatMap { stored in
        work.records.merge(
          stored.value, ofType: stored.type, into: record,
          except: work.changes.removedFields[record] ?? [], version: work.version, with: &decoder)
      }
      if change == nil, stored == nil || decoder.changes.isEmpty { complete.append(record) }
    }
    return decoder.hasMetUnknownName
  }

  /// The records that the storage may know more of: entities, and embedded objects of the root.
  private func lookUps(of work: Work) -> [LookUp] {
    var prefixes = SpacePrefixes(catalog)
    var lookUps: [LookUp] = []
    for record in work.changes.records where !work.lookedUp.records.contains(record) {
      lookUps.append(
        LookUp(
          key: work.records.storedKey(of: record, spacePrefix: prefixes[record.table]),
          content: .record(record)))
    }
    let root = RootType.query.reference
    for field in work.changes.fields where !work.lookedUp.fields.contains(field) {
      let cell = work.records.cell(root, catalog.place(field, table: root.table))
      guard cell.kind == .embedded else { continue }
      lookUps.append(
        LookUp(
          key: StoredKey.text(ofRootField: catalog.info(field).storageKey), content: .record(root))
      )
    }
    return lookUps
  }

  /// - Returns: the fields that hold embedded objects.
  private func encode(
    _ work: Work, into batch: inout RecordBatch, _ access: inout StorageThread.Access
  ) throws(StorageError) -> Set<LearnedNames.List> {
    let start = batch
    // Most names are met here, so that what follows need hardly ever be done twice.
    try encoding(work.records, &access) { encoder in
      var types: Set<TypeID> = [.removed]
      for record in work.changes.records {
        let type = work.records.header(record).type
        if types.insert(type).inserted { encoder.meetNames(of: record) }
      }
      if !work.changes.fields.isEmpty { encoder.meetNames(of: RootType.query.reference) }
    }
    return try encoding(work.records, &access) { encoder in
      batch = start
      encode(work, into: &batch, &encoder)
      return encoder.holders
    }
  }

  /// Runs `body`, once more after it has met names that have no numbers yet.
  func encoding<Result>(
    _ records: RecordState, _ access: inout StorageThread.Access,
    _ body: (inout RecordEncoder) -> Result
  ) throws(StorageError) -> Result {
    while true {
      var encoder = RecordEncoder(records, catalog, epoch: epoch, names: try names(&access))
      let result = body(&encoder)
      if encoder.names.unnumbered.isEmpty { return result }
      var names = encoder.names
      let storage = access.storage
      try names.number { (unnumbered) throws(StorageError) in try storage.register(unnumbered) }
      access.names = names
    }
  }

  private func encode(
    _ work: Work, into batch: inout RecordBatch, _ encoder: inout RecordEncoder
  ) {
    var prefixes = SpacePrefixes(catalog)
    for record in work.changes.records {
      let type = work.records.header(record).type
      let key = work.records.storedKey(of: record, spacePrefix: prefixes[record.table])
      if type == .removed {
        // Otherwise only a field of it was removed, and the storage has nothing of it.
        guard work.lookedUp.records.contains(record) else { continue }
        batch.removedKeys.append(key)
      } else {
        encoder.beginValue()
        encoder.append(record)
        batch.records.append(
          StoredRecord(
            key: key, type: encoder.names.number(catalog.typename(type)), value: encoder.take()))
      }
    }
    let root = RootType.query.reference
    for field in work.changes.fields {
      let key = StoredKey.text(ofRootField: catalog.info(field).storageKey)
      let place = catalog.place(field, table: root.table)
      if work.records.cell(root, place).isAbsent {
        batch.removedKeys.append(key)
      } else {
        encoder.beginValue()
        encoder.append(root, only: place)
        batch.records.append(
          StoredRecord(
            key: key, type: encoder.names.number(catalog.typename(RootType.query.type)),
            value: encoder.take()))
      }
    }
  }
}

extension RecordEncoder {
  mutating func beginValue() {
    append(byte: StoredValue.version)
    append(byte: 0)
  }
}
