import Weir

extension StoreTransaction {
  /// Removes the records or fields that a selection names.
  ///
  /// - Parameters:
  ///   - selection: entities, or fields of one.
  ///   - cascades: whether to remove the entities that removed ones refer to, too, and those that these
  ///     refer to, and so on.
  ///   - references: what happens to references to removed entities.
  public mutating func remove(
    _ selection: StoreSelection, cascades: Bool = false,
    references: ReferencePolicy = .dangling
  ) {
    let (entities, fields) = targets(of: selection, isInvalidation: false)
    for (record, place) in fields { clear(place, of: record) }
    var removed = Set(entities)
    if cascades { removed = closure(of: removed) }
    for record in removed { removeFields(of: record) }
    if references == .removed, !removed.isEmpty { removeReferences(to: removed) }
  }

  /// Marks what a selection names as stale: the data stays, and watches that show it fetch it again.
  ///
  /// A type names more here than for a removal: its embedded objects, too, and the lists that hold its
  /// objects or have held them, as in `client.invalidate(types:)`.
  public mutating func invalidate(_ selection: StoreSelection) {
    let (entities, fields) = targets(of: selection, isInvalidation: true)
    for record in entities {
      outcome.staleFields += records.places(of: record, catalog).map { (record, $0) }
    }
    outcome.staleFields += fields
  }

  /// Finds the selected records in memory, and notes the selection for the storage, which may have
  /// more, and for responses in flight, which may bring more.
  private mutating func targets(
    of selection: StoreSelection, isInvalidation: Bool
  ) -> (entities: [RecordReference], fields: [(record: RecordReference, place: FieldPlace)]) {
    let content = selection.content.inKeySpace(catalog)
    // A root is not an entity of its type.
    if case .type(let name) = content, catalog.knownType(named: name)?.isRoot == true {
      return ([], [])
    }
    outcome.storageChanges.append(
      StorageChange(content: .selection(content), isInvalidation: isInvalidation))
    switch content {
    case .entity(let entity):
      outcome.superseded.entities.insert(entity)
      let known = records.record(of: entity, catalog)
      return ((known ?? (isInvalidation ? nil : unknown(entity))).map { [$0] } ?? [], [])
    case .field(let name, let entity, let arguments):
      let record = records.record(of: entity, catalog)
      let table = record?.table ?? catalog.type(named: entity.typename).map(catalog.table)
      if let table { outcome.superseded.fields.insert(.init(table: table, name: name)) }
      let places = record.map { records.places(of: $0, named: name, arguments, catalog) } ?? []
      return ([], record.map { record in places.map { (record, $0) } } ?? [])
    case .type(let name):
      let known = catalog.knownType(named: name)
      if let type = catalog.type(named: name) { outcome.superseded.types.insert(type) }
      if isInvalidation { outcome.invalidatesType = true }
      guard let known else { return ([], []) }
      if isInvalidation { return (records(of: known), lists(of: known)) }
      let all = records.entities(in: catalog.table(of: known))
      return (all.filter { records.header($0).type == known }, [])
    case .prefix(let prefix):
      let prefixes: Set = [ExactString(prefix)]
      outcome.superseded.prefixes.formUnion(prefixes)
      return (records.entities().filter { records.hasKey($0, in: prefixes, catalog) }, [])
    }
  }
}

extension StoreTransaction {
  /// A row for an entity that memory does not have, so that its removal can be noted for the requests that are in
  /// flight.
  private mutating func unknown(_ entity: Entity) -> RecordReference? {
    guard hasOtherRequests, let table = catalog.tableOrNew(named: entity.typename),
      table.root == nil
    else { return nil }
    return records.findOrMake(table: table, id: entity.id, version: version)
  }

  /// All records of a type, embedded ones included.
  private func records(of type: TypeID) -> [RecordReference] {
    var found: [RecordReference] = []
    records.forEachRecord(in: catalog.table(of: type)) { record, header in
      if header.type == type { found.append(record) }
    }
    return found
  }

  /// The lists that hold records of a type or have held them, even if they are empty.
  private func lists(of type: TypeID) -> [(record: RecordReference, place: FieldPlace)] {
    outcome.listFields.holding(catalog.table(of: type))
      .flatMap { records.variants(of: $0, catalog) }
  }
}

extension RecordState {
  /// Whether a record is an entity whose key begins with one of the prefixes.
  func hasKey(
    _ record: RecordReference, in prefixes: Set<ExactString>, _ catalog: Catalog
  ) -> Bool {
    guard !prefixes.isEmpty, !record.isRoot,
      let key = entity(record, catalog)?.description.utf8
    else { return false }
    return prefixes.contains { key.starts(with: $0.text.utf8) }
  }

  /// The variants of a field that a record has.
  func places(
    of record: RecordReference, named name: String, _ arguments: JSONValue?, _ catalog: Catalog
  ) -> [FieldPlace] {
    places(of: record, catalog).filter { place in
      FieldArguments.isVariant(
        catalog.info(place.field).storageKey, of: name, arguments: arguments)
    }
  }
}

// MARK: - Changes

extension StoreTransaction {
  mutating func clear(_ place: FieldPlace, of record: RecordReference) {
    guard !records.cell(record, place).isAbsent else { return }
    var changes = ChangeSet()
    records.removeField(place, of: record) { changes.append(removed: $0) }
    outcome.changes.changes += changes.changes
    note(record, place)
  }

  /// A field has changed.
  mutating func note(
    _ record: RecordReference, _ place: FieldPlace, isRemoval: Bool = false
  ) {
    if isRemoval {
      records.touch(record, keepingOrderFor: place.field, version: version, catalog)
    } else {
      records.touch(record, version: version)
    }
    outcome.changes.append(record, place)
    var written = WrittenFields()
    written.insert(place)
    outcome.writes.append((record, written))
  }

  /// Removes all fields of an entity or a root. An entity's row stays for the references to it.
  mutating func removeFields(of record: RecordReference) {
    for place in records.places(of: record, catalog) { clear(place, of: record) }
    guard !record.isRoot else { return }
    // Also of what is removed already: a mutation in flight may have been sent after the first removal.
    var written = WrittenFields()
    written.isRemoval = true
    outcome.writes.append((record, written))
    guard records.header(record).type != .removed || records[record].isEvicted(record.rowInChunk)
    else { return }
    records.touch(record, version: version, type: .removed)
    outcome.changes.append(removed: record)
  }

  /// The records, and all entities that can be reached from them.
  private func closure(of start: Set<RecordReference>) -> Set<RecordReference> {
    var set = RecordSet(records)
    for record in start { set.insert(record) }
    records.addReachable(to: &set, from: Array(start))
    return Set(records.entities().filter(set.contains))
  }

  private mutating func removeReferences(to removed: Set<RecordReference>) {
    for table in records.tableIDs {
      var all: [RecordReference] = []
      records.forEachRecord(in: table) { record, _ in all.append(record) }
      for record in all {
        for place in records.places(of: record, catalog) {
          let cell = records.cell(record, place)
          if cell.kind == .reference, removed.contains(cell.record) {
            clear(place, of: record)
          } else if cell.kind == .list {
            removeElements(of: cell, place, record) {
              $0.kind == .reference && removed.contains($0.record)
            }
          }
        }
      }
    }
  }

  /// Removes elements from a list, and from the lists within it, together with what is embedded in them.
  ///
  /// - Returns: whether there were any.
  @discardableResult
  mutating func removeElements(
    of list: Cell, _ place: FieldPlace, _ record: RecordReference,
    where isRemoved: (Cell) -> Bool
  ) -> Bool {
    var embedded: [RecordReference] = []
    guard records[record].removeElements(of: list, where: isRemoved, embedded: &embedded) else {
      return false
    }
    var changes = ChangeSet()
    for record in embedded { records.freeEmbedded(record) { changes.append(removed: $0) } }
    outcome.changes.changes += changes.changes
    note(record, place, isRemoval: true)
    return true
  }
}

extension RowChunk {
  /// Removes elements from a list and collects those that were embedded.
  fileprivate mutating func removeElements(
    of list: Cell, where isRemoved: (Cell) -> Bool, embedded: inout [RecordReference]
  ) -> Bool {
    var hasChanged = false
    for element in self[list.list] {
      if element.kind == .list {
        if removeElements(of: element, where: isRemoved, embedded: &embedded) { hasChanged = true }
      } else if isRemoved(element) {
        hasChanged = true
        if element.kind == .embedded { embedded.append(element.record) }
      }
    }
    if hasChanged { self[list.list].removeAll { $0.kind != .list && isRemoved($0) } }
    return hasChanged
  }
}
