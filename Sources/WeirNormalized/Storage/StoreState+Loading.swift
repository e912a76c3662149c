import Weir

extension StoreState {
  /// Puts what was found beside what memory has.
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
      take(stored, of: record, with: &decoder, &changes)
    }
  }

  private mutating func take(
    _ stored: StoredRecord?, of record: RecordReference, with decoder: inout RecordDecoder,
    _ changes: inout ChangeSet
  ) {
    // Not twice.
    guard storage?.lookedUp.records.insert(record) == true, let stored else { return }
    let removed = storage?.unsaved.removedFields
    take(
      stored, into: record, except: removed?.isEmpty == false ? removed?[record] ?? [] : [],
      with: &decoder, &changes)
  }

  private mutating func take(
    _ stored: StoredRecord, into record: RecordReference, except removed: Set<FieldID> = [],
    with decoder: inout RecordDecoder, _ changes: inout ChangeSet
  ) {
    guard
      let change = records.merge(
        stored.value, ofType: stored.type, into: record, except: removed, version: lastVersion,
        with: &decoder)
    else { return }
    for place in decoder.lists { noteList(at: place, of: record, decoder.catalog) }
    if !decoder.changes.isEmpty { changes.changes += decoder.changes }
    changes.changes.append(change)
  }

  private mutating func noteList(
    at place: FieldPlace, of record: RecordReference, _ catalog: Catalog
  ) {
    let cell = records.cell(record, place)
    let field = ListFields.Field(table: record.table, name: catalog.info(place.field).name)
    listFields.note(field, records[record].lists[cell.list], records)
  }

  /// Records have come from the storage; it is news if they are not what they were.
  mutating func noteLoaded(
    _ changes: ChangeSet, isNews: Bool = false, catalog: Catalog, _ aftermath: inout Aftermath
  ) {
    guard !changes.isEmpty else { return }
    writeCount += 1
    size.count(changes, in: records)
    for change in changes.changes where change.record == RootType.query.reference {
      for place in change.places(in: change.record.table, catalog) {
        size.rootUses[place.field] = lastVersion
      }
    }
    if layers.isEmpty {
      noteChanges(changes, isLoad: !isNews, catalog: catalog, &aftermath)
    } else {
      layers.note(changes)
      aftermath.isBelowLayers = true
    }
  }
}
