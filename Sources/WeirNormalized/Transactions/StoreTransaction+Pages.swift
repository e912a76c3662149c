import Weir

extension StoreTransaction {
  /// Whether another page of the same list holds an entity.
  func otherPage(
    of list: FieldID, than page: FieldID, on owner: RecordReference, holds record: RecordReference
  ) -> Bool {
    catalog.pages(of: list).contains { other in
      guard other != page else { return false }
      let cell = records.cell(owner, FieldPlace(field: other, slot: -1))
      return cell.kind == .list
        && records[owner].lists[cell.list].contains { $0.isReference && $0.record == record }
    }
  }

  /// Where an entity goes in a page, by the list's order; nil if it may belong into another page.
  func position(
    in page: Cell, of owner: RecordReference, precedes: (RecordReference) -> Bool
  ) -> Int? {
    let elements = records[owner].lists[page.list]
    let place = elements.firstIndex { $0.kind == .reference && precedes($0.record) }
    return place.flatMap { $0 > 0 ? $0 : nil }
  }
}
