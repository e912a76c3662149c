import Weir

/// The objects that are pages of one list: connections, or others with these parts.
private struct ConnectionPages {
  let parts: PageParts
  let fields: [FieldID]
  let records: [RecordReference]
  let own: Int
  /// The records, last changed first.
  var byAge: [RecordReference]
}

extension RecordReader {
  /// Writes one connection in place of all pages in the run of `own`: their edges and nodes joined,
  /// page information from the ends of the run, and every other field from the page that changed
  /// last. Or one page with a token in place of all: its items joined, the token of the run's end, and
  /// every other field, which may be about the page alone, from the requested one.
  mutating func connection(
    _ record: RecordReference, own: FieldID, _ fields: [FieldID], _ node: SelectionNode,
    _ parts: PageParts
  ) -> Bool {
    guard let pages = connectionPages(record, own: own, fields, node, parts) else {
      let cell = state.cell(record, FieldPlace(besideRow: own))
      return composite(cell, owner: record, node)
    }
    let ownRecord = pages.records[pages.own]
    let shape = shape(node, of: ownRecord)
    let primary = parts.decisiveList { name in shape.fields.contains { $0.name == name } }
    let primaryPages = cursorPages(pages, list: primary)
    let run = PageRun(around: pages.own, of: primaryPages)
    let number = result.joined.count
    result.joined.append(
      JoinedPages(
        record: record, own: own, pages: run.joined.map { pages.fields[$0] },
        cells: ConnectionCells(object: builder.nextIndex)))
    return object(showing: pages.records, as: ownRecord, node) { reader, at in
      let field = shape.fields[at]
      if case .fixed(let place) = field.place { reader.checkAge(ownRecord, place) }
      switch (field.name, field.child) {
      case (_, let child?) where parts.lists.contains(field.name):
        reader.appendPrefix(shape, at)
        let isPrimary = field.name == primary
        let found = isPrimary ? primaryPages : reader.cursorPages(pages, list: field.name)
        let items = isPrimary ? run.items : PageRun(around: pages.own, of: found).items
        let ownItems = Set(found[pages.own].items.map(\.identity))
        let elements = ContiguousArray(items.map(\.cell))
        reader.result.joined[number].cells?.lists.append((reader.builder.nextIndex, elements))
        return reader.list(
          elements, owner: ownRecord, child,
          own: Set(items.filter { ownItems.contains($0.identity) }.map(\.cell.low)))
      case (parts.end, let child?) where parts.token == nil:
        reader.appendPrefix(shape, at)
        reader.result.joined[number].cells?.information = reader.builder.nextIndex
        return reader.pageInformation(pages, run, child)
      case (_, nil) where field.name == parts.token:
        let last = run.lastPages.first.map { pages.records[$0] } ?? ownRecord
        return reader.field(at, of: shape, in: last, instead: ownRecord)
      case _ where parts.token != nil:
        return reader.field(at, of: shape, in: ownRecord, instead: ownRecord)
      default:
        return reader.field(
          at, of: shape, in: reader.newest(pages, run, shape, at), instead: ownRecord)
      }
    }
  }

  /// Returns nil if the requested page is not a connection object with the selected lists. Others
  /// without these are left out: what they would hold is unknown.
  private mutating func connectionPages(
    _ record: RecordReference, own: FieldID, _ fields: [FieldID], _ node: SelectionNode,
    _ parts: PageParts
  ) -> ConnectionPages? {
    var found: [(FieldID, RecordReference)] = []
    for field in fields {
      let cell = state.cell(record, FieldPlace(besideRow: field))
      if cell.isReference, !isDangling(cell.record) { found.append((field, cell.record)) }
    }
    guard let requested = found.first(where: { $0.0 == own }) else { return nil }
    var names = shape(node, of: requested.1).fields.map(\.name)
    // An unselected list decides, too, whether a page is empty.
    if parts.token != nil { names += parts.lists }
    found.removeAll { _, page in
      if isPage(page, parts, with: names) { return false }
      result.trace.noteUnseen(page, state)
      return true
    }
    guard let place = found.firstIndex(where: { $0.0 == own }) else { return nil }
    let records = found.map(\.1)
    return ConnectionPages(
      parts: parts, fields: found.map(\.0), records: records, own: place,
      byAge: records.sorted { state.order(of: $0) > state.order(of: $1) })
  }

  /// The page of the run that has the field and changed last.
  private func newest(
    _ pages: ConnectionPages, _ run: PageRun, _ shape: Shape, _ at: Int
  ) -> RecordReference {
    guard case .fixed(let place) = shape.fields[at].place else { return pages.records[pages.own] }
    let joined = Set(run.joined.map { pages.records[$0] })
    return pages.byAge.first { joined.contains($0) && !state.cell($0, place).isAbsent }
      ?? pages.records[pages.own]
  }

  private mutating func shape(_ node: SelectionNode, of record: RecordReference) -> Shape {
    result.trace.shapes[Int(shapeIndex(node, state.header(record).type, isRoot: false))]
  }

  /// Writes one object for several records, whose fields `append` writes.
  private mutating func object(
    showing records: [RecordReference], as own: RecordReference, _ node: SelectionNode,
    _ append: (inout RecordReader, _ field: Int) -> Bool
  ) -> Bool {
    let index = shapeIndex(node, state.header(own).type, isRoot: false)
    let shape = result.trace.shapes[Int(index)]
    reserve(for: shape)
    let cell = builder.open(.object)
    for record in records {
      result.trace.entries.append(
        ReadTrace.Entry(
          record: record, header: state.header(record).bits, shape: index,
          cell: cell))
    }
    let keys = appendFields(of: shape) { reader, at in
      let isComplete = append(&reader, at)
      reader.reserve(for: shape)
      return isComplete
    }
    if let keys { builder.close(cell, detail: keys) }
    return keys != nil
  }

  /// Writes a field of a record in place of the requested page's, whose age alone counts.
  private mutating func field(
    _ at: Int, of shape: Shape, in record: RecordReference, instead own: RecordReference
  ) -> Bool {
    record == own
      ? field(record, state.view(record), shape, at)
      : ignoringAges { $0.field(record, $0.state.view(record), shape, at) }
  }

  /// Appends what precedes a field's value. The caller has reserved the room.
  private mutating func appendPrefix(_ shape: Shape, _ at: Int) {
    // Proof: `Shape` keeps 16 readable bytes behind its last prefix, and the room is reserved.
    shape.copyPrefix(at, to: builder.text + builder.textCount)
    builder.textCount += shape.steps[at].prefixLength
  }
}

// MARK: - Page information

extension RecordReader {
  /// Writes page information: about the beginning of the list from the run's first page, about the
  /// end from its last.
  private mutating func pageInformation(
    _ pages: ConnectionPages, _ run: PageRun, _ node: SelectionNode
  ) -> Bool {
    let own = plainCell(pages.records[pages.own], "pageInfo")
    guard own.isReference, !isDangling(own.record) else {
      return composite(own, owner: pages.records[pages.own], node)
    }
    let first = run.firstPages.compactMap { information(of: $0, pages) }
    let last = run.lastPages.compactMap { information(of: $0, pages) }
    let shape = shape(node, of: own.record)
    let all = pages.records.indices.compactMap { information(of: $0, pages) }
    return object(showing: all, as: own.record, node) { reader, at in
      let field = shape.fields[at]
      let candidates =
        switch field.name {
        case "startCursor", "hasPreviousPage": first
        case "endCursor", "hasNextPage": last
        default: [own.record]
        }
      if case .fixed(let place) = field.place { reader.checkAge(own.record, place) }
      let record =
        candidates.first { reader.hasValue($0, field) } ?? candidates.first ?? own.record
      return reader.field(at, of: shape, in: record, instead: own.record)
    }
  }

  private func information(of page: Int, _ pages: ConnectionPages) -> RecordReference? {
    let cell = plainCell(pages.records[page], "pageInfo")
    return cell.isReference && !isDangling(cell.record) ? cell.record : nil
  }

  /// Whether a page has a value. An empty page has no cursors; then those of the page beside it
  /// count.
  private func hasValue(_ record: RecordReference, _ field: ShapeField) -> Bool {
    guard case .fixed(let place) = field.place else { return true }
    let cell = state.cell(record, place)
    return !cell.isAbsent && cell != .null
  }
}

// MARK: - What pages hold

extension RecordReader {
  /// The pages, reduced to what their order depends on.
  private mutating func cursorPages(_ pages: ConnectionPages, list: String) -> [CursorPage] {
    var found: [CursorPage] = []
    var places: EdgePlaces?
    for (index, record) in pages.records.enumerated() {
      var page = withoutItems(index, pages)
      let elements = state.elements(plainCell(record, list), of: record)
      for (place, element) in elements.enumerated() {
        page.items.append(
          item(
            element, isEdge: list == "edges", &places, orAt: .place(page: index, index: place)))
      }
      found.append(page)
    }
    return found
  }

  private mutating func withoutItems(_ index: Int, _ pages: ConnectionPages) -> CursorPage {
    let (record, parts) = (pages.records[index], pages.parts)
    let arguments = arguments(of: pages.fields[index])
    var page = CursorPage()
    page.after = Self.cursor(arguments?[parts.after])
    page.version = state.order(of: record)
    // The cursors decide which pages are joined, whether they are selected or not.
    result.trace.computedFields.append((record, plainPlace(record, parts.end)))
    if let token = parts.token {
      let cell = plainCell(record, token)
      page.hasToken = true
      page.isLast = cell == .null
      page.endCursor = state.text(cell, record)
      return page
    }
    page.before = Self.cursor(arguments?["before"])
    page.isBackward = arguments?["last"]?.int != nil && arguments?["first"]?.int == nil
    if let information = information(of: index, pages) {
      result.trace.noteUnseen(information, state)
      page.startCursor = state.text(plainCell(information, "startCursor"), information)
      page.endCursor = state.text(plainCell(information, "endCursor"), information)
    }
    return page
  }

  private func plainPlace(_ record: RecordReference, _ name: String) -> FieldPlace {
    catalog.place(catalog.field(name, name: name), table: record.table)
  }

  private mutating func item(
    _ element: Cell, isEdge: Bool, _ places: inout EdgePlaces?, orAt place: ElementIdentity
  ) -> CursorPage.Item {
    let edge = isEdge ? state.edge(element, catalog, &places) : nil
    if let edge { result.trace.noteUnseen(edge.record, state) }
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
