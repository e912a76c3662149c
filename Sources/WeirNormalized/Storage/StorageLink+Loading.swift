import Weir

/// Something to ask a storage for.
struct LookUp {
  let key: String
  let content: Content

  enum Content {
    case record(RecordReference)
    case entity(Entity)
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
    let plan = target.plan(catalog)
    let bindings = Bindings(plan: plan, catalog: catalog, variables: target.variables)
    let start: LoadWalk.Place.Origin =
      switch target.origin {
      case .root(let root): .record(root.reference)
      case .entity(let entity): .entity(entity)
      }
    let beginning = [LoadWalk.Place(origin: start, node: plan.root)]
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

  /// One level of a selection.
  struct Round {
    var lookUps: [LookUp]
    let lists: Set<FieldID>
    let next: [LoadWalk.Place]
    let generation: Int
    /// Whether names that are not known now count as not known.
    var isLastTry = false
  }

  /// What to ask for next; nil if there is nothing.
  private func round(
    from places: [LoadWalk.Place], _ target: ReadTarget, _ bindings: Bindings,
    _ access: inout StorageThread.Access
  ) throws(StorageError) -> Round? {
    // What is to be removed must not be found.
    if state.withLock({ $0.storage?.unsaved.removesWhatIsStored == true }) { try save(&access) }
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
    from places: [LoadWalk.Place], _ target: ReadTarget, _ bindings: Bindings
  ) -> Round? {
    let snapshot = state.withLock { state in
      target.session >= state.session ? state.storage.map { (state.records, $0) } : nil
    }
    guard let (records, storage) = snapshot else { return nil }
    var walk = LoadWalk(records, storage.lookedUp, catalog: catalog, bindings: bindings)
    for place in places { walk.visit(place) }
    if walk.wanted.isEmpty { return nil }
    return Round(
      lookUps: lookUps(walk.wanted, records), lists: walk.wanted.lists, next: walk.next,
      generation: storage.rowGeneration)
  }

  private func lookUps(_ wanted: LookUps, _ records: RecordState) -> [LookUp] {
    var prefixes = SpacePrefixes(catalog)
    var lookUps = wanted.records.map { record in
      LookUp(
        key: records.storedKey(of: record, spacePrefix: prefixes[record.table]),
        content: .record(record))
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
    let epoch = epoch()
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
      for list in round.lists { state.storage?.lookedUp.lists.insert(list) }
      state.noteLoaded(changes, catalog: catalog, &aftermath)
      return (true, hasUnknownNames)
    }
    // Another store has registered them since ours were read.
    if hasUnknownNames { access.names = nil }
    return isTaken && !hasUnknownNames
  }
}

extension StoreState {
  mutating func take(
    _ stored: StoredRecord?, for lookUp: LookUp, with decoder: inout RecordDecoder,
    _ changes: inout ChangeSet
  ) {
    switch lookUp.content {
    case .field(let field):
      guard storage?.lookedUp.fields.contains(field) == false else { return }
      storage?.lookedUp.insert(field)
      guard let stored else { return }
      take(stored, into: RootType.query.reference, with: &decoder, &changes)
    case .record(let record):
      guard storage?.lookedUp.records.contains(record) == false else { return }
      take(stored, of: record, with: &decoder, &changes)
    case .entity(let entity):
      guard stored != nil else {
        storage?.lookedUp.insert(entity)
        return
      }
      guard let table = decoder.catalog.tableOrNew(named: entity.typename) else { return }
      var id = entity.id
      let record = id.withUTF8 {
        records.findOrMake(table: table, key: $0, version: lastVersion)
      }
      guard storage?.lookedUp.records.contains(record) == false else { return }
      take(stored, of: record, with: &decoder, &changes)
    }
  }

  private mutating func take(
    _ stored: StoredRecord?, of record: RecordReference, with decoder: inout RecordDecoder,
    _ changes: inout ChangeSet
  ) {
    storage?.lookedUp.records.insert(record)
    let removed = storage?.unsaved.removedFields[record] ?? []
    guard let stored else { return }
    take(stored, into: record, except: removed, with: &decoder, &changes)
  }

  private mutating func take(
    _ stored: StoredRecord, into record: RecordReference, except removed: Set<FieldID> = [],
    with decoder: inout RecordDecoder, _ changes: inout ChangeSet
  ) {
    guard
      let change = records.merge(
        stored, into: record, except: removed, version: lastVersion, with: &decoder)
    else { return }
    for place in decoder.lists { noteList(at: place, of: record, decoder.catalog) }
    changes.changes += decoder.changes
    changes.changes.append(change)
  }

  private mutating func noteList(
    at place: FieldPlace, of record: RecordReference, _ catalog: Catalog
  ) {
    let cell = records.cell(record, place)
    let field = ListFields.Field(table: record.table, name: catalog.info(place.field).name)
    listFields.note(field, records[record].lists[cell.list], records, catalog)
  }

  /// Records have come from the storage; it is news if they are not what they were.
  mutating func noteLoaded(
    _ changes: ChangeSet, isNews: Bool = false, catalog: Catalog, _ aftermath: inout Aftermath
  ) {
    guard !changes.isEmpty else { return }
    writeCount += 1
    size.count(changes, in: records)
    for change in changes.changes where change.record == RootType.query.reference {
      for field in change.fields { size.rootUses[field] = lastVersion }
    }
    if layers.isEmpty {
      noteChanges(changes, isLoad: !isNews, catalog: catalog, &aftermath)
    } else {
      layers.note(changes)
      aftermath.isBelowLayers = true
    }
  }
}

extension RecordState {
  /// Puts what a storage has of a record beside what is there.
  ///
  /// - Returns: what has become different; nil if nothing, or if the value cannot be read.
  mutating func merge(
    _ stored: StoredRecord, into record: RecordReference, except removed: Set<FieldID>,
    version: UInt64, with decoder: inout RecordDecoder
  ) -> ChangeSet.Change? {
    let isRoot = record.table <= RootType.subscription.rawValue
    let type: TypeID
    if isRoot {
      type = RootType.query.type
    } else {
      guard let known = decoder.type(stored.type),
        decoder.catalog.table(of: known) == record.table
      else { return nil }
      type = known
    }
    guard StoredValue.isReadable(stored.value) else { return nil }
    let isNew = header(record).type == .removed
    decoder.begin(stored.value, at: StoredValue.headerLength)
    do {
      var change = try decoder.read(into: record, &self, replaces: false, except: removed)
      guard isNew || change.slots != 0 || !change.fields.isEmpty else { return nil }
      if stored.value[1] & StoredValue.stale != 0 {
        for place in change.places(in: record.table, decoder.catalog) {
          self[record].ages.set(0, record.rowInChunk, place.field)
        }
      }
      change.isNew = isNew
      setHeader(version, isNew || isRoot ? type : header(record).type, of: record)
      return change
    } catch {
      if isNew { removeFields(of: record) { _ in } }
      return nil
    }
  }

  private mutating func setHeader(_ version: UInt64, _ type: TypeID, of record: RecordReference) {
    self[record].setHeader(RowHeader(version: version, type: type), of: record.rowInChunk)
  }
}
