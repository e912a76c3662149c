package import Weir

/// Identifies an element of a page: by the entity that it is or that an edge leads to, otherwise by
/// the edge's cursor.
package enum ElementIdentity: Hashable {
  case entity(RecordReference)
  case cursor(ExactString)
  /// Nothing identifies it: two places never hold the same element.
  case place(page: Int, index: Int)
}

/// The parts of an edge that identify and place it, whether or not it has a key of its own.
package struct Edge {
  let record: RecordReference
  /// The entity that it leads to.
  let node: RecordReference?
  let cursor: ExactString?

  /// Nil if nothing identifies it.
  package var identity: ElementIdentity? {
    node.map { .entity($0) } ?? cursor.map { .cursor($0) }
  }
}

/// Where the records of a table have what identifies and places an edge.
struct EdgePlaces {
  let table: TableID
  let node: FieldPlace
  let cursor: FieldPlace

  init(_ table: TableID, _ catalog: Catalog) {
    self.table = table
    node = catalog.place(catalog.field("node", name: "node"), table: table)
    cursor = catalog.place(catalog.field("cursor", name: "cursor"), table: table)
  }
}

extension RecordState {
  /// An element of a list of edges; nil if it is null or missing.
  package func edge(_ element: Cell, _ catalog: Catalog) -> Edge? {
    var places: EdgePlaces?
    return edge(element, catalog, &places)
  }

  /// As above; `places` are those of the element before, which is nearly always of the same table.
  func edge(_ element: Cell, _ catalog: Catalog, _ places: inout EdgePlaces?) -> Edge? {
    guard element.isReference, header(element.record).type != .removed else { return nil }
    let record = element.record
    let known =
      places.flatMap { $0.table == record.table ? $0 : nil } ?? EdgePlaces(record.table, catalog)
    places = known
    return Edge(
      record: record, node: cell(record, known.node).entity,
      cursor: text(cell(record, known.cursor), record))
  }

  /// A field without arguments that a policy looks at; absent if the record does not have it.
  package func plainCell(_ record: RecordReference, _ name: String, _ catalog: Catalog) -> Cell {
    cell(record, catalog.place(catalog.field(name, name: name), table: record.table))
  }

  /// A string or a number as text.
  func text(_ cell: Cell, _ record: RecordReference) -> ExactString? {
    guard cell.kind == .string || cell.kind == .number else { return nil }
    if !cell.isIrregular || cell.kind == .number {
      return self[record].withText(cell) { ExactString(String(decoding: $0, as: UTF8.self)) }
    }
    return self[record].value(of: cell)?.string.map(ExactString.init)
  }
}
