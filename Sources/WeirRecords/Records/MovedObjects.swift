/// The rows that a reload has given to objects without keys, by the rows that they had before.
///
/// An object without a key is the same as before if it has the same type and is in the same place: the same
/// field of the same record or object, or the same position of a list of the same length.
package struct MovedObjects {
  private let before: RecordState
  private let after: RecordState
  private let catalog: Catalog
  package private(set) var rows: [RecordReference: RecordReference] = [:]

  package init(before: RecordState, after: RecordState, _ catalog: Catalog) {
    self.before = before
    self.after = after
    self.catalog = catalog
  }

  /// Compares a record that has been loaded again.
  package mutating func follow(_ record: RecordReference) {
    guard isHere(record) else { return }
    follow(after.places(of: record, catalog), of: record, from: record)
  }

  /// Compares one field of a record that has been loaded again.
  package mutating func follow(_ place: FieldPlace, of record: RecordReference) {
    guard isHere(record) else { return }
    follow([place], of: record, from: record)
  }

  private func isHere(_ record: RecordReference) -> Bool {
    before.hasRow(of: record) && after.hasRow(of: record)
  }

  private mutating func follow(
    _ places: [FieldPlace], of record: RecordReference, from old: RecordReference
  ) {
    for place in places {
      follow(after.cell(record, place), of: record, from: before.cell(old, place), of: old)
    }
  }

  private mutating func follow(
    _ cell: Cell, of record: RecordReference, from former: Cell, of old: RecordReference
  ) {
    guard cell.kind == former.kind else { return }
    switch cell.kind {
    case .embedded:
      let (object, former) = (cell.record, former.record)
      guard after.header(object).type == before.header(former).type else { return }
      rows[former] = object
      follow(after.places(of: object, catalog), of: object, from: former)
    case .list:
      let (elements, formerElements) = (after[record][cell.list], before[old][former.list])
      guard elements.count == formerElements.count else { return }
      for (element, former) in zip(elements, formerElements) {
        follow(element, of: record, from: former, of: old)
      }
    default: break
    }
  }
}
