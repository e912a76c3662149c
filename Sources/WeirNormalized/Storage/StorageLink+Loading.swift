import Weir

/// Something to ask a storage for.
struct LookUp {
  let key: String
  let content: Content

  enum Content {
    case record(RecordReference)
    indirect case entity(Entity)
    case field(FieldID)
  }
}

extension StorageLink {
  /// Brings into memory what a selection needs and the storage has.
  func load(
    _ target: ReadTarget, _ access: inout StorageThread.Access, _ aftermath: inout Aftermath
  ) throws(StorageError) {
    listen(&access)
    try learn(&access)
    let bindings = target.bindings(catalog)
    let beginning = LoadWalk.Places(target, bindings.plan)
    var places = beginning
    var hasReadNames = false
    while var round = try round(from: places, target, bindings, &access) {
      round.isLastTry = hasReadNames
      let found = try access.storage.load(round.lookUps.map(\.key))
      let isTaken = try take(found, round, &access, &aftermath)
      // What was looked up may have been removed meanwhile, or its row given to another record.
      places = isTaken ? round.next : beginning
      if access.names == nil { hasReadNames = true }
    }
  }

  /// What memory lacks of a selection and the storage was not asked for; nil if there is nothing.
  func lacking(_ target: ReadTarget) -> Round? {
    let bindings = target.bindings(catalog)
    return walk(from: LoadWalk.Places(target, bindings.plan), target, bindings)
  }

  /// One level of a selection.
  struct Round {
    var lookUps: [LookUp]
    let lists: Set<FieldID>
    let next: LoadWalk.Places
    let generation: Int
    /// Whether names that are not known now count as not known.
    var isLastTry = false
  }

  /// What to ask for next; nil if there is nothing.
  private func round(
    from places: LoadWalk.Places, _ target: ReadTarget, _ bindings: Bindings,
    _ access: inout StorageThread.Access
  ) throws(StorageError) -> Round? {
    try saveRemovals(&access)
    guard !places.isEmpty, var round = walk(from: places, target, bindings) else { return nil }
    for list in round.lists {
      let prefix = StoredKey.text(ofRootField: catalog.info(list).storageKey + "(")
      for key in try access.storage.keys(in: .prefix(prefix)) {
        guard case .rootField(let storageKey) = StoredKey.meaning(of: key) else { continue }
        let name = catalog.info(list).name
        round.lookUps.append(
          LookUp(key: key, content: .field(catalog.field(storageKey, name: name))))
      }
    }
    return round
  }

  private func walk(
    from places: LoadWalk.Places, _ target: ReadTarget, _ bindings: Bindings
  ) -> Round? {
    let snapshot = state.withLock { state in
      target.session >= state.session ? state.storage.map { (state.records, $0) } : nil
    }
    guard let (records, storage) = snapshot else { return nil }
    var walk = LoadWalk(records, storage.lookedUp, catalog: catalog, bindings: bindings)
    walk.visit(places)
    if walk.wanted.isEmpty { return nil }
    return Round(
      lookUps: lookUps(walk.wanted, records), lists: walk.wanted.lists, next: walk.next,
      generation: storage.rowGeneration)
  }

  private func lookUps(_ wanted: LookUps, _ records: RecordState) -> [LookUp] {
    var prefixes = SpacePrefixes(catalog)
    var lookUps: [LookUp] = []
    lookUps.reserveCapacity(wanted.records.count)
    for record in wanted.records {
      let key = records.storedKey(of: record, spacePrefix: prefixes[record.table])
      lookUps.append(LookUp(key: key, content: .record(record)))
    }
    lookUps += wanted.entities.map {
      LookUp(key: StoredKey.text(of: $0), content: .entity($0))
    }
    lookUps += wanted.fields.map {
      LookUp(
        key: StoredKey.text(ofRootField: catalog.info($0).storageKey), content: .field($0))
    }
    return lookUps
  }
}

// MARK: - Taking over

extension StorageLink {
  /// Puts what was found beside what memory has.
  ///
  /// - Returns: false if so much has happened meanwhile that it has to be asked for again.
  func take(
    _ found: [StoredRecord?], _ round: Round, _ access: inout StorageThread.Access,
    _ aftermath: inout Aftermath
  ) throws(StorageError) -> Bool {
    let names = try names(&access)
    let (isTaken, hasUnknownNames) = state.withLock { state -> (Bool, Bool) in
      guard state.storage?.rowGeneration == round.generation,
        state.storage?.unsaved.removesWhatIsStored == false
      else { return (false, false) }
      var decoder = RecordDecoder(
        catalog: catalog, epoch: epoch, version: state.nextVersion(), names: names)
      var changes = ChangeSet()
      var hasUnknownNames = false
      for (lookUp, stored) in zip(round.lookUps, found) {
        decoder.hasMetUnknownName = false
        state.take(stored, for: lookUp, with: &decoder, &changes)
        guard decoder.hasMetUnknownName, !round.isLastTry else { continue }
        hasUnknownNames = true
        state.storage?.lookedUp.remove(lookUp.content)
      }
      state.passVersion(decoder.latestOrder)
      for list in round.lists { state.storage?.lookedUp.lists.insert(list) }
      state.noteLoaded(changes, catalog: catalog, &aftermath)
      return (true, hasUnknownNames)
    }
    // Another store has registered them since ours were read.
    if hasUnknownNames { access.names = nil }
    return isTaken && !hasUnknownNames
  }
}
