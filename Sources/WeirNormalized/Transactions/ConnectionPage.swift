import Weir

/// A list that is a page, or within one.
struct PageList {
  /// The record that has the list.
  let record: RecordReference
  let place: FieldPlace
  let cell: Cell
  /// Whether the elements are the edges of a connection.
  let isEdges: Bool
}

/// The parts of one page that is an object, mostly of a connection, which a membership may change.
struct ConnectionPage {
  /// The connection object.
  let record: RecordReference
  /// The page's lists: edges, nodes, or both.
  var lists: [PageList] = []
  /// Whether there are elements before or after the page; nil if it was not selected.
  var hasPrevious: Bool?
  var hasNext: Bool?
  /// Whether it has other fields, such as a count of its elements.
  var hasOthers = false
}

extension RecordState {
  /// The page that is the value of a field, or an element of it.
  func page(
    _ connection: RecordReference, in place: FieldPlace, of owner: RecordReference,
    _ catalog: Catalog
  ) -> ConnectionPage {
    let parts = pageParts(of: place.field, on: owner, catalog)
    var page = ConnectionPage(record: connection)
    for place in places(of: connection, catalog) {
      let cell = cell(connection, place)
      let key = catalog.info(place.field).storageKey
      switch key {
      case _ where cell.kind == .list && parts.lists.contains(key):
        page.lists.append(
          PageList(record: connection, place: place, cell: cell, isEdges: key == "edges"))
      case parts.end where parts.token != nil: page.hasNext = cell.kind != .null
      case parts.end where cell.kind == .embedded:
        page.hasPrevious = flag("hasPreviousPage", of: cell.record, catalog)
        page.hasNext = flag("hasNextPage", of: cell.record, catalog)
      default: page.hasOthers = true
      }
    }
    return page
  }

  private func flag(
    _ name: String, of record: RecordReference, _ catalog: Catalog
  ) -> Bool? {
    let place = places(of: record, catalog).first {
      catalog.info($0.field).storageKey == name
    }
    return switch place.map({ cell(record, $0).kind }) {
    case .true: true
    case .false: false
    default: nil
    }
  }

  /// The elements of a page's list, with what identifies them.
  func elements(
    of list: PageList, _ catalog: Catalog
  ) -> [(cell: Cell, identity: ElementIdentity?)] {
    self[list.record][list.cell.list].map { cell in
      if !list.isEdges, let entity = cell.entity { return (cell, .entity(entity)) }
      return (cell, edge(cell, catalog)?.identity)
    }
  }

  /// The entities that a list holds, or a page of a connection; nil if its edges and its nodes, which may be
  /// of different ages, do not hold the same ones.
  func entities(
    inListAt place: FieldPlace, of owner: RecordReference, _ catalog: Catalog
  ) -> Set<RecordReference>? {
    let cell = cell(owner, place)
    switch cell.kind {
    case .list: return Set(self[owner][cell.list].lazy.filter(\.isReference).map(\.record))
    case .embedded:
      let lists = page(cell.record, in: place, of: owner, catalog).lists.map { list in
        Set<RecordReference>(
          elements(of: list, catalog).compactMap { element in
            guard case .entity(let entity) = element.identity else { return nil }
            return entity
          })
      }
      return lists.first.flatMap { first in lists.allSatisfy { $0 == first } ? first : nil }
    default: return []
    }
  }
}
