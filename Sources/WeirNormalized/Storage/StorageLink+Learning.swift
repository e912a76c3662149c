import Weir

extension StorageLink {
  /// Takes over what earlier runs have learned of the API, once.
  func learn(_ access: inout StorageThread.Access) throws(StorageError) {
    guard access.learned == nil,
      state.withLock({ $0.storage?.unsaved.removesAll == false })
    else { return }
    let stored = try access.storage.load([LearnedNames.key]).first ?? nil
    let learned = stored.flatMap { LearnedNames($0.value) } ?? LearnedNames()
    catalog.learn(learned)
    state.withLock { $0.listFields.learn(learned.lists, catalog) }
    access.learned = learned
  }

  /// Saves what was learned, if that may be more than the storage has.
  ///
  /// - Returns: what it has then.
  func addLearned(
    to batch: inout RecordBatch, _ access: inout StorageThread.Access
  ) -> LearnedNames? {
    let lists = state.withLock { $0.listFields }
    let version = LearnedNames.Version(conditions: catalog.conditionsVersion, lists: lists.count)
    guard access.learned?.version != version else { return access.learned }
    var learned = catalog.learned
    learned.lists = lists.learned(catalog)
    if let known = access.learned { learned.formUnion(known) }
    learned.version = version
    // No name has this number: it has no type.
    batch.records.append(StoredRecord(key: LearnedNames.key, type: 0, value: learned.value))
    return learned
  }
}

// MARK: - Lists

extension StorageLink {
  /// Brings those lists of the query's root into memory that a mutation may have to change.
  func loadLists(
    _ access: inout StorageThread.Access, _ aftermath: inout Aftermath
  ) throws(StorageError) {
    listen(&access)
    try learn(&access)
    let (names, generation) = state.withLock { state in
      state.storage?.hasLists = true
      return (state.listFields.names(in: RootType.query.rawValue), state.storage?.rowGeneration)
    }
    guard let generation else { return }
    var lookUps: [LookUp] = []
    for name in names {
      for key in try keys(.field(name, .query, arguments: nil), &access) {
        guard case .rootField(let storageKey) = StoredKey.meaning(of: key) else { continue }
        lookUps.append(
          LookUp(key: key, content: .field(catalog.field(storageKey, name: name))))
      }
    }
    var round = Round(lookUps: lookUps, lists: [], next: LoadWalk.Places(), generation: generation)
    let found = try access.storage.load(lookUps.map(\.key))
    if try take(found, round, &access, &aftermath) { return }
    round.isLastTry = true
    if try take(found, round, &access, &aftermath) { return }
    state.withLock { $0.storage?.hasLists = false }
  }
}
