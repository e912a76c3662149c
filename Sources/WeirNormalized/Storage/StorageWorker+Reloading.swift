import Weir

extension StorageWorker {
  /// Replaces what memory has of records that others have changed by what the storage has now.
  ///
  /// - Parameter keys: the records' keys; nil stands for all records.
  /// - Throws: the storage's error. Others tell what they have changed only once, so whatever works with
  ///   the storage next begins with another attempt.
  mutating func reload(_ keys: Set<ExactString>?) throws(StorageError) {
    if let keys { outdated?.formUnion(keys) } else { outdated = nil }
    try catchUp()
  }

  /// Reloads what could not be reloaded before.
  mutating func catchUp() throws(StorageError) {
    if state.withLock({ $0.storage?.takeEmptied() == true }) { followRemoval() }
    let keys = outdated
    if keys?.isEmpty == true { return }
    // Reloading may save, and saving catches up.
    outdated = []
    do throws(StorageError) {
      try replaceOutdated(keys)
    } catch {
      // More may have become outdated meanwhile; nil stands for all records.
      if let keys { outdated?.formUnion(keys) } else { outdated = nil }
      link.noteMissed()
      throw error
    }
    loadWatched()
  }

  /// Another store has removed everything, and with it the names, what was learned, and the salt.
  mutating func followRemoval() {
    link.partition?.forgetPrefix()
    knownNames = nil
    learned = nil
    outdated = nil
  }

  /// Loads what could not be read while the storage failed.
  mutating func loadMissed() {
    guard (try? catchUp()) != nil, loadWatched() else { return }
    state.withLock { $0.storage?.isUnreadable = false }
  }

  /// Brings into memory what watched or pinned results lack and others may have added, and notes what is
  /// still missing. After a failure, it is repeated when the storage works.
  ///
  /// - Returns: whether nothing has failed.
  @discardableResult
  private mutating func loadWatched() -> Bool {
    let targets = state.withLock { state -> [ReadTarget] in
      guard state.storage?.loaded.mayLackNotes == true else { return [] }
      // Before they are made, because notes may be lost meanwhile.
      state.storage?.loaded.mayLackNotes = false
      let watched = state.results.entries.values.filter(state.results.isAwaited).map(\.target)
      guard state.storage?.hasBudget == true else { return watched }
      return watched + state.size.pins.values.map(\.target)
    }
    for target in targets {
      guard (try? load(target)) != nil else { return false }
    }
    return true
  }

  private mutating func replaceOutdated(_ keys: Set<ExactString>?) throws(StorageError) {
    // Names may be new, or have been removed with everything else.
    knownNames = nil
    learned = nil
    try learn()
    state.withLock { state in
      state.storage?.hasLists = false
      state.storage?.loaded.coverage = .some
      state.storage?.staleFields = []
    }
    while true {
      try saveRemovals()
      let (requests, generation) = state.withLock { state in
        (
          keys.map { state.requests(for: $0) } ?? state.requestsForAll(),
          state.storage?.rowGeneration
        )
      }
      if requests.isEmpty { return }
      let found = try storage.load(requests.map(\.key))
      let (names, worker) = (try names(), self)
      let isDone = state.withLock { state in
        guard state.storage?.rowGeneration == generation,
          state.storage?.unsaved.removesWhatIsStored == false
        else { return false }
        var decoder = worker.decoder(version: state.nextVersion(), names: names)
        state.replace(requests, with: found, &decoder)
        state.passVersion(decoder.latestOrder)
        return true
      }
      if isDone { return }
    }
  }
}

// MARK: - What is out of date

extension StoreState {
  /// The records among others' changes that memory has, or has requested in vain.
  fileprivate mutating func requests(for keys: Set<ExactString>) -> [RecordRequest] {
    keys.lazy.map(\.text).compactMap { key in
      switch StoredKey.meaning(of: key) {
      case .rootField(let storageKey):
        let field = catalog.rootField(storedAs: storageKey)
        return needsReload(field) ? RecordRequest(key: key, content: .field(field)) : nil
      case .entity(let entity):
        if let record = records.record(of: entity, catalog) {
          return needsReload(record) ? RecordRequest(key: key, content: .record(record)) : nil
        }
        let isKnown = storage?.loaded.absentEntities.contains(entity) == true
        return isKnown ? RecordRequest(key: key, content: .entity(entity)) : nil
      case nil: return nil
      }
    }
  }

  /// Whether memory has a field of the query's root, and has not changed it itself.
  private mutating func needsReload(_ field: FieldID) -> Bool {
    let root = RootType.query.reference
    let place = catalog.rootPlace(field)
    if storage?.unsaved.fields.contains(field) == true {
      // As for records below: an object without a key may have fields that memory lacks.
      if !records.cell(root, place).isAbsent { storage?.loaded.fields.remove(field) }
      return false
    }
    let isNewPage =
      catalog.info(field).list.map { storage?.loaded.lists.contains($0) == true } ?? false
    return isNewPage || storage?.loaded.fields.contains(field) == true
      || !records.cell(root, place).isAbsent
  }

  private mutating func needsReload(_ record: RecordReference) -> Bool {
    let isRemoved = records.header(record).type == .removed
    if storage?.unsaved.records.contains(record) == true {
      // Memory's changes take precedence; the rest is added when they are saved, or the record is read.
      if !isRemoved { storage?.loaded.records.remove(record) }
      return false
    }
    return !isRemoved || storage?.loaded.records.contains(record) == true
  }

  /// All records that memory has, because anything may have changed.
  fileprivate mutating func requestsForAll() -> [RecordRequest] {
    storage?.loaded.forgetAbsent()
    var requests: [RecordRequest] = []
    for record in records.entities() where needsReload(record) {
      requests.append(RecordRequest(record, records, catalog))
    }
    let present = records.places(of: RootType.query.reference, catalog).map(\.field)
    for field in (storage?.loaded.fields ?? []).union(present) where needsReload(field) {
      requests.append(RecordRequest(field, catalog))
    }
    return requests
  }
}

// MARK: - Replacing

extension StoreState {
  /// Another store has removed everything from the storage. Memory forgets it at once, and not only when the
  /// thread reloads it: a write in between that repeats some of it would save only the rest.
  mutating func noteEmptied() {
    storage?.noteEmptied()
    var decoder = RecordDecoder(catalog: catalog, version: nextVersion(), names: RecordNames())
    let requests = requestsForAll()
    replace(requests, with: [], &decoder)
  }

  fileprivate mutating func replace(
    _ requests: [RecordRequest], with found: [StoredRecord?], _ decoder: inout RecordDecoder
  ) {
    let before = records
    var changes = ChangeSet()
    let replaced = Set(requests.compactMap { remove($0.content, &changes) })
    let freed = history.journal.isEmpty ? [] : records.freeRows(of: changes)
    errors.forget(changes)
    var others = ChangeSet()
    for (request, stored) in zip(requests, found) {
      take(stored, for: request, with: &decoder, &others)
    }
    followMoves(of: requests, since: before, freed: freed)
    changes.changes += replaced.compactMap { records.change(of: $0, since: before, catalog) }
    changes.changes += others.changes.filter { !replaced.contains($0.record) }
    noteLoaded(changes, cause: .write)
  }

  /// Lets newer writes follow objects without keys, which a reload gives other rows: an older response must
  /// not overwrite them there either.
  private mutating func followMoves(
    of requests: [RecordRequest], since before: RecordState, freed: Set<RecordReference>
  ) {
    guard !history.journal.isEmpty, !freed.isEmpty else { return }
    var moved = MovedObjects(before: before, after: records, catalog)
    for request in requests {
      switch request.content {
      case .record(let record): moved.follow(record)
      case .field(let field):
        let root = RootType.query.reference
        moved.follow(catalog.rootPlace(field), of: root)
      // Memory had nothing of it.
      case .entity: break
      }
    }
    history.journal.follow(moved.rows, freed: freed)
  }

  /// Removes what is to be loaded again, unless memory has changed it since.
  private mutating func remove(
    _ content: RecordRequest.Content, _ changes: inout ChangeSet
  ) -> RecordReference? {
    switch content {
    case .record(let record):
      guard storage?.unsaved.records.contains(record) == false else { return nil }
      storage?.loaded.records.remove(record)
      records.removeFields(of: record) { changes.append(removed: $0) }
      records.touch(record, version: lastVersion, type: .removed)
      return record
    case .field(let field):
      guard storage?.unsaved.fields.contains(field) == false else { return nil }
      storage?.loaded.fields.remove(field)
      let root = RootType.query.reference
      let place = catalog.rootPlace(field)
      records.removeField(place, of: root) { changes.append(removed: $0) }
      records.touch(root, version: lastVersion)
      return root
    case .entity: return nil
    }
  }
}

extension RecordState {
  /// The fields of a record that have another value than in an older state, or have been invalidated since;
  /// nil if there are none.
  func change(
    of record: RecordReference, since old: RecordState, _ catalog: Catalog
  ) -> ChangeSet.Change? {
    let difference = difference(of: record, from: old)
    let stale = newlyStale(record, since: old, catalog)
    guard difference != nil || !stale.isEmpty else { return nil }
    var change = difference ?? ChangeSet.Change(record: record, slots: 0, fields: [])
    for place in stale { change.add(place) }
    return change
  }

  private func newlyStale(
    _ record: RecordReference, since old: RecordState, _ catalog: Catalog
  ) -> [FieldPlace] {
    guard hasRow(of: record), old.hasRow(of: record) else { return [] }
    let (ages, row) = (self[record].ages, record.rowInChunk)
    guard !ages.isEmpty else { return [] }
    return places(of: record, catalog).filter {
      ages.expiry(row, $0.field) == 0 && old[record].ages.expiry(row, $0.field) > 0
    }
  }
}
