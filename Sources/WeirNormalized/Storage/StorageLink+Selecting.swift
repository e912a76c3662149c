import Weir

/// What a transaction's removals and invalidations come to in the storage.
struct SelectedKeys {
  var removed: Set<ExactString> = []
  var stale: Set<ExactString> = []
  /// Of entities of which only a field is named.
  var fields: [ExactString: [StoredSelection]] = [:]

  var isEmpty: Bool { removed.isEmpty && stale.isEmpty && fields.isEmpty }

  /// The records that stay, but not as they are.
  var changed: Set<ExactString> { stale.union(fields.keys).subtracting(removed) }
}

extension StorageLink {
  func select(
    _ work: Work, _ access: inout StorageThread.Access
  ) throws(StorageError) -> SelectedKeys {
    var selected = SelectedKeys()
    for selection in work.changes.selections {
      if case .stored(let field) = selection.content {
        let fields = access.learned?.withHolders(of: [field], catalog) ?? [field]
        for field in fields { try selectStored(field, of: work, &selected, &access) }
        continue
      }
      let keys = Set(try self.keys(selection.content, &access).map(ExactString.init))
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

  /// A field of all owners, as far as memory does not have it, becomes stale.
  private func selectStored(
    _ field: ListFields.Field, of work: Work, _ selected: inout SelectedKeys,
    _ access: inout StorageThread.Access
  ) throws(StorageError) {
    let selection = StoredSelection(.stored(field), isInvalidation: true)
    for key in try keys(selection.content, &access)
    where !work.hasAll(of: key, field, catalog) {
      if field.table == RootType.query.rawValue {
        selected.stale.insert(ExactString(key))
      } else {
        selected.fields[ExactString(key), default: []].append(selection)
      }
    }
  }

  /// What becomes of a stored record; nil if it goes.
  func apply(
    _ selected: SelectedKeys, to stored: StoredRecord, _ access: inout StorageThread.Access
  ) throws(StorageError) -> StoredRecord? {
    let key = ExactString(stored.key)
    if selected.removed.contains(key) { return nil }
    var stored = stored
    for selection in selected.fields[key] ?? [] { try apply(selection, to: &stored, &access) }
    if selected.stale.contains(key) { stored.markAsStale() }
    return stored
  }

  /// Removes or marks one field of a record that memory may not have.
  private func apply(
    _ selection: StoredSelection, to stored: inout StoredRecord,
    _ access: inout StorageThread.Access
  ) throws(StorageError) {
    let name: String
    var arguments: JSONValue?
    switch selection.content {
    case .field(let field, _, let given): (name, arguments) = (field, given)
    case .stored(let field): name = field.name
    default: return
    }
    var records = RecordState(seed: 0)
    var decoder = RecordDecoder(
      catalog: catalog, epoch: epoch, version: 1, names: try names(&access))
    guard let table = decoder.type(stored.type)?.table else { return }
    var id = ""
    let record = id.withUTF8 { records.findOrMake(table: table, key: $0, version: 1) }
    let change = records.merge(
      stored.value, ofType: stored.type, into: record, except: [], version: 1, with: &decoder)
    guard change != nil else { return }
    let places = records.places(of: record, catalog).filter { place in
      FieldArguments.isVariant(
        catalog.info(place.field).storageKey, of: name, arguments: arguments)
    }
    if places.isEmpty { return }
    for place in places {
      if selection.isInvalidation {
        records[record].ages.set(0, record.rowInChunk, place.field)
      } else {
        records.removeField(place, of: record) { _ in }
      }
    }
    stored.value = try encoding(records, &access) { encoder in
      encoder.beginValue()
      encoder.append(record)
      return encoder.take()
    }
  }

  func keys(
    _ selection: StoreSelection.Content, _ access: inout StorageThread.Access
  ) throws(StorageError) -> [String] {
    switch selection {
    case .entity(let entity):
      return [StoredKey.text(of: entity)]
    case .field(let name, let entity, let arguments):
      guard entity == .query else { return [StoredKey.text(of: entity)] }
      let prefix = StoredKey.text(ofRootField: name)
      return try access.storage.keys(in: .prefix(prefix)).filter { key in
        guard case .rootField(let storageKey) = StoredKey.meaning(of: key) else { return false }
        return FieldArguments.isVariant(storageKey, of: name, arguments: arguments)
      }
    case .type(let name):
      let number = try access.storage.register([name])
      return try number.first.map { number throws(StorageError) in
        try access.storage.keys(in: .type(number))
      } ?? []
    case .prefix(let prefix):
      return try access.storage.keys(in: .prefix(prefix)).filter { key in
        if case .entity = StoredKey.meaning(of: key) { true } else { false }
      }
    case .stored(let field):
      if field.table == RootType.query.rawValue {
        return try keys(.field(field.name, .query, arguments: nil), &access)
      }
      let prefix = StoredKey.prefix(ofSpace: catalog.tableName(field.table))
      return try access.storage.keys(in: .prefix(prefix))
    }
  }
}

extension StorageLink.Work {
  /// Whether an entity is written or removed without a look at what the storage has of it.
  func writesAll(of key: String, _ catalog: Catalog) -> Bool {
    guard case .entity(let entity) = StoredKey.meaning(of: key),
      let record = records.record(of: entity, catalog)
    else { return false }
    return changes.records.contains(record) && lookedUp.records.contains(record)
  }

  /// Whether memory has all that the storage may have of a field under a key.
  fileprivate func hasAll(of key: String, _ field: ListFields.Field, _ catalog: Catalog) -> Bool {
    switch StoredKey.meaning(of: key) {
    case .rootField(let storageKey):
      let field = catalog.field(storageKey, name: field.name)
      let root = RootType.query.reference
      return lookedUp.fields.contains(field)
        || !records.cell(root, catalog.place(field, table: root.table)).isAbsent
    case .entity(let entity):
      return records.record(of: entity, catalog).map { lookedUp.records.contains($0) } ?? false
    case nil: return true
    }
  }
}

// MARK: - The budget

extension StorageLink {
  /// Removes what was not used for the longest time, if there is too much, in small steps.
  func collect(_ access: inout StorageThread.Access) throws(StorageError) {
    guard let limit = configuration.maximumStoredBytes,
      try access.storage.size().bytes > limit
    else { return }
    var aftermath = Aftermath()
    let keys = state.withLock { state in
      RecordCollection(&state, catalog: catalog, written: ChangeSet(), &aftermath)
        .storedKeys(state.records)
    }
    aftermath.fire()
    while try access.storage.size().bytes > limit {
      let removed = try access.storage.collect(
        toBytes: limit - limit / 8, keeping: keys, atMost: 500)
      if removed.isEmpty { return }
    }
  }
}
