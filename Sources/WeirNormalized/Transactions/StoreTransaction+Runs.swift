import Weir

extension StoreTransaction {
  /// An update that has read a list of several pages has written all of it to the requested page.
  /// Whatever the list does not hold any more has to leave the other pages, too.
  mutating func removeFromOtherPages(_ joined: [JoinedPages]) {
    for run in joined where run.pages.count > 1 {
      let kept = Set(
        lists(inPage: run.own, of: run.record).flatMap { elements(of: $0).compactMap(\.identity) })
      for page in run.pages where page != run.own {
        for list in lists(inPage: page, of: run.record) {
          let elements = elements(of: list)
          // The requested page has those that nothing identifies, but it loses them when it is
          // requested again: then this page has to be, too.
          if elements.contains(where: { $0.identity == nil }) {
            outcome.staleFields.append((run.record, FieldPlace(besideRow: page)))
          }
          let gone = elements.filter { $0.identity.map { !kept.contains($0) } ?? true }
          removeElements(
            of: list.cell, list.place, list.record, where: Set(gone.map(\.cell)).contains)
        }
      }
    }
  }

  /// The lists of a page: itself, or those of a connection object.
  private func lists(inPage page: FieldID, of owner: RecordReference) -> [PageList] {
    let place = FieldPlace(besideRow: page)
    let cell = records.cell(owner, place)
    if cell.kind == .list {
      return [PageList(record: owner, place: place, cell: cell, isEdges: false)]
    }
    guard cell.isReference, records.header(cell.record).type != .removed else { return [] }
    return self.page(cell.record).lists
  }
}
