import Weir

extension StorageWorker {
  /// Commits all changes that there are at the beginning, in one commit. Later ones have requested another
  /// turn of the thread, so that sustained writes hold up no other work.
  mutating func save() throws(StorageError) {
    listen()
    while var work = try takeUnsaved() {
      do throws(StorageError) {
        guard let complete = try commit(&work) else {
          putBack(work)
          continue
        }
        noteSaved(work, complete: complete)
        hasMadeRoom = false
        // Memory must know what the missed pins lead to before anything is removed.
        if link.loadMissed() { link.perform { $0.reduce() } } else { reduce() }
        break
      } catch {
        putBack(work, error)
        if error.code == .full, !hasMadeRoom, (try? makeRoom()) == true {
          hasMadeRoom = true
          continue
        }
        link.report(error)
        throw error
      }
    }
    state.withLock { state in
      // Records that could not be saved may have been evicted since.
      if state.storage?.hasUnsavedChanges == false { state.storage?.failure = nil }
    }
    // The changes are saved: a failure to read is not a failure of saving.
    if (try? catchUp()) == nil { state.withLock { $0.storage?.isUnreadable = true } }
  }

  /// Keeps the storage within its budget. The changes are saved, even if that fails.
  private mutating func reduce() {
    do throws(StorageError) {
      try collect()
      link.report(nil)
    } catch {
      link.report(error)
    }
  }

  /// Commits removals, if there are any: what is requested next must not find removed records.
  mutating func saveRemovals() throws(StorageError) {
    if state.withLock({ $0.storage?.unsaved.removesWhatIsStored == true }) { try save() }
  }

  /// - Returns: why something could not be saved, or was lost since the last flush.
  mutating func flush() -> StorageError? {
    do throws(StorageError) {
      try save()
    } catch {
      return error
    }
    return state.withLock { state in
      defer { state.storage?.loss = nil }
      return state.storage?.loss
    }
  }

  /// The changes of one commit, and the records as they are at that moment: so no write is saved in part.
  struct Work {
    let changes: UnsavedChanges
    var records: RecordState
    let loaded: LoadedRecords
    let version: UInt64
    let clearCount: Int
    /// How often the main store had removed everything; nil for its own work.
    let removalCount: Int?
  }

  private mutating func takeUnsaved() throws(StorageError) -> Work? {
    guard state.withLock({ $0.storage?.unsaved.isEmpty == false }) else { return nil }
    // Before: afterwards nothing tells data of an ended session from newer data.
    try finishMainRemovals()
    let removalCount = link.parent?.removalCount
    let (work, wasEmptied) = state.withLock { state -> (Work?, Bool) in
      let wasEmptied = state.storage?.takeEmptied() == true
      guard let storage = state.storage, !storage.unsaved.isEmpty else { return (nil, wasEmptied) }
      state.storage?.saving = storage.unsaved
      state.storage?.unsaved = UnsavedChanges()
      let work = Work(
        changes: storage.unsaved, records: state.records, loaded: storage.loaded,
        version: state.lastVersion, clearCount: storage.clearCount, removalCount: removalCount)
      return (work, wasEmptied)
    }
    // Later changes must not be committed under old names, or the old prefix.
    if wasEmptied { followRemoval() }
    return work
  }

  private func finishMainRemovals() throws(StorageError) {
    do throws(StorageError) {
      try link.parent?.finishRemovals()
    } catch {
      state.withLock { $0.storage?.failure = error }
      link.report(error)
      throw error
    }
  }

  private func putBack(_ work: Work, _ error: StorageError? = nil) {
    state.withLock { state in
      if let error { state.storage?.failure = error }
      guard let storage = state.storage, storage.clearCount == work.clearCount else { return }
      if let error, storage.saving.hasLost { state.storage?.loss = error }
      state.storage?.unsaved.addOlder(storage.saving)
      state.storage?.saving = UnsavedChanges()
    }
  }

  /// - Parameters:
  ///   - work: what was committed.
  ///   - complete: the entities of which the storage has no more than memory.
  private func noteSaved(_ work: Work, complete: [RecordReference]) {
    state.withLock { state in
      state.storage?.failure = nil
      state.storage?.isUnreadable = false
      guard state.storage?.clearCount == work.clearCount else { return }
      // Records that memory has evicted meanwhile are not loaded any more.
      for record in complete where state.storage?.saving.records.contains(record) == true {
        state.storage?.loaded.records.insert(record)
      }
      state.storage?.saving = UnsavedChanges()
      // Unsaved changes could not be evicted until now.
      guard state.size.awaitsSaving, state.size.total > state.size.limit, state.layers.isEmpty
      else { return }
      state.size.nextCheck = state.size.limit
      state.collectIfNeeded()
    }
  }
}

// MARK: - One commit

extension StorageWorker {
  /// - Returns: the entities of which the storage has no more than memory; nil if nothing was committed,
  ///   because everything was removed meanwhile, by this store, its main store or another one.
  private mutating func commit(_ work: inout Work) throws(StorageError) -> [RecordReference]? {
    if work.changes.removesAll {
      do throws(StorageError) {
        try storage.removeAll()
      } catch {
        // Traces may be left, but the records, and the names with them, are gone.
        if (try? storage.size().records) == 0 { noteRemoval() }
        throw error
      }
      // Even if the rest cannot be committed: a repetition would remove what others have saved since.
      state.withLock { $0.storage?.saving.removesAll = false }
      noteRemoval()
    }
    try learn()
    let selected = try select(work)
    var complete: [RecordReference] = []
    var batch = try mergeStored(into: &work, selected, complete: &complete)
    let holders = try encode(work, into: &batch)
    let learned = try addLearned(to: &batch, holders: holders)
    // As long as this snapshot is held, writers must copy what they write to.
    work.records = RecordState(seed: 0)
    try link.parent?.finishRemovals()
    guard link.parent?.removalCount == work.removalCount,
      state.withLock({ $0.storage?.clearCount }) == work.clearCount
    else { return nil }
    try storage.commit(batch)
    self.learned = learned
    link.tellSharers(Set((batch.records.map(\.key) + batch.removedKeys).map(ExactString.init)))
    return complete
  }

  private mutating func noteRemoval() {
    link.tellSharers(nil)
    link.removalCount += 1
    knownNames = nil
    learned = nil
  }

  /// Completes the changed records by what only the storage has, and marks what is selected.
  private mutating func mergeStored(
    into work: inout Work, _ selected: SelectedKeys, complete: inout [RecordReference]
  ) throws(StorageError) -> RecordBatch {
    let requests = requests(of: work)
    // A record of which memory has everything is written, or removed, as it is there.
    let others = selected.changed.subtracting(requests.map { ExactString($0.key) }).map(\.text)
      .filter { !work.writesAll(of: $0, catalog) }
    let stored = try storage.load(requests.map(\.key) + others)
    var found = stored
    if !selected.isEmpty {
      if !selected.fields.isEmpty { knownNames = nil }
      for index in found.indices {
        guard let stored = stored[index] else { continue }
        found[index] = try apply(selected, to: stored)
      }
    }
    let records = work.records
    if merge(found, requests, into: &work, complete: &complete, names: try names()) {
      knownNames = nil
      complete = []
      work.records = records
      _ = merge(found, requests, into: &work, complete: &complete, names: try names())
    }
    var batch = RecordBatch(removedKeys: selected.removed.map(\.text))
    for (before, after) in zip(stored, found).dropFirst(requests.count) {
      if let after, after != before { batch.records.append(after) }
    }
    return batch
  }

  /// - Returns: whether there are unknown names.
  private func merge(
    _ found: [StoredRecord?], _ requests: [RecordRequest], into work: inout Work,
    complete: inout [RecordReference], names: RecordNames
  ) -> Bool {
    var decoder = decoder(version: work.version, names: names)
    for (request, stored) in zip(requests, found) {
      guard case .record(let record) = request.content else { continue }
      let change = stored.flatMap { stored in
        work.records.merge(
          stored.value, ofType: stored.type, into: record,
          except: work.changes.removedFields[record] ?? [], version: work.version, with: &decoder)
      }
      if change == nil, stored == nil || decoder.changes.isEmpty { complete.append(record) }
    }
    return decoder.hasMetUnknownName
  }

  /// The records of which the storage may have more: entities, and embedded objects of the root.
  private func requests(of work: Work) -> [RecordRequest] {
    var requests: [RecordRequest] = []
    for record in work.changes.records where !work.loaded.records.contains(record) {
      requests.append(RecordRequest(record, work.records, catalog))
    }
    let root = RootType.query.reference
    for field in work.changes.fields where !work.loaded.fields.contains(field) {
      let cell = work.records.cell(root, catalog.rootPlace(field))
      guard cell.kind == .embedded else { continue }
      let key = catalog.storedKey(ofRootField: field)
      requests.append(RecordRequest(key: key, content: .record(root)))
    }
    return requests
  }
}
