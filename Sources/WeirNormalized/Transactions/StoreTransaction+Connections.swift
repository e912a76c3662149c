import Weir

/// The lists of which a page holds one entity. The pages of a list are searched once.
struct PageHolders {
  fileprivate struct List: Hashable {
    let owner: RecordReference
    let field: FieldID
  }

  private var isHeld: [List: Bool] = [:]

  mutating func isHeld(
    in list: FieldID, of owner: RecordReference, search: () -> Bool
  ) -> Bool {
    let list = List(owner: owner, field: list)
    if let known = isHeld[list] { return known }
    let found = search()
    isHeld[list] = found
    return found
  }

  /// The entity was inserted into a page, or removed from one.
  mutating func forget() { isHeld = [:] }
}

extension StoreTransaction {
  /// Puts an entity into a page of a connection, or removes it.
  ///
  /// - Returns: whether the page is correct; otherwise it has to be requested again.
  mutating func update(
    connection: RecordReference, of owner: RecordReference, _ place: FieldPlace,
    with record: RecordReference, _ entity: JSONValue, belongs: Bool?,
    _ membership: ListMembership, _ holders: inout PageHolders
  ) -> Bool {
    guard let belongs else { return false }
    var page = records.page(connection, in: place, of: owner, catalog)
    guard !page.lists.isEmpty, !holdsObjects(page) else { return false }
    if !belongs {
      guard holds(page, record) else { return true }
      holders.forget()
      if remove(record, from: page) { refreshCounts(of: owner, place) }
      return true
    }
    if isHeld(record, inListOf: place, of: owner, &holders) ?? holds(page, record) { return true }
    limitKnowledge(of: &page, place, of: owner)
    guard insert(record, entity, into: page, membership, &holders) else { return false }
    refreshCounts(of: owner, place)
    return true
  }

  /// Whether a list of entities holds objects around them instead.
  private func holdsObjects(_ page: ConnectionPage) -> Bool {
    page.lists.contains { !$0.isEdges && holdsEdgesOrLists($0.cell, of: $0.record) }
  }

  /// Notes what the arguments of a page say about its ends, and what its page information leaves open.
  private func limitKnowledge(
    of page: inout ConnectionPage, _ place: FieldPlace, of owner: RecordReference
  ) {
    let parts = records.pageParts(of: place.field, on: owner, catalog)
    let info = catalog.info(place.field)
    let arguments = FieldArguments.arguments(in: info.storageKey, name: info.name)
    let isFirst = arguments[parts.after] ?? .null == .null
    if parts.token != nil {
      // The token may be within another argument.
      page.hasPrevious = isFirst && !arguments.hasMember(parts.after) ? false : nil
      return
    }
    // Relay allows a server not to look beyond a cursor: there, `false` may mean that it does not know.
    if !isFirst { page.hasPrevious = nil }
    if arguments["before"] ?? .null != .null { page.hasNext = nil }
    // Nothing precedes the first elements, whether the query selects that or not. Any other argument may
    // skip some.
    let others = arguments.object?.filter { $0.key != "first" && !$0.value.isNull } ?? []
    if page.hasPrevious == nil, others.isEmpty { page.hasPrevious = false }
  }

  private func holds(_ page: ConnectionPage, _ entity: RecordReference) -> Bool {
    page.lists.contains { list in
      records.elements(of: list, catalog).contains { $0.identity == .entity(entity) }
    }
  }

  /// - Returns: whether the page had the entity.
  private mutating func remove(_ record: RecordReference, from page: ConnectionPage) -> Bool {
    var hasChanged = false
    for list in page.lists {
      let gone = records.elements(of: list, catalog).filter { $0.identity == .entity(record) }.map(
        \.cell)
      if removeElements(of: list.cell, list.place, page.record, where: gone.contains) {
        hasChanged = true
      }
    }
    return hasChanged
  }

  /// Marks connections whose elements have changed as stale if they have more than these, such as a count, and
  /// the other pages of their lists that have: a count is about all of them.
  mutating func refreshConnections(_ connections: Set<RecordReference>) {
    var lists: Set<PageHolders.List> = []
    for connection in connections {
      guard let (owner, place) = records.place(ofEmbedded: connection, catalog) else { continue }
      guard records.cell(owner, place).kind == .embedded else {
        // It is an element of a list.
        if records.page(connection, in: place, of: owner, catalog).hasOthers {
          outcome.staleFields.append((owner, place))
        }
        continue
      }
      let list = catalog.info(place.field).list ?? place.field
      guard lists.insert(PageHolders.List(owner: owner, field: list)).inserted else { continue }
      refreshCounts(of: owner, place)
    }
  }

  private mutating func refreshCounts(of owner: RecordReference, _ place: FieldPlace) {
    let pages = catalog.info(place.field).list.map { list in
      records.pages(of: list, on: owner, catalog).map { FieldPlace(besideRow: $0) }
    }
    for page in pages ?? [place] {
      let cell = records.cell(owner, page)
      if cell.kind == .embedded, records.page(cell.record, in: page, of: owner, catalog).hasOthers {
        outcome.staleFields.append((owner, page))
      }
    }
  }

  /// Whether an entity is in any page of the list to which a page belongs; nil if the field is not a page.
  func isHeld(
    _ record: RecordReference, inListOf place: FieldPlace, of owner: RecordReference,
    _ holders: inout PageHolders
  ) -> Bool? {
    guard let list = catalog.info(place.field).list else { return nil }
    return holders.isHeld(in: list, of: owner) {
      records.pages(of: list, on: owner, catalog).contains {
        holds(FieldPlace(besideRow: $0), of: owner, record)
      }
    }
  }

  /// Whether a list, or a page of a connection, holds an entity.
  func holds(_ place: FieldPlace, of owner: RecordReference, _ entity: RecordReference) -> Bool {
    let cell = records.cell(owner, place)
    return switch cell.kind {
    case .list: records[owner][cell.list].contains { $0.isReference && $0.record == entity }
    case .embedded: holds(records.page(cell.record, in: place, of: owner, catalog), entity)
    default: false
    }
  }

  /// Inserts an entity where its position is known: between two others, or at an end after which there is
  /// nothing. Only a server can make an edge that has more than its node, such as a cursor.
  ///
  /// - Returns: whether the position is known.
  private mutating func insert(
    _ record: RecordReference, _ entity: JSONValue, into page: ConnectionPage,
    _ membership: ListMembership, _ holders: inout PageHolders
  ) -> Bool {
    var insertions: [(list: PageList, position: Int, edge: RecordReference?)] = []
    for list in page.lists {
      let elements = records.elements(of: list, catalog)
      let next = membership.precedes.flatMap { precedes in
        elements.firstIndex { element in
          guard case .entity(let other) = element.identity else { return false }
          return precedes(entity, plainFields(of: other))
        }
      }
      let position = next ?? elements.count
      guard position > 0 || page.hasPrevious == false,
        position < elements.count || page.hasNext == false
      else { return false }
      var sample: RecordReference?
      if list.isEdges {
        sample = elements.first { $0.cell.kind == .embedded }?.cell.record
        guard let sample, records.places(of: sample, catalog).count == 1,
          records.plainCell(sample, "node", catalog).entity != nil
        else { return false }
      }
      insertions.append((list, position, sample))
    }
    holders.forget()
    for (list, position, sample) in insertions {
      let element = sample.map { makeEdge(like: $0, in: list, to: record) }
      insert(
        element ?? Cell(.reference, low: record.bits), of: record, into: list.cell, at: position,
        list.place, list.record)
    }
    return true
  }

  private mutating func makeEdge(
    like sample: RecordReference, in list: PageList, to record: RecordReference
  ) -> Cell {
    let edge = records.makeEmbedded(
      RowHeader(version: version, type: records.header(sample).type), table: sample.table,
      owner: list.record, list.place.field)
    if let place = records.places(of: sample, catalog).first {
      records[edge].setCell(Cell(.reference, low: record.bits), edge.rowInChunk, place)
    }
    outcome.changes.changes.append(
      ChangeSet.Change(record: edge, slots: .max, fields: [], isNew: true))
    return Cell(.embedded, low: edge.bits)
  }
}

extension JSONValue {
  /// Whether an object within has a member of this name that is not null.
  fileprivate func hasMember(_ name: String) -> Bool {
    switch self {
    case .object(let members):
      members.contains { $0.key == name && $0.value != .null || $0.value.hasMember(name) }
    case .array(let elements): elements.contains { $0.hasMember(name) }
    default: false
    }
  }
}
