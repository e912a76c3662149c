import Weir

extension RecordReader {
  /// Finds out how the pages around the one in `own` are shown. Nil if that is not an object with the selected
  /// lists. Others without these are left out: what they would hold is unknown.
  mutating func joined(
    _ owner: RecordReference, own: FieldID, _ fields: [FieldID], _ node: SelectionNode,
    _ parts: PageParts
  ) -> JoinedConnection? {
    var candidates: [JoinedConnection.Page] = []
    for field in fields {
      let cell = state.cell(owner, FieldPlace(besideRow: field))
      if cell.isReference, !isDangling(cell.record) {
        candidates.append(JoinedConnection.Page(field: field, record: cell.record))
      }
    }
    guard let requested = candidates.first(where: { $0.field == own }) else { return nil }
    let sources = JoinedConnection.Sources(
      owner: owner, own: own, candidates: candidates,
      names: shape(node, of: requested.record).fields.map(\.name))
    var others = OtherDependencies()
    let found =
      previous?.joined(like: sources, in: state) ?? join(sources, requested, parts, &others)
    result.trace.note(found?.others ?? others)
    if let found { result.trace.joined[result.trace.entries.count] = found }
    return found
  }

  private func join(
    _ sources: JoinedConnection.Sources, _ requested: JoinedConnection.Page, _ parts: PageParts,
    _ others: inout OtherDependencies
  ) -> JoinedConnection? {
    // An unselected list decides, too, whether a page with a token is empty.
    let names = parts.token == nil ? sources.names : sources.names + parts.lists
    var pages: [JoinedConnection.Page] = []
    for page in sources.candidates {
      if isPage(page.record, parts, with: names) {
        pages.append(page)
      } else {
        others.noteUnseen(page.record, state)
      }
    }
    guard let own = pages.firstIndex(of: requested) else { return nil }
    let outlines = pages.map { outline(of: $0, parts, &others) }
    let primary = parts.decisiveList(isSelected: sources.names.contains)
    var lists: [String: JoinedConnection.List] = [:]
    let run = list(primary, of: pages, outlines, own, &others, &lists[primary])
    for name in parts.lists where name != primary && sources.names.contains(name) {
      _ = list(name, of: pages, outlines, own, &others, &lists[name])
    }
    let shown = run.joined.sorted().map { pages[$0].record }
    return JoinedConnection(
      sources: sources, headers: sources.candidates.map { state.header($0.record).bits },
      pages: pages, own: requested.record, run: run.joined.map { pages[$0].field },
      newestFirst: shown.sorted { state.order(of: $0) > state.order(of: $1) },
      firstPages: run.firstPages.map { pages[$0].record },
      lastPages: run.lastPages.map { pages[$0].record }, lists: lists, others: others)
  }

  /// Joins one of the lists that the pages have.
  private func list(
    _ name: String, of pages: [JoinedConnection.Page], _ outlines: [CursorPage], _ own: Int,
    _ others: inout OtherDependencies, _ list: inout JoinedConnection.List?
  ) -> PageRun {
    var filled = outlines
    var places: EdgePlaces?
    for (index, page) in pages.enumerated() {
      let elements = state.elements(plainCell(page.record, name), of: page.record)
      filled[index].items = elements.enumerated().map { place, element in
        item(
          element, isEdge: name == "edges", &places, orAt: .place(page: index, index: place),
          &others)
      }
    }
    let run = PageRun(around: own, of: filled)
    let items = run.items
    let ownItems = Set(filled[own].items.map(\.identity))
    list = JoinedConnection.List(
      elements: ContiguousArray(items.map(\.cell)),
      own: Set(items.lazy.filter { ownItems.contains($0.identity) }.map(\.cell.low)))
    return run
  }

  /// A page without its elements, reduced to what its place depends on.
  private func outline(
    of page: JoinedConnection.Page, _ parts: PageParts, _ others: inout OtherDependencies
  ) -> CursorPage {
    let (record, arguments) = (page.record, arguments(of: page.field))
    var outline = CursorPage()
    outline.after = Self.cursor(arguments?[parts.after])
    outline.version = state.order(of: record)
    // The cursors decide which pages are joined, whether they are selected or not.
    others.noteSource(record, plainPlace(record, parts.end))
    if let token = parts.token {
      let cell = plainCell(record, token)
      outline.hasToken = true
      outline.isLast = cell == .null
      outline.endCursor = state.text(cell, record)
      return outline
    }
    outline.before = Self.cursor(arguments?["before"])
    outline.isBackward = arguments?["last"]?.int != nil && arguments?["first"]?.int == nil
    // Also if it was removed: it may come back.
    let cell = plainCell(record, "pageInfo")
    if cell.isReference { others.noteUnseen(cell.record, state) }
    if let information = information(of: record) {
      outline.startCursor = state.text(plainCell(information, "startCursor"), information)
      outline.endCursor = state.text(plainCell(information, "endCursor"), information)
    }
    return outline
  }

  private func plainPlace(_ record: RecordReference, _ name: String) -> FieldPlace {
    catalog.place(catalog.field(name, name: name), table: record.table)
  }

  private func item(
    _ element: Cell, isEdge: Bool, _ places: inout EdgePlaces?, orAt place: ElementIdentity,
    _ others: inout OtherDependencies
  ) -> CursorPage.Item {
    let edge = isEdge ? state.edge(element, catalog, &places) : nil
    // Also if it was removed: it may come back.
    if isEdge, element.isReference { others.noteUnseen(element.record, state) }
    return CursorPage.Item(
      cell: element,
      identity: (isEdge ? edge?.identity : element.entity.map { .entity($0) }) ?? place,
      cursor: edge?.cursor)
  }

  /// The text of a cursor that is an argument. Some servers have numbers as cursors. Any other value leads
  /// nowhere, but its page is not the first one.
  private static func cursor(_ argument: JSONValue?) -> ExactString? {
    switch argument {
    case .string(let text): ExactString(text)
    case .null, nil: nil
    case let other?: ExactString(other.description)
    }
  }
}
