import Weir

extension StoreTransaction {
  /// Whether another page of a list holds an entity.
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
}
