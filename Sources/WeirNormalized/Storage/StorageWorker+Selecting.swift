import Weir

/// The records in the storage that removals and invalidations by name concern.
struct SelectedKeys {
  var removed: Set<ExactString> = []
  var stale: Set<ExactString> = []
  /// Entities of which only a field is named.
  var fields: [ExactString: [StorageChange]] = [:]

  var isEmpty: Bool { removed.isEmpty && stale.isEmpty && fields.isEmpty }

  /// The records that stay, but not as they are.
  var changed: Set<ExactString> { stale.union(fields.keys).subtracting(removed) }
}

extension StorageWorker {
  mutating func select(
    _ work: Work
  ) throws(StorageError) -> SelectedKeys {
    var selected = SelectedKeys()
    for selection in work.changes.selections {
      if case .stored(let field) = selection.content {
        let fields = learned?.withHolders(of: [field], catalog) ?? [field]
        for field in fields { try selectStored(field, of: work, &selected) }
        continue
      }
      var keys = Set(try self.keys(selection.content).map(ExactString.init))
      if selection.isInvalidation, case .type(let name) = selection.content {
        keys.formUnion(try dormantKeys().map(ExactString.init))
        // Embedded objects have no key of their own, and a list of the type may be empty.
        for field in learned?.fields(holding: name, catalog) ?? [] {
          try selectStored(field, of: work, &selected)
        }
      }
      if case .field(_, let entity, _) = selection.content, entity != .query {
        for key in keys { selected.fields[key, default: []].append(selection) }
      } else if selection.isInvalidation {
        selected.stale.formUnion(keys.subtracting(selected.removed))
      } else {
        selected.removed.formUnion(keys)
        selected.stale.subtract(keys)
      }
    }
    return selected
  }

  /// The records of partitions that no store has opened, so that nobody else invalidates them. All
  /// of them become stale, because only the partition's own store knows which lists contain a type.
  private func dormantKeys() throws(StorageError) -> [String] {
    guard link.parent == nil else { return [] }
    let open = link.partitionLinks.withLock { $0.compactMap(\.link?.partition?.knownPrefix) }
    return try storage.keys(in: .prefix(StoredKey.partitionPrefix)).filter { key in
      !open.contains { key.utf8.starts(with: $0.utf8) }
    }
  }

  /// A field becomes stale in all records of which memory does not have it.
  private mutating func selectStored(
    _ field: ListFields.Field, of work: Work, _ selected: inout SelectedKeys
  ) throws(StorageError) {
    let selection = StorageChange(content: .stored(field), isInvalidation: true)
    for key in try keys(selection.content)
    where !work.hasAll(of: key, field, catalog) {
      if field.table == RootType.query.table {
        selected.stale.insert(ExactString(key))
      } else {
        selected.fields[ExactString(key), default: []].append(selection)
      }
    }
  }

  /// Applies removals and invalidations to a stored record; nil if it is removed.
  mutating func apply(
    _ selected: SelectedKeys, to stored: StoredRecord
  ) throws(StorageError) -> StoredRecord? {
    let key = ExactString(stored.key)
    if selected.removed.contains(key) { return nil }
    var stored = stored
    for selection in selected.fields[key] ?? [] { try apply(selection, to: &stored) }
    if selected.stale.contains(key) { stored.markAsStale() }
    return stored
  }

  /// Removes one field of a record that memory may not have, or marks it as stale.
  private mutating func apply(
    _ selection: StorageChange, to stored: inout StoredRecord
  ) throws(StorageError) {
    let name: String
    var arguments: JSONValue?
    switch selection.content {
    case .field(let field, _, let given): (name, arguments) = (field, given)
    case .stored(let field): name = field.name
    default: return
    }
    var records = RecordState(seed: 0)
    var decoder = decoder(version: 1, names: try names())
    guard let table = decoder.type(stored.type)?.table else { return }
    let record = records.findOrMake(table: table, id: "", version: 1)
    let change = records.merge(
      stored.value, ofType: stored.type, into: record, except: [], version: 1, with: &decoder)
    guard change != nil else { return }
    let places = records.places(of: record, named: name, arguments, catalog)
    if places.isEmpty { return }
    for place in places {
      if selection.isInvalidation {
        records[record].ages.set(0, record.rowInChunk, place.field)
      } else {
        records.removeField(place, of: record) { _ in }
      }
    }
    stored.value = try encoding(records) { $0.value { $0.append(record) } }
  }

  func keys(
    _ selection: StoreSelection.Content
  ) throws(StorageError) -> [String] {
    switch selection {
    case .entity(.query):
      return try storage.keys(in: .prefix(StoredKey.rootPrefix))
    case .entity(let entity):
      return [StoredKey.text(of: entity)]
    case .field(let name, let entity, let arguments):
      guard entity == .query else { return [StoredKey.text(of: entity)] }
      let prefix = StoredKey.text(ofRootField: name)
      return try storage.keys(in: .prefix(prefix)).filter { key in
        guard case .rootField(let storageKey) = StoredKey.meaning(of: key) else { return false }
        return FieldArguments.isVariant(storageKey, of: name, arguments: arguments)
      }
    case .type(let name):
      let isRoot = catalog.knownType(named: name) == RootType.query.type
      let number = try storage.register([isRoot ? GraphQLOperation.Kind.query.typename : name])
      return try number.first.map { number throws(StorageError) in
        try storage.keys(in: .type(number)).filter { key in
          // An ordinary type may have the usual name of the root.
          switch StoredKey.meaning(of: key) {
          case .rootField: isRoot
          case .entity: !isRoot
          case nil: false
          }
        }
      } ?? []
    case .prefix(let prefix):
      var keys = try storage.keys(in: .prefix(prefix))
      // In keys, the names of key spaces are escaped from the first such character on.
      let plain = prefix.utf8.prefix { $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: "%") }
      if plain.count < prefix.utf8.count {
        keys += try storage.keys(in: .prefix(String(decoding: plain, as: UTF8.self) + "%"))
      }
      return keys.filter { key in
        guard case .entity(let entity) = StoredKey.meaning(of: key) else { return false }
        return entity.description.utf8.starts(with: prefix.utf8)
      }
    case .stored(let field):
      if field.table == RootType.query.table {
        return try keys(.field(field.name, .query, arguments: nil))
      }
      let prefix = StoredKey.prefix(ofSpace: catalog.tableName(field.table))
      return try storage.keys(in: .prefix(prefix))
    }
  }
}

extension StorageWorker.Work {
  /// Whether an entity is written or removed as a whole, whatever the storage has of it.
  func writesAll(of key: String, _ catalog: Catalog) -> Bool {
    guard case .entity(let entity) = StoredKey.meaning(of: key),
      let record = records.record(of: entity, catalog)
    else { return false }
    return changes.records.contains(record) && loaded.records.contains(record)
  }

  /// Whether memory has all variants of a field that the storage may have under a key.
  fileprivate func hasAll(of key: String, _ field: ListFields.Field, _ catalog: Catalog) -> Bool {
    switch StoredKey.meaning(of: key) {
    case .rootField(let storageKey):
      let field = catalog.field(storageKey, name: field.name)
      let root = RootType.query.reference
      return loaded.fields.contains(field)
        || !records.cell(root, catalog.place(field, table: root.table)).isAbsent
    case .entity(let entity):
      return records.record(of: entity, catalog).map { loaded.records.contains($0) } ?? false
    case nil: return true
    }
  }
}

// MARK: - The budget

extension StorageWorker {
  /// If the storage exceeds its budget, removes what was not used for the longest time, in small steps.
  mutating func collect() throws(StorageError) {
    if let parent = link.parent {
      return try parent.withWorker { (worker) throws(StorageError) in try worker.collect() }
    }
    guard let limit = link.configuration.maximumStoredBytes else { return }
    let bytes = try storage.size().bytes
    guard bytes > limit else { return nextCollection = 0 }
    nextCollection = min(nextCollection, bytes + limit / 8)
    guard bytes >= nextCollection else { return }
    try collect(toBytes: limit - limit / 8)
    let rest = try storage.size().bytes
    nextCollection = rest > limit ? rest + limit / 8 : 0
  }

  /// Removes an eighth of what is stored, because the storage has no room for a commit.
  ///
  /// - Returns: whether something was removed.
  func makeRoom() throws(StorageError) -> Bool {
    if let parent = link.parent {
      return try parent.withWorker { (worker) throws(StorageError) in try worker.makeRoom() }
    }
    guard let limit = link.configuration.maximumStoredBytes else { return false }
    let bytes = min(limit, try storage.size().bytes)
    try collect(toBytes: bytes - bytes / 8)
    return try storage.size().bytes < bytes
  }

  /// Where partitions that have records keep what they have learned, which must not go before their lists.
  /// Without records it is useless, and a server may have a partition for each token.
  private func learnedKeys() throws(StorageError) -> Set<String> {
    var learned: Set<String> = []
    for key in try storage.keys(in: .prefix(StoredKey.partitionPrefix)) {
      guard let end = key.utf8.firstIndex(of: UInt8(ascii: ":")) else { continue }
      let own = key[...end] + LearnedNames.key
      if key != own { learned.insert(String(own)) }
    }
    return learned
  }

  private func collect(toBytes goal: Int) throws(StorageError) {
    var (keys, used) = state.withLock { $0.storedKeys() }
    keys.insert(StoredKey.salt)
    keys.formUnion(try learnedKeys())
    for part in link.partitionLinks.withLock({ $0.compactMap(\.link) }) {
      guard let prefix = part.partition?.knownPrefix else { continue }
      let found = part.state.withLock { $0.storedKeys() }
      keys.formUnion(found.kept.map { prefix + $0 })
      used.formUnion(found.used.map { prefix + $0 })
    }
    noteUses(Array(used))
    while try storage.size().bytes > goal {
      let removed = try storage.collect(toBytes: goal, keeping: keys, atMost: 500)
      if removed.isEmpty { return }
    }
  }

  /// To the storage, a look-up is a use. It knows nothing of the reads that memory has answered.
  private func noteUses(_ keys: [String]) {
    for start in stride(from: 0, to: keys.count, by: 500) {
      // If that fails, the order is only less exact.
      guard (try? storage.load(Array(keys[start...].prefix(500)))) != nil else { return }
    }
  }
}

extension StoreState {
  /// The keys of the records that must stay in the storage, and of those that were used since the last call.
  fileprivate mutating func storedKeys() -> (kept: Set<String>, used: Set<String>) {
    let kept = RecordCollection(&self).storedKeys(records)
    return (kept, RecordCollection(shownBy: results.takeUsed(), self).storedKeys(records))
  }
}
