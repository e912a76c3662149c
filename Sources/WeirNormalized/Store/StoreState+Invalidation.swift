import Weir

extension StoreState {
  /// Marks all records of some types as stale. The data stays, and is shown until it is replaced.
  mutating func invalidate(types: Set<TypeID>) {
    let instant = LogicalInstant.next()
    let version = nextVersion()
    var changes = ChangeSet()
    for table in Set(types.map(catalog.table)) {
      records.forEachRecord(in: table) { record, header in
        guard types.contains(header.type) else { return }
        changes.changes.append(ChangeSet.Change(record: record, slots: .max, fields: []))
      }
    }
    var stale = StaleFields()
    for change in changes.changes {
      records.markAsStale(change.record, catalog, &stale)
      records.touch(change.record, version: version, catalog)
    }
    if history.oldest != nil {
      for type in types { history.invalidations.note(type, at: instant) }
    }
    // A list of these types is stale even if it is empty.
    for field in Set(types.flatMap { listFields.holding(catalog.table(of: $0)) }) {
      for (record, place) in records.variants(of: field, catalog) {
        markStale(record, place, version: version, at: instant, &changes)
      }
    }
    finishInvalidation(changes, unsaved: changes, at: instant)
    fireUnanswered()
  }

  /// Wakes the watches of operations whose request has failed, or of which nothing can be shown. Nobody
  /// knows what they would show, so an invalidation may concern them although no record says so.
  mutating func fireUnanswered() {
    for entry in results.entries.values where entry.isUnanswered { fire(entry, at: .next()) }
  }

  /// Marks single fields as stale. A field that only a redirect answers is stale until a response brings
  /// it; a storage must not take it for one that was removed.
  mutating func invalidate(fields: [OperationEntry.RootField]) {
    let instant = LogicalInstant.next()
    let version = nextVersion()
    var (changes, unsaved) = (ChangeSet(), ChangeSet())
    for (record, place, isRedirected) in fields {
      let isAbsent = records.cell(record, place).isAbsent
      let hadError = errors.forget(record, place)
      if !isAbsent { unsaved.append(record, place) }
      if !isAbsent || isRedirected {
        markStale(record, place, version: version, at: instant, &changes)
      } else {
        if hadError { noteChange(record, place, version: version, &changes) }
        if history.oldest != nil {
          history.invalidations.note(record, place.field, at: instant)
        }
      }
    }
    finishInvalidation(changes, unsaved: unsaved, at: instant)
  }

  private mutating func markStale(
    _ record: RecordReference, _ place: FieldPlace, version: UInt64, at instant: LogicalInstant,
    _ changes: inout ChangeSet
  ) {
    records[record].ages.set(0, record.rowInChunk, place.field)
    noteChange(record, place, version: version, &changes)
    if history.oldest != nil { history.invalidations.note(record, place.field, at: instant) }
  }

  /// A watch that waits is woken by the change; one that does not wait yet compares versions when it does.
  private mutating func noteChange(
    _ record: RecordReference, _ place: FieldPlace, version: UInt64, _ changes: inout ChangeSet
  ) {
    records.touch(record, keepingOrderFor: place.field, version: version, catalog)
    changes.append(record, place)
  }

  private mutating func finishInvalidation(
    _ changes: ChangeSet, unsaved: ChangeSet, at instant: LogicalInstant
  ) {
    writeCount += 1
    lastInvalidation = instant
    errors.forget(changes)
    noteUnsaved(unsaved)
    if !layers.isEmpty {
      layers.note(changes)
      effects.appliesLayers = true
    }
    wakeDependents(of: changes, at: instant)
  }

  /// Forgets the errors of data that was removed or invalidated by name, and wakes the watches that show
  /// them.
  mutating func forgetErrors(of data: SupersededData) {
    let forgotten = errors.forget(data, records, catalog)
    guard !forgotten.isEmpty else { return }
    let version = nextVersion()
    var changes = ChangeSet()
    for (record, place) in forgotten {
      noteChange(record, place, version: version, &changes)
    }
    wakeDependents(of: changes, at: .next())
  }

  private mutating func wakeDependents(of changes: ChangeSet, at instant: LogicalInstant) {
    var dependents: [DependencyIndex.Watcher: OperationEntry] = [:]
    results.forEachDependent(of: changes, includingAllFields: true) {
      dependents[$0.number] = $0
    }
    for entry in dependents.values {
      entry.tracking = .changed
      fire(entry, at: instant)
    }
  }

  /// Marks again what a response has written that was requested before the invalidation.
  ///
  /// - Returns: whether there was anything.
  mutating func invalidateSuperseded(
    _ writes: ContiguousArray<(record: RecordReference, fields: WrittenFields)>,
    sentAt: LogicalInstant
  ) -> Bool {
    let named = history.invalidations.named(after: sentAt)
    let entities = Set(named.entities.compactMap { records.record(of: $0, catalog) })
    // A list that has held a type is out of date with it, even if it is empty now.
    let elements = named.listsOf.union(
      history.invalidations.types(after: sentAt).map(catalog.table))
    let lists = elements.reduce(into: named.fields) { $0.formUnion(listFields.holding($1)) }
    let tables = Set(lists.map(\.table)).union(named.confirmed.keys.map(\.table))
    var isSuperseded = false
    var stale = StaleFields()
    for (record, written) in writes {
      if entities.contains(record) || records.hasKey(record, in: named.prefixes, catalog)
        || history.invalidations.isInvalidated(records.header(record).type, after: sentAt)
      {
        records.markAsStale(record, catalog, &stale)
        isSuperseded = true
      }
      var fields = history.invalidations.fields(of: record, after: sentAt)
      let isUnknown = named.hasUnknownLists && records.isInQuery(record)
      if tables.contains(record.table) || isUnknown {
        fields += records.places(of: record, catalog).filter {
          let field = ListFields.Field(
            table: record.table, name: catalog.info($0.field).name)
          // Nothing says which type an empty list has if the field never held anything.
          return lists.contains(field)
            || written.contains($0)
              && named.contradicts(field, at: $0, of: record, records, catalog)
            || isUnknown && records.isEmptyList(record, $0) && !listFields.isKnown(field)
        }.map(\.field)
      }
      for field in fields where written.contains(field) {
        records[record].ages.set(0, record.rowInChunk, field)
        isSuperseded = true
      }
    }
    return isSuperseded
  }
}

/// The fields of the record that was marked last. Most records of a type have the same ones.
private struct StaleFields {
  var places: [FieldPlace] = []
  var ages: [FieldID: Int64] = [:]
}

extension RecordState {
  /// Marks the fields that a record has as stale, each by itself: once all of them have been written again,
  /// nothing is left of that.
  fileprivate mutating func markAsStale(
    _ record: RecordReference, _ catalog: Catalog, _ stale: inout StaleFields
  ) {
    let places = places(of: record, catalog)
    if places != stale.places {
      let ages = Dictionary(
        places.map { ($0.field, Int64(0)) }, uniquingKeysWith: { first, _ in first })
      stale = StaleFields(places: places, ages: ages)
    }
    self[record].ages.invalidate(record.rowInChunk, stale.ages)
  }

  /// Whether a record is the query's root or, such as a connection, within one of its fields.
  fileprivate func isInQuery(_ record: RecordReference) -> Bool {
    let root = RootType.query.reference
    guard record != root, hasRow(of: record) else { return record == root }
    let key = self[record].key(record.rowInChunk)
    return key.kind == .reference && key.record == root
  }

  func isEmptyList(_ record: RecordReference, _ place: FieldPlace) -> Bool {
    let cell = cell(record, place)
    return cell.kind == .list && self[record][cell.list].isEmpty
  }
}
