import Weir

extension StoreTransaction {
  /// Puts the written entities into the lists that they belong to, and takes them out of lists that they
  /// no longer belong to.
  ///
  /// - Parameter isEvent: whether a subscription has brought them. Its events may come faster than responses:
  ///   they supersede only those that contradict them.
  mutating func updateLists(isEvent: Bool = false) {
    let memberships = catalog.policies.memberships
    guard !memberships.isEmpty else { return }
    let changed = Set(outcome.changes.changes.map(\.record))
    var affected: Set<ListFields.Field> = []
    // By membership: to find them visits all records that may have such a list.
    var found: [Int: MembershipLists] = [:]
    for record in Set(outcome.touched).sorted(by: { $0.bits < $1.bits }) {
      let header = records.header(record)
      guard header.hasRecord, records[record].key(record.rowInChunk).kind == .string
      else { continue }
      let typename = catalog.typename(header.type)
      for (number, membership) in memberships.enumerated()
      where catalog.policies.covers(membership, typename) {
        let lists = found[number] ?? lists(of: membership)
        found[number] = lists
        let (writeCount, staleCount) = (outcome.writes.count, outcome.staleFields.additions)
        update(membership, in: lists, with: record)
        guard !outcome.isByHand || changed.contains(record) else { continue }
        affected.formUnion(lists.fields)
        if isEvent, outcome.writes.count == writeCount, outcome.staleFields.additions == staleCount
        {
          confirm(record, in: lists)
        } else {
          outcome.superseded.fields.formUnion(lists.fields)
        }
      }
    }
    invalidateStored(affected)
    outcome.touched = []
  }

  private func lists(of membership: ListMembership) -> MembershipLists {
    let fields = listFields(membership.field)
    return MembershipLists(
      fields: fields, places: fields.flatMap { records.variants(of: $0, catalog) })
  }

  /// Notes which lists hold an entity, as they should. Those of an object without a key, which may get another
  /// row, count as not cached, and so do all if no request is in flight that could contradict.
  private mutating func confirm(_ record: RecordReference, in lists: MembershipLists) {
    var confirmed = ConfirmedLists(cached: [], holders: [record: []])
    for (owner, place) in lists.places
    where hasOtherRequests && records[owner].key(owner.rowInChunk).kind != .reference {
      let isConnection = records.cell(owner, place).kind == .embedded
      let held = isConnection ? records.entities(inListAt: place, of: owner, catalog) : []
      guard let held else { continue }
      let list = ListPlace(owner: owner, field: place.field)
      confirmed.cached.insert(list)
      if isConnection ? held.contains(record) : holds(place, of: owner, record) {
        confirmed.holders[record]?.insert(list)
      }
    }
    for field in lists.fields {
      var all = outcome.superseded.confirmed[field] ?? confirmed
      all.formUnion(confirmed)
      outcome.superseded.confirmed[field] = all
    }
  }

  private mutating func update(
    _ membership: ListMembership, in lists: MembershipLists, with record: RecordReference
  ) {
    let entity = plainFields(of: record)
    var holders = PageHolders()
    for (owner, place) in lists.places {
      let info = catalog.info(place.field)
      let arguments = FieldArguments.arguments(in: info.storageKey, name: info.name)
      let parent = owner.isRoot ? nil : records.entity(owner, catalog)
      let cell = records.cell(owner, place)
      if cell.kind == .embedded {
        let isCorrect = update(
          connection: cell.record, of: owner, place, with: record, entity,
          belongs: membership.includes(entity, arguments, parent), membership, &holders)
        if !isCorrect { outcome.staleFields.append((owner, place)) }
        continue
      }
      guard cell.kind == .list, !holdsEdgesOrLists(cell, of: owner) else {
        if !cell.isAbsent { outcome.staleFields.append((owner, place)) }
        continue
      }
      let isIn = holds(place, of: owner, record)
      switch membership.includes(entity, arguments, parent) {
      case true where !isIn && info.list != nil:
        insert(record, entity, intoPage: cell, place, owner, membership, &holders)
      case true where !isIn:
        let end = records[owner][cell.list].count
        let position = position(of: entity, in: cell, of: owner, membership) ?? end
        insert(
          Cell(.reference, low: record.bits), of: record, into: cell, at: position, place, owner)
      case false where isIn:
        holders.forget()
        removeElements(of: cell, place, owner) { $0.isReference && $0.record == record }
      case nil: outcome.staleFields.append((owner, place))
      case true, false: break
      }
    }
  }

  func holdsEdgesOrLists(_ list: Cell, of owner: RecordReference) -> Bool {
    records[owner][list.list].contains { $0.kind == .embedded || $0.kind == .list }
  }

  /// An entity goes into a page if it stands between two of its elements. If it may belong to another
  /// page, the page becomes stale, unless another page has it.
  private mutating func insert(
    _ record: RecordReference, _ entity: JSONValue, intoPage page: Cell, _ place: FieldPlace,
    _ owner: RecordReference, _ membership: ListMembership, _ holders: inout PageHolders
  ) {
    if isHeld(record, inListOf: place, of: owner, &holders) == true { return }
    let position = position(of: entity, in: page, of: owner, membership)
    guard let position, position > 0 else { return outcome.staleFields.append((owner, place)) }
    holders.forget()
    insert(Cell(.reference, low: record.bits), of: record, into: page, at: position, place, owner)
  }

  /// The position before the first element that an entity precedes; nil if there is none.
  private func position(
    of entity: JSONValue, in list: Cell, of owner: RecordReference, _ membership: ListMembership
  ) -> Int? {
    membership.precedes.flatMap { precedes in
      records[owner][list.list].firstIndex {
        $0.kind == .reference && precedes(entity, plainFields(of: $0.record))
      }
    }
  }

  /// Inserts an element that stands for a record. The list may have been empty so far.
  mutating func insert(
    _ element: Cell, of record: RecordReference, into list: Cell, at position: Int,
    _ place: FieldPlace, _ owner: RecordReference
  ) {
    records[owner][list.list].insert(element, at: position)
    note(owner, place)
    outcome.listFields.note(
      ListFields.Field(table: owner.table, name: catalog.info(place.field).name),
      elementTable: record.table)
  }

  /// Removes an entity from every list that is known to hold its type, together with the edges that lead to
  /// it. A list becomes stale if it has an object without a key that refers to the entity and has other fields,
  /// too: only the server knows what becomes of that object.
  public mutating func removeFromLists(_ entity: Entity) {
    removeFromLists([entity])
  }

  /// Removes entities from the lists, each of which is searched once.
  mutating func removeFromLists(_ entities: Set<Entity>) {
    let entities = entities.map { catalog.inKeySpace($0) }
    outcome.superseded.entities.formUnion(entities)
    let removed = Set(entities.compactMap { records.record(of: $0, catalog) })
    let fields = Set(removed.map(\.table)).map(outcome.listFields.holding)
    var connections: Set<RecordReference> = []
    for field in Set(fields.joined()) {
      for (owner, place) in records.variants(of: field, catalog) {
        let hasChanged = remove(removed, from: field, of: owner, place)
        if hasChanged, records.isPart(field.name, of: owner, catalog) { connections.insert(owner) }
      }
    }
    refreshConnections(connections)
  }

  /// - Returns: whether the list has become shorter.
  private mutating func remove(
    _ removed: Set<RecordReference>, from field: ListFields.Field, of owner: RecordReference,
    _ place: FieldPlace
  ) -> Bool {
    let cell = records.cell(owner, place)
    guard cell.kind == .list else { return false }
    // The edges that lead to them, too.
    var gone = removed
    var hasMentions = false
    for element in records[owner][cell.list] where field.mayHold(edge: element) {
      switch isEdge(element, of: field, to: removed) {
      case true: gone.insert(element.record)
      case false: break
      case nil: hasMentions = true
      }
    }
    if hasMentions { outcome.staleFields.append((owner, place)) }
    return removeElements(of: cell, place, owner) {
      $0.isReference && gone.contains($0.record)
    }
  }

  /// Whether an element of a list stands for one of these records; nil if it may only mention one.
  private func isEdge(
    _ element: Cell, of field: ListFields.Field, to removed: Set<RecordReference>
  ) -> Bool? {
    if field.isEdges, case .entity(let node)? = records.edge(element, catalog)?.identity {
      return removed.contains(node)
    }
    guard records[element.record].refersTo(removed, row: element.record.rowInChunk) else {
      return false
    }
    return records.places(of: element.record, catalog).count == 1 ? true : nil
  }

  /// Every cached variant of a field whose name is given as `Type.field`.
  func lists(_ field: String) -> [(RecordReference, FieldPlace)] {
    listFields(field).flatMap { records.variants(of: $0, catalog) }
  }

  /// The field of each object type that a name given as `Type.field` means: an interface's field is
  /// that of its types.
  func listFields(_ field: String) -> Set<ListFields.Field> {
    let parts = field.split(separator: ".", maxSplits: 1).map(String.init)
    guard parts.count == 2 else { return [] }
    let types = catalog.policies.objectTypes(within: parts[0]).compactMap(catalog.type)
    return Set(types.map { ListFields.Field(table: catalog.table(of: $0), name: parts[1]) })
  }
}

/// The lists that a membership is about.
private struct MembershipLists {
  let fields: Set<ListFields.Field>
  /// Every cached variant of them.
  let places: [(record: RecordReference, place: FieldPlace)]
}

extension RecordPolicies {
  /// Whether a membership is about the entities of an object type.
  func covers(_ membership: ListMembership, _ typename: String) -> Bool {
    membership.typename == typename || isType(typename, within: membership.typename)
  }
}

// MARK: - Plain fields

extension StoreTransaction {
  /// A record's fields without arguments as an object; the entities that it refers to as their type and
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
    case .reference:
      let entity = records.entity(cell.record, catalog)
      return ["__typename": .string(entity?.typename ?? ""), "id": .string(entity?.id ?? "")]
    case .embedded: return plainFields(of: cell.record)
    case .list:
      return .array(
        records[record][cell.list].map { plainValue($0, of: record) ?? .null })
    case .absent, .null, .true, .false, .number, .string, .json:
      return records[record].value(of: cell)
    }
  }
}

extension RowChunk {
  /// Whether a field of a row is a reference to one of these records.
  fileprivate func refersTo(_ removed: Set<RecordReference>, row: ChunkRow) -> Bool {
    var refers = false
    forEachCell(row) { cell in
      if cell.kind == .reference, removed.contains(cell.record) { refers = true }
    }
    return refers
  }
}
