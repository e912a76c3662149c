import Weir

extension StoreTransaction {
  /// An update has written lists of several pages to the requested ones: gives each page its elements back,
  /// and a new element to the page of the element before it. Notes the changed pages other than the requested
  /// ones.
  ///
  /// - Returns: the lists that cannot be split: that were written through several of their pages, in which
  ///   several pages have the same element, whose elements are in another order than the pages, or whose
  ///   pages are not lists of entities.
  mutating func splitIntoPages(
    _ joined: [JoinedPages], since before: RecordState,
    _ moved: inout [(RecordReference, FieldPlace)]
  ) -> [JoinedPages] {
    // The same list may be shown several times.
    let lists = Dictionary(grouping: joined) { [$0.record: Set($0.pages)] }
    var unsplit: [JoinedPages] = []
    for runs in lists.values {
      if Set(runs.map(\.own)).count > 1 || !split(runs[0], since: before, &moved) {
        unsplit += runs
      }
    }
    return unsplit
  }

  private mutating func split(
    _ run: JoinedPages, since before: RecordState, _ moved: inout [(RecordReference, FieldPlace)]
  ) -> Bool {
    var pages: [RecordReference: Int] = [:]
    for (index, page) in run.pages.enumerated() {
      let cell = before.cell(run.record, FieldPlace(besideRow: page))
      guard cell.kind == .list else { return false }
      for element in before.elements(cell, of: run.record) {
        guard element.kind == .reference, pages.updateValue(index, forKey: element.record) == nil
        else { return false }
      }
    }
    var parts = run.pages.map { _ in ContiguousArray<Cell>() }
    var current = 0
    let whole = records.cell(run.record, FieldPlace(besideRow: run.own))
    for element in records.elements(whole, of: run.record) {
      guard element.kind == .reference else { return false }
      let page = pages[element.record] ?? current
      guard page >= current else { return false }
      current = page
      parts[page].append(element)
    }
    for (page, part) in zip(run.pages, parts) {
      let place = FieldPlace(besideRow: page)
      let cell = records.cell(run.record, place)
      guard cell.kind == .list, records.elements(cell, of: run.record) != part else { continue }
      records[run.record][cell.list] = part
      if page != run.own { moved.append((run.record, place)) }
    }
    return true
  }

  /// An update that has read another list of several pages has written all of it to the requested page.
  /// Whatever the list does not hold any more has to leave the other pages, too.
  mutating func removeFromOtherPages(_ joined: [JoinedPages]) {
    for run in joined {
      let kept = Set(
        lists(inPage: run.own, of: run.record).flatMap {
          records.elements(of: $0, catalog).compactMap(\.identity)
        })
      for page in run.pages where page != run.own {
        for list in lists(inPage: page, of: run.record) {
          let elements = records.elements(of: list, catalog)
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
    return records.page(cell.record, in: place, of: owner, catalog).lists
  }
}
