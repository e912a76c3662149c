import Weir

extension RecordReader {
  /// Writes one connection in place of all pages in the run of `own`: their edges and nodes joined,
  /// page information from the ends of the run, and every other field from the page that changed
  /// last. Or one page with a token in place of all: its items joined, the token of the run's end, and
  /// every other field, which may be about the page alone, from the requested one.
  mutating func connection(
    _ record: RecordReference, own: FieldID, _ fields: [FieldID], _ node: SelectionNode,
    _ parts: PageParts
  ) -> Bool {
    guard let pages = joined(record, own: own, fields, node, parts) else {
      let cell = state.cell(record, FieldPlace(besideRow: own))
      return composite(cell, owner: record, node)
    }
    let ownRecord = pages.own
    let shape = shape(node, of: ownRecord)
    let number = result.joined.count
    let cells = ConnectionCells(object: builder.nextIndex)
    result.joined.append(JoinedPages(record: record, own: own, pages: pages.run, cells: cells))
    return object(showing: pages.pages.map(\.record), as: ownRecord, node) { reader, at in
      let field = shape.fields[at]
      if case .fixed(let place) = field.place { reader.checkAge(ownRecord, place) }
      switch (field.name, field.child) {
      case (_, let child?) where parts.lists.contains(field.name):
        reader.appendPrefix(shape, at)
        let list = pages.lists[field.name] ?? JoinedConnection.List()
        reader.result.joined[number].cells?.lists.append((reader.builder.nextIndex, list.elements))
        return reader.list(list.elements, owner: ownRecord, child, own: list.own)
      case (parts.end, let child?) where parts.token == nil:
        reader.appendPrefix(shape, at)
        reader.result.joined[number].cells?.information = reader.builder.nextIndex
        return reader.pageInformation(pages, child)
      case (_, nil) where field.name == parts.token:
        let last = pages.lastPages.first ?? ownRecord
        return reader.field(at, of: shape, in: last, instead: ownRecord)
      case _ where parts.token != nil:
        return reader.field(at, of: shape, in: ownRecord, instead: ownRecord)
      default:
        return reader.field(
          at, of: shape, in: reader.newest(pages, shape, at), instead: ownRecord)
      }
    }
  }

  /// The page of the run that has the field and changed last.
  private func newest(
    _ pages: JoinedConnection, _ shape: Shape, _ at: Int
  ) -> RecordReference {
    guard case .fixed(let place) = shape.fields[at].place else { return pages.own }
    return pages.newestFirst.first { !state.cell($0, place).isAbsent } ?? pages.own
  }

  mutating func shape(_ node: SelectionNode, of record: RecordReference) -> Shape {
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
    let end = previous?.enter(records, shape)
    defer { if let end { previous?.leave(end) } }
    for record in records {
      result.trace.entries.append(
        ReadTrace.Entry(
          record: record, header: state.header(record).bits, shape: index,
          cell: cell))
    }
    // None of the records alone says what the object shows.
    result.trace.noteDependence()
    let keys = appendFields(of: shape) { reader, at in
      let isComplete = append(&reader, at)
      reader.reserve(for: shape)
      return isComplete
    }
    guard let keys else { return false }
    noteKeys(keys, of: shape, index: index)
    builder.close(cell, detail: keys)
    return true
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
    _ pages: JoinedConnection, _ node: SelectionNode
  ) -> Bool {
    let own = plainCell(pages.own, "pageInfo")
    guard own.isReference, !isDangling(own.record) else {
      return composite(own, owner: pages.own, node)
    }
    let first = pages.firstPages.compactMap { information(of: $0) }
    let last = pages.lastPages.compactMap { information(of: $0) }
    let shape = shape(node, of: own.record)
    let all = pages.pages.compactMap { information(of: $0.record) }
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

  func information(of page: RecordReference) -> RecordReference? {
    let cell = plainCell(page, "pageInfo")
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
