import Weir

/// Identifies an element of a page.
private enum PageMember: Hashable {
  case entity(RecordReference)
  case cursor(JSONValue)
}

extension StoreTransaction {
  /// An update that has read a list of several pages has written all of it to the requested page.
  /// Whatever the list does not hold any more has to leave the other pages, too.
  mutating func finishRuns(of target: ReadTarget, _ before: RecordState) {
    guard catalog.hasPages,
      let runs = target.read(before, catalog, allowsPartial: false)?.trace.runs
    else { return }
    for run in runs where run.pages.count > 1 {
      let lists = lists(inPage: run.own, of: run.record)
      let kept = Set(
        lists.flatMap { list in
          records[list.record][list.cell.list].compactMap { member($0) }
        })
      for page in run.pages where page != run.own {
        for list in self.lists(inPage: page, of: run.record) {
          let elements = records[list.record][list.cell.list]
          let members = elements.map { member($0) }
          // The requested page has those that nothing identifies, but it loses them when it is
          // requested again: then this page has to be, too.
          if members.contains(nil) {
            outcome.staleFields.append((run.record, FieldPlace(besideRow: page)))
          }
          let gone = zip(elements, members).filter { $1.map { !kept.contains($0) } ?? true }
          let cells = Set(gone.map(\.0))
          removeElements(of: list.cell, list.place, list.record, where: cells.contains)
        }
      }
    }
  }

  /// The lists of a page: itself, or those of a connection object.
  private func lists(
    inPage page: FieldID, of owner: RecordReference
  ) -> [(record: RecordReference, place: FieldPlace, cell: Cell)] {
    let place = FieldPlace(besideRow: page)
    let cell = records.cell(owner, place)
    if cell.kind == .list { return [(owner, place, cell)] }
    guard cell.isReference, records.header(cell.record).type != .removed else { return [] }
    let connection = self.page(cell.record)
    return connection.lists.map { (connection.record, $0.place, $0.cell) }
  }

  /// What identifies an element; nil if nothing does.
  private func member(_ cell: Cell) -> PageMember? {
    if cell.kind == .reference { return .entity(cell.record) }
    guard cell.kind == .embedded else { return nil }
    if let entity = node(of: cell.record)?.entity { return .entity(entity) }
    let place = records.places(of: cell.record, catalog).first {
      catalog.info($0.field).storageKey == "cursor"
    }
    let cursor = place.flatMap { records[cell.record].value(of: records.cell(cell.record, $0)) }
    return cursor.flatMap { $0.isNull ? nil : .cursor($0) }
  }
}
