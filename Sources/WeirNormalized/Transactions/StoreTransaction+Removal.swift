import Weir

extension StoreTransaction {
  /// Removes what a selection names.
  ///
  /// - Parameters:
  ///   - selection: entities, or fields of one.
  ///   - cascades: whether the entities that removed ones refer to go, too, and those that these
  ///     refer to, and so on.
  ///   - references: what becomes of references to removed entities.
  public mutating func remove(
    _ selection: StoreSelection, cascades: Bool = false,
    references: ReferencePolicy = .dangling
  ) {
    let targets = targets(of: selection)
    noteOvertaken(selection, found: targets.records)
    selections.append(
      StoredSelection(selection.content.inKeySpace(catalog), isInvalidation: false))
    for (record, places) in targets.fields {
      for place in places { clear(place, of: record) }
    }
    var removed = Set(targets.records)
    if cascades { removed = closure(of: removed) }
    for record in removed { removeFields(of: record) }
    if references == .removed, !removed.isEmpty { removeReferences(to: removed) }
  }

  /// Marks what a selection names as stale: it stays, and whoever watches it fetches it again.
  public mutating func invalidate(_ selection: StoreSelection) {
    let targets = targets(of: selection)
    noteOvertaken(selection, found: targets.records)
    selections.append(
      StoredSelection(selection.content.inKeySpace(catalog), isInvalidation: true))
    for record in targets.records {
      staleFields += records.places(of: record, catalog).map { (record, $0) }
    }
    for (record, places) in targets.fields { staleFields += places.map { (record, $0) } }
  }

  /// What a selection names may be on its way, too.
  private mutating func noteOvertaken(
    _ selection: StoreSelection, found: [RecordReference]
  ) {
    switch selection.content {
    case .entity(let entity):
      overtaken.entities.insert(entity)
    case .field(let name, let entity, _):
      let table =
        records.record(of: entity, catalog)?.table
        ?? catalog.type(named: entity.typename).map(catalog.table)
      if let table { overtaken.fields.insert(ListFields.Field(table: table, name: name)) }
    case .type(let name):
      if let type = catalog.type(named: name) { overtaken.types.insert(type) }
    case .prefix:
      for record in found {
        if let entity = records.entity(record, catalog) { overtaken.entities.insert(entity) }
      }
    case .stored: break
    }
  }

  private func targets(
    of selection: StoreSelection
  ) -> (records: [RecordReference], fields: [(RecordReference, [FieldPlace])]) {
    switch selection.content {
    case .entity(let entity):
      return (records.record(of: entity, catalog).map { [$0] } ?? [], [])
    case .field(let name, let entity, let arguments):
      guard let record = records.record(of: entity, catalog) else { return ([], []) }
      return ([], [(record, places(of: record, named: name, arguments: arguments))])
    case .type(let name):
      guard let type = catalog.knownType(named: name) else { return ([], []) }
      return (entities(in: catalog.table(of: type)).filter { records.header($0).type == type }, [])
    case .prefix(let prefix):
      let bytes = Array(prefix.utf8)
      let all = (0..<records.tables.count).flatMap { entities(in: $0) }
      return (
        all.filter { record in
          records.entity(record, catalog).map { $0.description.utf8.starts(with: bytes) } ?? false
        }, []
      )
    case .stored: return ([], [])
    }
  }

  /// The variants of a field that a record has.
  func places(
    of record: RecordReference, named name: String, arguments: JSONValue?
  ) -> [FieldPlace] {
    records.places(of: record, catalog).filter { place in
      FieldArguments.isVariant(
        catalog.info(place.field).storageKey, of: name, arguments: arguments)
    }
  }

  /// The records of a table that have a key.
  func entities(in table: Int) -> [RecordReference] {
    guard table < records.tables.count else { return [] }
    return (0..<records.tables[table].rowCount).map { RecordReference(table: table, row: $0) }
      .filter { records[$0].key($0.rowInChunk).kind == .string && !records.header($0).isFree }
  }
}

// MARK: - Changes

extension StoreTransaction {
  mutating func clear(_ place: FieldPlace, of record: RecordReference) {
    guard !records.cell(record, place).isAbsent else { return }
    var freed: [RecordReference] = []
    records.removeField(place, of: record) { freed.append($0) }
    note(freed: freed)
    note(record, place)
  }

  /// A field is different.
  mutating func note(_ record: RecordReference, _ place: FieldPlace) {
    records[record].setHeader(
      RowHeader(version: version, type: records.header(record).type), of: record.rowInChunk)
    var change = ChangeSet.Change(record: record, slots: 0, fields: [])
    change.add(place)
    changes.changes.append(change)
    var written = WrittenFields()
    written.insert(place)
    writes.append((record, written))
  }

  private mutating func freeEmbedded(_ record: RecordReference) {
    var freed: [RecordReference] = []
    records.freeEmbedded(record) { freed.append($0) }
    note(freed: freed)
  }

  private mutating func note(freed: [RecordReference]) {
    for record in freed {
      changes.changes.append(
        ChangeSet.Change(record: record, slots: .max, fields: [], isRemoved: true))
    }
  }

  /// An entity loses all its fields. Its row stays, so that references know whom they mean.
  private mutating func removeFields(of record: RecordReference) {
    let places = records.places(of: record, catalog)
    for place in places { clear(place, of: record) }
    guard record.table > RootType.subscription.rawValue, records.header(record).type != .removed
    else { return }
    records[record].setHeader(
      RowHeader(version: version, type: .removed), of: record.rowInChunk)
    changes.changes.append(
      ChangeSet.Change(record: record, slots: .max, fields: [], isRemoved: true))
  }

  /// The records, and all entities that can be reached from them.
  private func closure(of start: Set<RecordReference>) -> Set<RecordReference> {
    var found = start
    var pending = Array(start)
    while let record = pending.popLast() {
      for place in records.places(of: record, catalog) {
        records[record].forEachReference(in: records.cell(record, place)) { next in
          if next.table > RootType.subscription.rawValue, found.insert(next).inserted {
            pending.append(next)
          }
        }
      }
    }
    return found.filter { records[$0].key($0.rowInChunk).kind == .string }
  }

  private mutating func removeReferences(to removed: Set<RecordReference>) {
    for table in 0..<records.tables.count {
      for row in 0..<records.tables[table].rowCount {
        let record = RecordReference(table: table, row: row)
        guard !records.header(record).isFree else { continue }
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

  /// Takes elements out of a list, and of the lists within it, and says whether there were any. What
  /// only they had goes, too.
  @discardableResult
  mutating func removeElements(
    of list: Cell, _ place: FieldPlace, _ record: RecordReference,
    where isRemoved: (Cell) -> Bool
  ) -> Bool {
    var embedded: [RecordReference] = []
    guard records[record].removeElements(of: list, where: isRemoved, embedded: &embedded) else {
      return false
    }
    for record in embedded { freeEmbedded(record) }
    note(record, place)
    return true
  }
}

extension RowChunk {
  /// Takes elements out of a list and tells which of them were embedded.
  fileprivate mutating func removeElements(
    of list: Cell, where isRemoved: (Cell) -> Bool, embedded: inout [RecordReference]
  ) -> Bool {
    var hasChanged = false
    for element in lists[list.list] {
      if element.kind == .list {
        if removeElements(of: element, where: isRemoved, embedded: &embedded) { hasChanged = true }
      } else if isRemoved(element) {
        hasChanged = true
        if element.kind == .embedded { embedded.append(element.record) }
      }
    }
    if hasChanged { lists[list.list].removeAll { $0.kind != .list && isRemoved($0) } }
    return hasChanged
  }
}

/// The arguments in storage keys.
enum FieldArguments {
  /// Whether a storage key is that of a field, with these arguments unless they are nil.
  static func isVariant(_ key: String, of name: String, arguments: JSONValue?) -> Bool {
    guard key.utf8.prefix(while: { $0 != 40 && $0 != 64 }).elementsEqual(name.utf8) else {
      return false
    }
    guard let arguments else { return true }
    return key == storageKey(name, arguments)
      || PageKey.list(of: key, name: name) != nil
        && arguments == self.arguments(in: key, name: name)
  }

  /// The storage key of a field with arguments that are given as an object.
  static func storageKey(_ name: String, _ arguments: JSONValue) -> String {
    guard let object = arguments.object, !object.isEmpty,
      let bytes = try? arguments.canonicalBytes()
    else { return name }
    return "\(name)(\(String(decoding: bytes, as: UTF8.self)))"
  }

  /// The arguments in a storage key, as an object.
  static func arguments(in storageKey: String, name: String) -> JSONValue {
    if let list = PageKey.list(of: storageKey, name: name),
      let page = PageKey.arguments(of: storageKey, name: name)
    {
      var members = PageKey.arguments(ofList: list, name: name)
      for (key, value) in (try? JSON(parsing: page))?.value.object ?? [:] { members[key] = value }
      return .object(members)
    }
    let text = storageKey.dropFirst(name.count + 1).dropLast()
    return (try? JSON(parsing: Array(text.utf8)))?.value ?? [:]
  }
}
