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
    _ selections: [StoredSelection], _ access: inout StorageThread.Access
  ) throws(StorageError) -> SelectedKeys {
    var selected = SelectedKeys()
    for selection in selections {
      if case .field(_, let entity, _) = selection.content, entity != .query {
        selected.fields[ExactString(StoredKey.text(of: entity)), default: []].append(selection)
        continue
      }
      let keys = Set(try self.keys(selection.content, &access).map(ExactString.init))
      if selection.isInvalidation {
        selected.stale.formUnion(keys.subtracting(selected.removed))
      } else {
        selected.removed.formUnion(keys)
        selected.stale.subtract(keys)
      }
    }
    return selected
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
    guard case .field(let name, _, let arguments) = selection.content else { return }
    var records = RecordState(seed: 0)
    var decoder = RecordDecoder(
      catalog: catalog, epoch: epoch, version: 1, names: try names(&access))
    guard let table = decoder.type(stored.type)?.table else { return }
    var id = ""
    let record = id.withUTF8 { records.findOrMake(table: table, key: $0, version: 1) }
    let change = records.merge(stored, into: record, except: [], version: 1, with: &decoder)
    guard change != nil else { return }
    for place in records.places(of: record, catalog)
    where FieldArguments.isVariant(
      catalog.info(place.field).storageKey, of: name, arguments: arguments)
    {
      if selection.isInvalidation {
        records[record].ages.set(0, record.rowInChunk, place.field)
      } else {
        records.removeField(place, of: record) { _ in }
      }
    }
    stored.value = try value(of: record, in: records, &access)
  }

  private func value(
    of record: RecordReference, in records: RecordState, _ access: inout StorageThread.Access
  ) throws(StorageError) -> [UInt8] {
    var names = try names(&access)
    while true {
      var encoder = RecordEncoder(records, catalog, epoch: epoch, names: names)
      encoder.beginValue()
      encoder.append(record)
      if encoder.names.unnumbered.isEmpty { return encoder.take() }
      names = try number(encoder.names, &access)
    }
  }

  func keys(
    _ selection: StoreSelection.Content, _ access: inout StorageThread.Access
  ) throws(StorageError) -> [String] {
    switch selection {
    case .entity(let entity):
      return [StoredKey.text(of: entity)]
    case .field(let name, let entity, let arguments):
      guard entity == .query else { return [] }
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
    }
  }
}

// MARK: - The budget

extension StorageLink {
  /// Removes what was not used for the longest time, if there is too much, in small steps.
  func collect(_ access: inout StorageThread.Access) throws(StorageError) {
    guard let limit = catalog.configuration.maximumStoredBytes,
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
