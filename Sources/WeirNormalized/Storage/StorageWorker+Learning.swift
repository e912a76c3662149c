extension StorageWorker {
  /// Takes over once what earlier runs have learned of the API.
  mutating func learn() throws(StorageError) {
    guard learned == nil,
      state.withLock({ $0.storage?.unsaved.removesAll == false })
    else { return }
    let found = try storedNames()
    if found == nil, try !keys(.entity(.query)).isEmpty {
      // It was lost, so nobody knows which fields are lists that a mutation may have changed.
      let all = StorageChange(content: .selection(.entity(.query)), isInvalidation: true)
      state.withLock { $0.noteUnsaved([all]) }
    }
    let learned = found ?? LearnedNames()
    catalog.learn(learned)
    state.withLock { state in
      let count = state.listFields.count
      state.listFields.learn(learned.lists, state.catalog)
      // A transaction that runs would put the lists back that it began with.
      if state.listFields.count != count { state.writeCount += 1 }
    }
    self.learned = learned
  }

  private func storedNames() throws(StorageError) -> LearnedNames? {
    let stored = try storage.load([LearnedNames.key]).first ?? nil
    return stored.flatMap { LearnedNames($0.value) }
  }

  /// Saves what was learned, if it may be more than the storage has.
  ///
  /// - Returns: what the storage has then.
  func addLearned(
    to batch: inout RecordBatch, holders: Set<LearnedNames.List>
  ) throws(StorageError) -> LearnedNames? {
    let lists = state.withLock { $0.listFields }
    let version = (conditions: catalog.conditionsVersion, lists: lists.count)
    if let learned, let known = learned.version, known == version,
      holders.isSubset(of: learned.holders)
    {
      return learned
    }
    var all = catalog.learned
    all.lists = lists.learned(catalog)
    all.holders = holders
    if let learned { all.formUnion(learned) }
    // Another process may have added something since; this is rare enough to look again.
    if let others = try storedNames() { all.formUnion(others) }
    all.version = version
    // No name has the number 0: the record has no type.
    batch.records.append(StoredRecord(key: LearnedNames.key, type: 0, value: all.value))
    return all
  }
}
