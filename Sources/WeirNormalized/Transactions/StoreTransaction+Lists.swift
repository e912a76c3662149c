import Weir

extension StoreTransaction {
  /// Puts the entities that were written into the lists that they belong to, and takes them out of
  /// those that they do not belong to any more.
  mutating func updateLists() {
    let memberships = catalog.policies.memberships
    guard !memberships.isEmpty else { return }
    let changed = Set(changes.changes.map(\.record))
    var concerned: Set<ListFields.Field> = []
    for record in Set(touched).sorted(by: { $0.bits < $1.bits }) {
      let header = records.header(record)
      guard !header.isFree, header.type != .removed,
        records[record].key(record.rowInChunk).kind == .string
      else { continue }
      let typename = catalog.typename(header.type)
      for membership in memberships where membership.typename == typename {
        update(membership, with: record)
        guard !isByHand || changed.contains(record), let field = listField(membership.field)
        else { continue }
        overtaken.fields.insert(field)
        concerned.insert(field)
      }
    }
    refreshStored(concerned)
    touched = []
  }

  private mutating func update(_ membership: ListMembership, with record: RecordReference) {
    let entity = plainFields(of: record)
    for (owner, place) in lists(membership.field) {
      let info = catalog.info(place.field)
      let arguments = FieldArguments.arguments(in: info.storageKey, name: info.name)
      let cell = records.cell(owner, place)
      if cell.kind == .embedded {
        let isRight = update(
          connection: cell.record, of: owner, place, with: record, entity,
          belongs: membership.includes(entity, arguments), membership)
        if !isRight { staleFields.append((owner, place)) }
        continue
      }
      guard cell.kind == .list, !holdsEdges(cell, of: owner) else {
        if !cell.isAbsent { staleFields.append((owner, place)) }
        continue
      }
      let isIn = records[owner].lists[cell.list].contains {
        $0.low == record.bits && $0.isReference
      }
      switch membership.includes(entity, arguments) {
      case true where !isIn && info.list != nil:
        insert(record, entity, intoPage: cell, place, owner, membership)
      case true where !isIn: insert(record, entity, into: cell, place, owner, membership)
      case false where isIn:
        removeElements(of: cell, place, owner) { $0.isReference && $0.record == record }
      case nil: staleFields.append((owner, place))
      case true, false: break
      }
    }
  }

  private func holdsEdges(_ list: Cell, of owner: RecordReference) -> Bool {
    records[owner].lists[list.list].contains { $0.kind == .embedded }
  }

  /// A page gets what stands between two of its elements; what may belong into another page makes it
  /// stale, unless another one has it.
  private mutating func insert(
    _ record: RecordReference, _ entity: JSONValue, intoPage page: Cell, _ place: FieldPlace,
    _ owner: RecordReference, _ membership: ListMembership
  ) {
    guard let list = catalog.info(place.field).list,
      !otherPage(of: list, than: place.field, on: owner, holds: record)
    else { return }
    let position = membership.precedes.flatMap { precedes in
      self.position(in: page, of: owner) { precedes(entity, plainFields(of: $0)) }
    }
    guard let position else { return staleFields.append((owner, place)) }
    records[owner].lists[page.list].insert(Cell(.reference, low: record.bits), at: position)
    note(owner, place)
  }

  private mutating func insert(
    _ record: RecordReference, _ entity: JSONValue, into list: Cell, _ place: FieldPlace,
    _ owner: RecordReference, _ membership: ListMembership
  ) {
    let elements = records[owner].lists[list.list]
    var position = elements.count
    if let precedes = membership.precedes {
      position =
        elements.firstIndex {
          $0.kind == .reference && precedes(entity, plainFields(of: $0.record))
        } ?? elements.count
    }
    records[owner].lists[list.list].insert(
      Cell(.reference, low: record.bits), at: position)
    note(owner, place)
  }

  /// Takes an entity out of every list that is known to hold its type.
  public mutating func removeFromLists(_ entity: Entity) {
    overtaken.entities.insert(entity)
    guard let record = records.record(of: entity, catalog) else { return }
    for field in listFields.holding(record.table) {
      for (owner, place) in records.variants(of: field, catalog) {
        let cell = records.cell(owner, place)
        guard cell.kind == .list else { continue }
        let chunk = records[owner]
        let edges = chunk.lists[cell.list].filter {
          $0.kind == .embedded
            && records[$0.record].refersTo(record, row: $0.record.rowInChunk)
        }
        removeElements(of: cell, place, owner) {
          $0.kind == .reference && $0.record == record || edges.contains($0)
        }
      }
    }
  }

  /// Every cached variant of a field that is given as `Type.field`.
  private func lists(_ field: String) -> [(RecordReference, FieldPlace)] {
    listField(field).map { records.variants(of: $0, catalog) } ?? []
  }

  private func listField(_ field: String) -> ListFields.Field? {
    let parts = field.split(separator: ".", maxSplits: 1).map(String.init)
    guard parts.count == 2, let type = catalog.type(named: parts[0]) else { return nil }
    return ListFields.Field(table: catalog.table(of: type), name: parts[1])
  }

  /// Marks every variant of a field, given as `Type.field`, as stale.
  mutating func refresh(_ field: String) {
    for (record, place) in lists(field) { staleFields.append((record, place)) }
    guard let field = listField(field) else { return }
    overtaken.fields.insert(field)
    refreshStored([field])
  }

  /// Marks the lists as stale that may have to hold one of the entities that are new, unless a
  /// membership says who belongs into them.
  mutating func refreshListsOfNewEntities() {
    let covered = Set(catalog.policies.memberships.map(\.typename))
    var tables: Set<Int> = []
    let new = changes.changes.filter(\.isNew).map(\.record)
    for record in new + writes.lazy.map(\.record).filter(newcomers.contains) {
      let header = records.header(record)
      guard !header.isFree, header.type != .removed,
        records[record].key(record.rowInChunk).kind == .string,
        !covered.contains(catalog.typename(header.type))
      else { continue }
      tables.insert(record.table)
    }
    for table in tables { refreshLists(ofTable: table) }
  }

  /// Marks the lists of a type as stale.
  mutating func refreshLists(of typename: String) {
    if let type = catalog.type(named: typename) {
      refreshLists(ofTable: catalog.table(of: type))
    }
  }

  private mutating func refreshLists(ofTable table: Int) {
    overtaken.listsOf.insert(table)
    for field in listFields.holding(table) {
      staleFields += records.variants(of: field, catalog)
    }
    refreshStored(listFields.holding(table))
  }

  /// What belongs into lists that only a storage has cannot be told: they become stale there.
  private mutating func refreshStored(_ fields: Set<ListFields.Field>) {
    selections += fields.map { StoredSelection(.stored($0), isInvalidation: true) }
  }
}

// MARK: - Plain fields

extension StoreTransaction {
  /// A record's fields without arguments as an object; entities that it refers to as their type and
  /// id.
  func plainFields(of record: RecordReference) -> JSONValue {
    var object = JSONObject()
    let header = records.header(record)
    if header.type != .removed {
      object["__typename"] = .string(catalog.typename(header.type))
    }
    for place in records.places(of: record, catalog) {
      let info = catalog.info(place.field)
      if info.name == info.storageKey {
        object[info.name] = plainValue(records.cell(record, place), of: record)
      }
    }
    return .object(object)
  }

  private func plainValue(_ cell: Cell, of record: RecordReference) -> JSONValue? {
    switch cell.kind {
    case .absent: return nil
    case .null: return .null
    case .true: return .bool(true)
    case .false: return .bool(false)
    case .number, .json:
      return records[record].withText(cell) { try? JSON(parsing: Array($0)) }?.value
    case .string:
      return records[record].withText(cell) { try? JSON(parsing: [34] + Array($0) + [34]) }?.value
    case .reference:
      let entity = records.entity(cell.record, catalog)
      return ["__typename": .string(entity?.typename ?? ""), "id": .string(entity?.id ?? "")]
    case .embedded: return plainFields(of: cell.record)
    case .list:
      return .array(
        records[record].lists[cell.list].map { plainValue($0, of: record) ?? .null })
    }
  }
}

extension RowChunk {
  /// Whether a field of a row is a reference to a record.
  fileprivate func refersTo(_ record: RecordReference, row: Int) -> Bool {
    var refers = false
    forEachCell(row) { cell in
      if cell.kind == .reference, cell.record == record { refers = true }
    }
    return refers
  }
}
