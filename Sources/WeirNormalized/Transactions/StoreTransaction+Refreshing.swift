import Weir

extension StoreTransaction {
  /// Marks every variant of a field as stale, whose name is given as `Type.field`.
  ///
  /// - Returns: whether the field is known. A wrong name must not count as a declaration.
  mutating func refresh(_ name: String) -> Bool {
    let fields = listFields(name)
    let variants = fields.flatMap { records.variants(of: $0, catalog) }
    outcome.staleFields += variants
    outcome.superseded.fields.formUnion(fields)
    invalidateStored(fields)
    return !variants.isEmpty || fields.first.map { catalog.hasField(named: $0.name) } ?? false
  }

  /// Marks the lists as stale that may have to hold a new entity, except those that a membership decides
  /// about: one with a wrong name takes nothing away from the others.
  ///
  /// - Parameter values: the parts of the data that show which types to consider; nil for all types.
  mutating func refreshListsOfNewEntities(in values: [JSON]?) {
    let tables = values.flatMap(\.typenames).map { names in
      Set(names.compactMap(catalog.type(named:)).map(catalog.table(of:)))
    }
    var typenames: [TableID: Set<String>] = [:]
    let new = outcome.changes.changes.filter(\.isNew).map(\.record)
    for record in new + outcome.writes.lazy.map(\.record).filter(newEntities.contains) {
      let header = records.header(record)
      guard header.hasRecord, records[record].key(record.rowInChunk).kind == .string,
        tables?.contains(record.table) ?? true
      else { continue }
      typenames[record.table, default: []].insert(catalog.typename(header.type))
    }
    for (table, names) in typenames { refreshLists(ofTable: table, except: decided(for: names)) }
    if !typenames.isEmpty { refreshUnknownLists() }
  }

  /// Marks the empty lists of the query's root, and of connections in it, as stale of which nothing says
  /// what they hold: the first element may be the new entity.
  private mutating func refreshUnknownLists() {
    let root = RootType.query.reference
    let decided = catalog.policies.memberships.reduce(into: Set()) {
      $0.formUnion(listFields($1.field))
    }
    for place in records.unsortedPlaces(of: root, catalog) {
      let cell = records.cell(root, place)
      let record = cell.kind == .embedded ? cell.record : root
      for list in cell.kind == .embedded ? records.places(of: record, catalog) : [place]
      where records.isEmptyList(record, list) && !decided.contains(listField(of: root, place)) {
        refreshUnknownList(of: record, list)
      }
    }
  }

  private mutating func refreshUnknownList(of record: RecordReference, _ place: FieldPlace) {
    guard brought[record]?.contains(place) != true,
      !outcome.listFields.isKnown(listField(of: record, place))
    else { return }
    outcome.staleFields.append((record, place))
  }

  private func listField(of record: RecordReference, _ place: FieldPlace) -> ListFields.Field {
    ListFields.Field(table: record.table, name: catalog.info(place.field).name)
  }

  /// The lists in which memberships decide about all these types.
  private func decided(for typenames: Set<String>) -> Set<ListFields.Field> {
    let policies = catalog.policies
    let all = typenames.map { name in
      policies.memberships.filter { policies.covers($0, name) }
        .reduce(into: Set()) { $0.formUnion(fields(decidedBy: $1)) }
    }
    return all.dropFirst().reduce(all.first ?? []) { $0.intersection($1) }
  }

  /// The list of a membership, or the lists in the connections that it names.
  private func fields(decidedBy membership: ListMembership) -> Set<ListFields.Field> {
    var fields = listFields(membership.field)
    for (owner, place) in lists(membership.field) {
      let cell = records.cell(owner, place)
      guard cell.kind == .embedded else { continue }
      fields.formUnion(outcome.listFields.all.filter { $0.table == cell.record.table })
    }
    return fields
  }

  /// Marks the lists of a type as stale.
  mutating func refreshLists(of typename: String) {
    if let type = catalog.type(named: typename) {
      refreshLists(ofTable: catalog.table(of: type))
    }
  }

  private mutating func refreshLists(
    ofTable table: TableID, except decided: Set<ListFields.Field> = []
  ) {
    let all = outcome.listFields.holding(table)
    let fields = all.subtracting(decided)
    outcome.superseded.hasUnknownLists = true
    if fields == all {
      outcome.superseded.listsOf.insert(table)
    } else {
      outcome.superseded.fields.formUnion(fields)
    }
    for field in fields {
      outcome.staleFields += records.variants(of: field, catalog).filter { record, place in
        brought[record]?.contains(place) != true
      }
    }
    invalidateStored(fields)
  }

  /// Marks lists as stale that only a storage has, because it is unknown what belongs to them.
  mutating func invalidateStored(_ fields: Set<ListFields.Field>) {
    outcome.storageChanges += fields.map {
      StorageChange(content: .stored($0), isInvalidation: true)
    }
  }
}

extension [JSON] {
  /// The names of the types of all objects in these values; nil if one has no name: its type may be known
  /// from the schema.
  fileprivate var typenames: Set<String>? {
    var names: Set<String> = []
    var rest = self
    while let value = rest.popLast() {
      rest += value.elements
      guard value.kind == .object else { continue }
      guard let name = value["__typename"]?.string else { return nil }
      names.insert(name)
      rest += value.members.map(\.value)
    }
    return names
  }
}
