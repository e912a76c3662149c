extension StoreState {
  /// Adds what was found in the storage to memory.
  mutating func take(
    _ stored: StoredRecord?, for request: RecordRequest, with decoder: inout RecordDecoder,
    _ changes: inout ChangeSet
  ) {
    switch request.content {
    case .field(let field):
      guard storage?.loaded.fields.contains(field) == false else { return }
      storage?.loaded.insert(field)
      guard let stored else { return }
      take(stored, into: RootType.query.reference, with: &decoder, &changes)
    case .record(let record):
      take(stored, of: record, with: &decoder, &changes)
    case .entity(let entity):
      guard stored != nil else {
        // A response may have brought it meanwhile.
        if records.record(of: entity, catalog) == nil { storage?.loaded.insert(absent: entity) }
        return
      }
      guard let table = catalog.tableOrNew(named: entity.typename) else { return }
      let record = records.findOrMake(table: table, id: entity.id, version: lastVersion)
      take(stored, of: record, with: &decoder, &changes)
    }
  }

  private mutating func take(
    _ stored: StoredRecord?, of record: RecordReference, with decoder: inout RecordDecoder,
    _ changes: inout ChangeSet
  ) {
    // Not twice.
    guard storage?.loaded.records.insert(record) == true else { return }
    guard let stored else { return noteMissing(record) }
    let removed = storage?.unsaved.removedFields
    take(
      stored, into: record, except: removed?.isEmpty == false ? removed?[record] ?? [] : [],
      with: &decoder, &changes)
  }

  /// A list never becomes shorter because a storage with a budget has removed an element: the server still
  /// has it.
  private mutating func noteMissing(_ record: RecordReference) {
    guard catalog.policies.dropsDangling, storage?.hasBudget == true,
      records.header(record).type == .removed
    else { return }
    records[record].noteEvicted(record.rowInChunk)
  }

  private mutating func take(
    _ stored: StoredRecord, into record: RecordReference, except removed: Set<FieldID> = [],
    with decoder: inout RecordDecoder, _ changes: inout ChangeSet
  ) {
    let change = records.merge(
      stored.value, ofType: stored.type, into: record, except: removed, version: lastVersion,
      with: &decoder)
    for place in decoder.lists {
      let cell = records.cell(record, place)
      let field = ListFields.Field(table: record.table, name: catalog.info(place.field).name)
      listFields.note(field, records[record][cell.list], records)
    }
    changes.changes += decoder.changes
    if let change { changes.changes.append(change) }
  }

  /// Records were loaded; others have changed them if the cause is a write.
  mutating func noteLoaded(_ changes: ChangeSet, cause: ChangeCause = .load) {
    guard !changes.isEmpty else { return }
    writeCount += 1
    count(changes)
    publish(changes, cause: cause)
  }
}
