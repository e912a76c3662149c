import Weir

/// What a response that is under way may bring, and what is out of date then: named, since the
/// store need not have any of it yet.
struct OvertakenData {
  var types: Set<TypeID> = []
  var entities: Set<Entity> = []
  /// Lists of the records of these tables, wherever they are.
  var listsOf: Set<Int> = []
  /// All variants of these fields.
  var fields: Set<ListFields.Field> = []

  var isEmpty: Bool { types.isEmpty && entities.isEmpty && listsOf.isEmpty && fields.isEmpty }
}

/// What was invalidated while requests are under way: their responses may be older.
struct InvalidationLog {
  private var types: [TypeID: LogicalInstant] = [:]
  private var fields: [RecordReference: [FieldID: LogicalInstant]] = [:]
  private var named: [(data: OvertakenData, instant: LogicalInstant)] = []

  var isEmpty: Bool { types.isEmpty && fields.isEmpty && named.isEmpty }

  mutating func note(_ data: OvertakenData, at instant: LogicalInstant) {
    for type in data.types { note(type, at: instant) }
    if !data.isEmpty { named.append((data, instant)) }
  }

  /// What was named after a request had been sent.
  func named(after sentAt: LogicalInstant) -> OvertakenData {
    var all = OvertakenData()
    for (data, instant) in named where instant > sentAt {
      all.entities.formUnion(data.entities)
      all.listsOf.formUnion(data.listsOf)
      all.fields.formUnion(data.fields)
    }
    return all
  }

  mutating func note(_ type: TypeID, at instant: LogicalInstant) {
    types[type] = instant
  }

  mutating func note(_ record: RecordReference, _ field: FieldID, at instant: LogicalInstant) {
    fields[record, default: [:]][field] = instant
  }

  func isInvalidated(_ type: TypeID, after sentAt: LogicalInstant) -> Bool {
    types[type].map { $0 > sentAt } ?? false
  }

  func fields(of record: RecordReference, after sentAt: LogicalInstant) -> [FieldID] {
    (fields[record] ?? [:]).filter { $0.value > sentAt }.map(\.key)
  }

  /// Forgets what no request under way can be older than.
  mutating func prune(oldest: LogicalInstant?) {
    guard !isEmpty else { return }
    guard let oldest else { return self = InvalidationLog() }
    types = types.filter { $0.value >= oldest }
    named.removeAll { $0.instant < oldest }
    fields = fields.compactMapValues { fields in
      let kept = fields.filter { $0.value >= oldest }
      return kept.isEmpty ? nil : kept
    }
  }
}

extension StoreState {
  /// Marks all records of some types as stale. The data stay, and are shown until they are
  /// replaced.
  mutating func invalidate(types: Set<TypeID>, catalog: Catalog, _ aftermath: inout Aftermath) {
    let instant = LogicalInstant.next()
    var changes = ChangeSet()
    let version = nextVersion()
    for table in Set(types.map(catalog.table)) where table < records.tables.count {
      for row in 0..<records.tables[table].rowCount {
        let record = RecordReference(table: table, row: row)
        let header = records.header(record)
        guard !header.isFree, types.contains(header.type) else { continue }
        records[record].ages.set(0, row: record.rowInChunk)
        records[record].setHeader(
          RowHeader(version: version, type: header.type), of: record.rowInChunk)
        changes.changes.append(ChangeSet.Change(record: record, slots: .max, fields: []))
      }
    }
    if requests.oldest != nil { for type in types { invalidations.note(type, at: instant) } }
    // A list of them is stale even if it is empty.
    for field in Set(types.flatMap { listFields.holding(catalog.table(of: $0)) }) {
      for (record, place) in records.variants(of: field, catalog) {
        markStale(record, place, version: version, at: instant, &changes)
      }
    }
    finishInvalidation(changes, at: instant, catalog: catalog, &aftermath)
  }

  /// Marks single fields as stale.
  mutating func invalidate(
    fields: [(record: RecordReference, place: FieldPlace)], catalog: Catalog,
    _ aftermath: inout Aftermath
  ) {
    let instant = LogicalInstant.next()
    var changes = ChangeSet()
    let version = nextVersion()
    for (record, place) in fields {
      errors.forget(record, place)
      guard !records.cell(record, place).isAbsent else {
        if requests.oldest != nil { invalidations.note(record, place.field, at: instant) }
        continue
      }
      markStale(record, place, version: version, at: instant, &changes)
    }
    finishInvalidation(changes, at: instant, catalog: catalog, &aftermath)
  }

  private mutating func markStale(
    _ record: RecordReference, _ place: FieldPlace, version: UInt64, at instant: LogicalInstant,
    _ changes: inout ChangeSet
  ) {
    records[record].ages.set(0, record.rowInChunk, place.field)
    records[record].setHeader(
      RowHeader(version: version, type: records.header(record).type), of: record.rowInChunk)
    var change = ChangeSet.Change(record: record, slots: 0, fields: [])
    change.add(place)
    changes.changes.append(change)
    if requests.oldest != nil { invalidations.note(record, place.field, at: instant) }
  }

  private mutating func finishInvalidation(
    _ changes: ChangeSet, at instant: LogicalInstant, catalog: Catalog,
    _ aftermath: inout Aftermath
  ) {
    writeCount += 1
    errors.forget(changes)
    noteUnsaved(changes, catalog: catalog, &aftermath)
    if !layers.isEmpty { layers.note(changes) }
    var concerned: Set<DependencyIndex.Watcher> = []
    dependencies.forEachWatcher(of: changes, includingAllFields: true) { concerned.insert($0) }
    for number in concerned {
      guard let entry = entriesByNumber[number] else { continue }
      entry.isDirty = true
      fire(entry, at: instant, &aftermath)
    }
  }

  /// Marks again what a response has written that had been requested before the invalidation.
  ///
  /// - Returns: whether there was anything.
  mutating func invalidateOvertaken(
    _ writes: ContiguousArray<(record: RecordReference, fields: WrittenFields)>,
    sentAt: LogicalInstant, catalog: Catalog
  ) -> Bool {
    let named = invalidations.named(after: sentAt)
    let entities = Set(named.entities.compactMap { records.record(of: $0, catalog) })
    let lists = named.listsOf.reduce(into: named.fields) {
      $0.formUnion(listFields.holding($1))
    }
    let tables = Set(lists.map(\.table))
    var isOvertaken = false
    for (record, written) in writes {
      if entities.contains(record)
        || invalidations.isInvalidated(records.header(record).type, after: sentAt)
      {
        records[record].ages.set(0, row: record.rowInChunk)
        isOvertaken = true
      }
      var fields = invalidations.fields(of: record, after: sentAt)
      let isQuery = record == RootType.query.reference
      if tables.contains(record.table) || isQuery && !named.listsOf.isEmpty {
        fields += records.places(of: record, catalog).filter {
          let field = ListFields.Field(
            table: record.table, name: catalog.info($0.field).name)
          // Nothing tells of which type an empty list is, if none of the field ever held anything.
          return lists.contains(field)
            || isQuery && !named.listsOf.isEmpty && !listFields.isKnown(field)
              && records.isEmptyList(record, $0)
        }.map(\.field)
      }
      for field in fields where written.contains(field) {
        records[record].ages.set(0, record.rowInChunk, field)
        isOvertaken = true
      }
    }
    return isOvertaken
  }
}

extension RecordState {
  fileprivate func isEmptyList(_ record: RecordReference, _ place: FieldPlace) -> Bool {
    let cell = cell(record, place)
    return cell.kind == .list && self[record].lists[cell.list].isEmpty
  }
}
