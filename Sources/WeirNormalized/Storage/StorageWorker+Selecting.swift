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
    for change in work.changes.selections {
      switch change.content {
      case .selection(let content): try select(content, of: change, work, &selected)
      case .stored(let field):
        let fields = learned?.withHolders(of: [field], catalog) ?? [field]
        for field in fields { try selectStored(field, of: work, &selected) }
      }
    }
    return selected
  }

  private mutating func select(
    _ content: StoreSelection.Content, of change: StorageChange, _ work: Work,
    _ selected: inout SelectedKeys
  ) throws(StorageError) {
    var keys = Set(try self.keys(content).map(ExactString.init))
    if change.isInvalidation, case .type(let name) = content {
      keys.formUnion(try dormantKeys().map(ExactString.init))
      // Embedded objects have no key of their own, and a list of the type may be empty.
      for field in learned?.fields(holding: name, catalog) ?? [] {
        try selectStored(field, of: work, &selected)
      }
    }
    if case .field(_, let entity, _) = content, entity != .query {
      for key in keys { selected.fields[key, default: []].append(change) }
    } else if change.isInvalidation {
      selected.stale.formUnion(keys.subtracting(selected.removed))
    } else {
      selected.removed.formUnion(keys)
      selected.stale.subtract(keys)
    }
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
    let change = StorageChange(content: .stored(field), isInvalidation: true)
    for key in try keys(ofRecordsWith: field) where !work.hasAll(of: key, field, catalog) {
      if field.table == RootType.query.table {
        selected.stale.insert(ExactString(key))
      } else {
        selected.fields[ExactString(key), default: []].append(change)
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
    for change in selected.fields[key] ?? [] { try apply(change, to: &stored) }
    if selected.stale.contains(key) { stored.markAsStale() }
    return stored
  }

  /// Removes one field of a record that memory may not have, or marks it as stale.
  private mutating func apply(
    _ change: StorageChange, to stored: inout StoredRecord
  ) throws(StorageError) {
    let name: String
    var arguments: JSONValue?
    switch change.content {
    case .selection(.field(let field, _, let given)): (name, arguments) = (field, given)
    case .stored(let field): name = field.name
    // They select records as a whole.
    case .selection(.entity), .selection(.type), .selection(.prefix): return
    }
    var records = RecordState(seed: 0)
    var decoder = decoder(version: 1, names: try names())
    guard let table = decoder.type(stored.type)?.table else { return }
    let record = records.findOrMake(table: table, id: "", version: 1)
    let merged = records.merge(
      stored.value, ofType: stored.type, into: record, except: [], version: 1, with: &decoder)
    guard merged != nil else { return }
    let places = records.places(of: record, named: name, arguments, catalog)
    if places.isEmpty { return }
    for place in places {
      if change.isInvalidation {
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
    case .field(let name, .query, let arguments):
      return try keys(ofRootField: name, arguments)
    case .field(_, let entity, _):
      return [StoredKey.text(of: entity)]
    case .type(let name):
      return try keys(ofType: name)
    case .prefix(let prefix):
      return try keys(ofEntitiesWith: prefix)
    }
  }

  private func keys(ofRecordsWith field: ListFields.Field) throws(StorageError) -> [String] {
    if field.table == RootType.query.table { return try keys(ofRootField: field.name, nil) }
    let prefix = StoredKey.prefix(ofSpace: catalog.tableName(field.table))
    return try storage.keys(in: .prefix(prefix))
  }

  private func keys(
    ofRootField name: String, _ arguments: JSONValue?
  ) throws(StorageError) -> [String] {
    let prefix = StoredKey.text(ofRootField: name)
    return try storage.keys(in: .prefix(prefix)).filter { key in
      guard case .rootField(let storageKey) = StoredKey.meaning(of: key) else { return false }
      return FieldArguments.isVariant(storageKey, of: name, arguments: arguments)
    }
  }

  private func keys(ofType name: String) throws(StorageError) -> [String] {
    let isRoot = catalog.knownType(named: name) == RootType.query.type
    let registered = isRoot ? GraphQLOperation.Kind.query.typename : name
    guard let number = try storage.register([registered]).first else { return [] }
    return try storage.keys(in: .type(number)).filter { key in
      // An ordinary type may have the usual name of the root.
      switch StoredKey.meaning(of: key) {
      case .rootField: isRoot
      case .entity: !isRoot
      case nil: false
      }
    }
  }

  private func keys(ofEntitiesWith prefix: String) throws(StorageError) -> [String] {
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
        || !records.cell(root, catalog.rootPlace(field)).isAbsent
    case .entity(let entity):
      return records.record(of: entity, catalog).map { loaded.records.contains($0) } ?? false
    case nil: return true
    }
  }
}
