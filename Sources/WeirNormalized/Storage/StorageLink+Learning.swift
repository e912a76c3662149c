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
    to batch: inout RecordBatch, holders: Set<LearnedNames.List>,
    _ access: inout StorageThread.Access
  ) -> LearnedNames? {
    let lists = state.withLock { $0.listFields }
    let version = LearnedNames.Version(conditions: catalog.conditionsVersion, lists: lists.count)
    if let known = access.learned, known.version == version,
      holders.isSubset(of: known.holders)
    {
      return known
    }
    var learned = catalog.learned
    learned.lists = lists.learned(catalog)
    learned.holders = holders
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
    try saveRemovals(&access)
    let (lists, generation) = state.withLock { state in
      state.storage?.hasLists = true
      return (state.listFields.all, state.storage?.rowGeneration)
    }
    guard let generation else { return }
    let fields = access.learned?.withHolders(of: lists, catalog) ?? lists
    let names = Set(fields.filter { $0.table == RootType.query.rawValue }.map(\.name))
    var lookUps: [LookUp] = []
    for name in names {
      for key in try keys(.field(name, .query, arguments: nil), &access) {
        guard case .rootField(let storageKey) = StoredKey.meaning(of: key) else { continue }
        lookUps.append(
          LookUp(key: key, content: .field(catalog.field(storageKey, name: name))))
      }
    }
    if try take(lookUps, generation, &access, &aftermath) { return }
    state.withLock { $0.storage?.hasLists = false }
  }

  /// Brings entities into memory.
  func load(
    _ entities: Set<Entity>, _ access: inout StorageThread.Access, _ aftermath: inout Aftermath
  ) throws(StorageError) {
    listen(&access)
    try learn(&access)
    try saveRemovals(&access)
    guard let generation = state.withLock({ $0.storage?.rowGeneration }) else { return }
    let lookUps = entities.map { LookUp(key: StoredKey.text(of: $0), content: .entity($0)) }
    _ = try take(lookUps, generation, &access, &aftermath)
  }

  /// Looks something up that leads to nothing else.
  private func take(
    _ lookUps: [LookUp], _ generation: Int, _ access: inout StorageThread.Access,
    _ aftermath: inout Aftermath
  ) throws(StorageError) -> Bool {
    var round = Round(lookUps: lookUps, lists: [], next: LoadWalk.Places(), generation: generation)
    let found = try access.storage.load(lookUps.map(\.key))
    if try take(found, round, &access, &aftermath) { return true }
    round.isLastTry = true
    return try take(found, round, &access, &aftermath)
  }
}
