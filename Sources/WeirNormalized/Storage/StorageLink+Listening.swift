import Weir

extension StorageLink {
  /// Follows what others do to the storage's medium: another store, or another process. From the
  /// first use on, because before that there is nothing in memory that could be out of date.
  func listen(_ access: inout StorageThread.Access) {
    guard !access.isListening else { return }
    access.isListening = true
    let changes = access.storage.externalChanges()
    let task = Task { [weak self] in
      for await keys in changes {
        guard let self else { return }
        await self.follow(keys)
      }
    }
    listening.withLock { $0 = task }
  }

  private func follow(_ keys: Set<String>?) async {
    await carryOut { [self] access, aftermath throws(StorageError) in
      try reload(keys, &access, &aftermath)
    }
  }

  /// Exchanges what memory has of records for what the storage has now. Nil: of all.
  func reload(
    _ keys: Set<String>?, _ access: inout StorageThread.Access, _ aftermath: inout Aftermath
  ) throws(StorageError) {
    // Names may be new, or have gone with everything else.
    access.names = nil
    access.learned = nil
    try learn(&access)
    state.withLock { state in
      state.storage?.hasLists = false
      state.storage?.staleFields = []
    }
    while true {
      try saveRemovals(&access)
      let (lookUps, generation) = state.withLock { state in
        (
          keys.map { state.lookUps(for: $0, catalog) } ?? state.lookUpsForAll(catalog),
          state.storage?.rowGeneration
        )
      }
      if lookUps.isEmpty { return }
      let found = try access.storage.load(lookUps.map(\.key))
      let names = try names(&access)
      let isDone = state.withLock { state in
        guard state.storage?.rowGeneration == generation,
          state.storage?.unsaved.removesWhatIsStored == false
        else { return false }
        var decoder = RecordDecoder(
          catalog: catalog, epoch: epoch, version: state.nextVersion(), names: names)
        state.exchange(zip(lookUps, found), with: &decoder, &aftermath)
        state.passVersion(decoder.latestOrder)
        return true
      }
      if isDone { return }
    }
  }
}

// MARK: - What is out of date

extension StoreState {
  /// What memory has, or has looked for in vain, of records that others have changed.
  fileprivate mutating func lookUps(for keys: Set<String>, _ catalog: Catalog) -> [LookUp] {
    var lookUps: [LookUp] = []
    for key in keys {
      switch StoredKey.meaning(of: key) {
      case .rootField(let storageKey):
        let name = String(storageKey.prefix { $0 != "(" && $0 != "@" })
        let field = catalog.field(storageKey, name: name)
        if concerns(field, catalog) { lookUps.append(LookUp(key: key, content: .field(field))) }
      case .entity(let entity):
        if let record = records.record(of: entity, catalog) {
          if concerns(record) { lookUps.append(LookUp(key: key, content: .record(record))) }
        } else if storage?.lookedUp.entities.contains(entity) == true {
          lookUps.append(LookUp(key: key, content: .entity(entity)))
        }
      case nil: continue
      }
    }
    return lookUps
  }

  /// Whether memory says anything of a field of the query's root that is not its own change.
  private mutating func concerns(_ field: FieldID, _ catalog: Catalog) -> Bool {
    guard let known = storage, !known.unsaved.fields.contains(field) else { return false }
    let root = RootType.query.reference
    let place = catalog.place(field, table: root.table)
    let isNewPage = catalog.info(field).list.map { known.lookedUp.lists.contains($0) } ?? false
    return isNewPage || known.lookedUp.fields.contains(field)
      || !records.cell(root, place).isAbsent
  }

  private mutating func concerns(_ record: RecordReference) -> Bool {
    guard let known = storage else { return false }
    if known.unsaved.records.contains(record) {
      // What memory has counts more; the rest is put beside it when it is saved, or looked up.
      if records.header(record).type != .removed { storage?.lookedUp.records.remove(record) }
      return false
    }
    return known.lookedUp.records.contains(record) || records.header(record).type != .removed
  }

  /// All of that, when anything may have changed.
  fileprivate mutating func lookUpsForAll(_ catalog: Catalog) -> [LookUp] {
    storage?.lookedUp.forgetAbsent()
    var lookUps: [LookUp] = []
    var prefixes = SpacePrefixes(catalog)
    for table in records.tables.indices where table > RootType.subscription.rawValue {
      for row in 0..<records.tables[table].rowCount {
        let record = RecordReference(table: table, row: row)
        guard !records.header(record).isFree,
          records[record].key(record.rowInChunk).kind == .string, concerns(record)
        else { continue }
        lookUps.append(
          LookUp(
            key: records.storedKey(of: record, spacePrefix: prefixes[table]),
            content: .record(record)))
      }
    }
    let present = records.places(of: RootType.query.reference, catalog).map(\.field)
    for field in (storage?.lookedUp.fields ?? []).union(present)
    where storage?.unsaved.fields.contains(field) == false {
      lookUps.append(
        LookUp(
          key: StoredKey.text(ofRootField: catalog.info(field).storageKey), content: .field(field))
      )
    }
    return lookUps
  }
}

// MARK: - Exchanging

extension StoreState {
  fileprivate mutating func exchange(
    _ found: Zip2Sequence<[LookUp], [StoredRecord?]>, with decoder: inout RecordDecoder,
    _ aftermath: inout Aftermath
  ) {
    let catalog = decoder.catalog
    let before = records
    var changes = ChangeSet()
    let concerned = found.compactMap { lookUp, _ in
      forget(lookUp.content, catalog, &changes)
    }
    journal.forget(changes, freeIn: records)
    errors.forget(changes)
    var others = ChangeSet()
    for (lookUp, stored) in found { take(stored, for: lookUp, with: &decoder, &others) }
    for record in Set(concerned) {
      var change = ChangeSet.Change(record: record, slots: 0, fields: [])
      let difference = records.difference(of: record, from: before)
      if let difference { change = difference }
      // What others have invalidated is news, too, though it is the same.
      let stale = records.newlyStale(record, since: before, catalog)
      for place in stale { change.add(place) }
      if difference != nil || !stale.isEmpty { changes.changes.append(change) }
    }
    let known = Set(concerned)
    changes.changes += others.changes.filter { !known.contains($0.record) }
    noteLoaded(changes, isNews: true, catalog: catalog, &aftermath)
  }

  /// Removes what the storage is to say anew, unless memory has changed it since.
  private mutating func forget(
    _ content: LookUp.Content, _ catalog: Catalog, _ changes: inout ChangeSet
  ) -> RecordReference? {
    switch content {
    case .record(let record):
      guard storage?.unsaved.records.contains(record) == false else { return nil }
      storage?.lookedUp.records.remove(record)
      removeFields(of: record, &changes)
      return record
    case .field(let field):
      guard storage?.unsaved.fields.contains(field) == false else { return nil }
      storage?.lookedUp.fields.remove(field)
      remove(field, catalog, &changes)
      return RootType.query.reference
    case .entity: return nil
    }
  }

  private mutating func removeFields(of record: RecordReference, _ changes: inout ChangeSet) {
    records.removeFields(of: record) { freed in
      changes.changes.append(
        ChangeSet.Change(record: freed, slots: .max, fields: [], isRemoved: true))
    }
    records[record].setHeader(
      RowHeader(version: lastVersion, type: .removed), of: record.rowInChunk)
  }

  private mutating func remove(
    _ field: FieldID, _ catalog: Catalog, _ changes: inout ChangeSet
  ) {
    let root = RootType.query.reference
    let place = catalog.place(field, table: root.table)
    records.removeField(place, of: root) { freed in
      changes.changes.append(
        ChangeSet.Change(record: freed, slots: .max, fields: [], isRemoved: true))
    }
    records[root].setHeader(
      RowHeader(version: lastVersion, type: RootType.query.type), of: root.rowInChunk)
  }
}

extension RecordState {
  /// The fields of a record that have been invalidated since an older state.
  fileprivate func newlyStale(
    _ record: RecordReference, since old: RecordState, _ catalog: Catalog
  ) -> [FieldPlace] {
    let (ages, row) = (self[record].ages, record.rowInChunk)
    guard !ages.isEmpty else { return [] }
    return places(of: record, catalog).filter {
      ages.expiry(row, $0.field) == 0 && old[record].ages.expiry(row, $0.field) > 0
    }
  }
}
