/// One level of a selection that is loaded.
struct LoadRound {
  var requests: [RecordRequest]
  /// Lists of which all pages are requested.
  var lists: Set<FieldID> = []
  var next = LoadWalk.Places()
  let generation: Int
  /// Whether unknown names are accepted as unknown.
  var isLastTry = false
}

extension LoadRound {
  /// Finds the part of a selection that memory lacks and that was not requested yet; nil if there is none.
  /// Entities to which only optimistic results lead come last.
  init?(
    _ places: LoadWalk.Places, of target: ReadTarget, _ bindings: Bindings, _ state: GuardedState
  ) {
    let snapshot = state.withLock { state in
      target.session >= state.session
        ? state.storage.map { (state.records, state.layers.shown, $0.loaded, $0.rowGeneration) }
        : nil
    }
    guard let (records, shown, loaded, generation) = snapshot, !places.isEmpty,
      loaded.coverage != .all
    else { return nil }
    let catalog = state.catalog
    self.generation = generation
    var walk = LoadWalk(catalog: catalog, records: records, loaded: loaded, bindings: bindings)
    walk.visit(places)
    if walk.missing.isEmpty {
      guard let shown else { return nil }
      next = LoadWalk.Places(target, bindings.plan)
      walk = LoadWalk(
        catalog: catalog, records: shown, loaded: loaded.withoutRecords, bindings: bindings)
      walk.visit(next)
      requests = walk.entities.compactMap { RecordRequest($0, beside: records, loaded, catalog) }
      if requests.isEmpty { return nil }
      return
    }
    requests = walk.missing.records.map { RecordRequest($0, records, catalog) }
    requests += walk.missing.entities.map { RecordRequest($0) }
    requests += walk.missing.fields.map { RecordRequest($0, catalog) }
    lists = walk.missing.lists
    next = walk.next
  }
}

extension StorageWorker {
  /// Brings into memory what a selection needs and the storage has.
  mutating func load(_ target: ReadTarget) throws(StorageError) {
    do throws(StorageError) {
      try loadLevels(of: target)
    } catch {
      link.noteMissed()
      state.withLock { state in
        state.storage?.loaded.mayLackNotes = true
        state.storage?.isUnreadable = true
      }
      throw error
    }
  }

  private mutating func loadLevels(of target: ReadTarget) throws(StorageError) {
    listen()
    try catchUp()
    try learn()
    let bindings = target.bindings(catalog)
    let beginning = LoadWalk.Places(target, bindings.plan)
    var places = beginning
    var hasReadNames = false
    while var round = try round(from: places, target, bindings) {
      round.isLastTry = hasReadNames
      let found = try storage.load(round.requests.map(\.key))
      let isTaken = try take(found, round)
      // A requested record may have been removed meanwhile, or its row given to another record.
      places = isTaken ? round.next : beginning
      if knownNames == nil { hasReadNames = true }
    }
  }

  private mutating func round(
    from places: LoadWalk.Places, _ target: ReadTarget, _ bindings: Bindings
  ) throws(StorageError) -> LoadRound? {
    try saveRemovals()
    guard var round = LoadRound(places, of: target, bindings, state) else { return nil }
    for list in round.lists {
      let prefix = StoredKey.text(ofRootField: catalog.info(list).storageKey + "(")
      let keys = try storage.keys(in: .prefix(prefix))
      round.requests += rootFields(keys, named: catalog.info(list).name)
    }
    return round
  }

  private func rootFields(_ keys: [String], named name: String) -> [RecordRequest] {
    keys.compactMap { key in
      guard case .rootField(let storageKey) = StoredKey.meaning(of: key) else { return nil }
      return RecordRequest(key: key, content: .field(catalog.field(storageKey, name: name)))
    }
  }

  /// Brings those lists of the query's root into memory that a mutation may have to change.
  mutating func loadLists() throws(StorageError) {
    try prepareRead()
    let (lists, generation) = state.withLock { state in
      state.storage?.hasLists = true
      return (state.listFields.all, state.storage?.rowGeneration)
    }
    guard let generation else { return }
    var isLoaded = false
    defer { if !isLoaded { state.withLock { $0.storage?.hasLists = false } } }
    let fields = learned?.withHolders(of: lists, catalog) ?? lists
    var requests: [RecordRequest] = []
    for name in Set(fields.filter { $0.table == RootType.query.table }.map(\.name)) {
      let keys = try self.keys(.field(name, .query, arguments: nil))
      requests += rootFields(keys, named: name)
    }
    isLoaded = try load(LoadRound(requests: requests, generation: generation))
  }

  /// Brings entities into memory.
  mutating func load(_ entities: Set<Entity>) throws(StorageError) {
    try prepareRead()
    try load(entities.map { RecordRequest($0) })
  }

  /// Brings everything into memory that the storage has, as long as there is room.
  mutating func loadAll() throws(StorageError) {
    try prepareRead()
    state.withLock { $0.storage?.loaded.coverage = .growing }
    var keys = try storage.keys(in: .all)
    // Every query begins at the root: if there is no room for all, its fields matter most.
    _ = keys.partition { !$0.utf8.starts(with: StoredKey.rootPrefix.utf8) }
    var rest = keys[...]
    while !rest.isEmpty {
      guard state.withLock({ $0.size.total < $0.size.limit }) else { return }
      try load(rest.prefix(Self.batch).compactMap { RecordRequest(key: $0, catalog) })
      rest = rest.dropFirst(Self.batch)
    }
    state.withLock { state in
      guard state.storage?.loaded.coverage == .growing else { return }
      state.storage?.loaded.coverage = .all
      // Until something changes, nothing needs to be requested and noted.
      state.storage?.loaded.mayLackNotes = true
    }
  }

  /// How many records are loaded under one lock.
  private static let batch = 500

  /// Loads what leads to nothing else, until nothing was removed meanwhile.
  private mutating func load(_ requests: [RecordRequest]) throws(StorageError) {
    while let generation = state.withLock({ $0.storage?.rowGeneration }) {
      if try load(LoadRound(requests: requests, generation: generation)) { return }
      try saveRemovals()
    }
  }

  /// Loads what leads to nothing else.
  ///
  /// - Returns: false if so much has changed meanwhile that it has to be requested again.
  private mutating func load(_ round: LoadRound) throws(StorageError) -> Bool {
    var round = round
    let found = try storage.load(round.requests.map(\.key))
    if try take(found, round) { return true }
    round.isLastTry = true
    return try take(found, round)
  }

  /// Adds what was found to memory.
  ///
  /// - Returns: false if so much has changed meanwhile that it has to be requested again.
  private mutating func take(
    _ found: [StoredRecord?], _ round: LoadRound
  ) throws(StorageError) -> Bool {
    let (names, worker) = (try names(), self)
    let (isTaken, hasUnknownNames) = state.withLock { state -> (Bool, Bool) in
      guard state.storage?.rowGeneration == round.generation,
        state.storage?.unsaved.removesWhatIsStored == false
      else { return (false, false) }
      var decoder = worker.decoder(version: state.nextVersion(), names: names)
      var changes = ChangeSet()
      var hasUnknownNames = false
      for (request, stored) in zip(round.requests, found) {
        decoder.hasMetUnknownName = false
        state.take(stored, for: request, with: &decoder, &changes)
        guard decoder.hasMetUnknownName, !round.isLastTry else { continue }
        hasUnknownNames = true
        state.storage?.loaded.remove(request.content)
      }
      state.passVersion(decoder.latestOrder)
      for list in round.lists { state.storage?.loaded.insert(list: list) }
      state.noteLoaded(changes)
      return (true, hasUnknownNames)
    }
    if hasUnknownNames { knownNames = nil }
    return isTaken && !hasUnknownNames
  }
}
