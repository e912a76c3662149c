import Weir

extension RecordReader {
  /// Reads a field whose values are pages: the run around the requested page.
  mutating func pages(
    _ record: RecordReference, _ shape: Shape, _ at: Int, _ place: FieldPlace, _ policy: PagePolicy
  ) -> Bool {
    let own = state.cell(record, place)
    checkAge(record, place)
    guard !own.isAbsent, own != .null, let list = catalog.info(place.field).list else {
      return objects(record, own, shape, at)
    }
    result.trace.noteList(record, list)
    var pages = state.pages(of: list, on: record, catalog)
    guard pages.count > 1 || policy.isAlwaysMerged, policy.fits(own),
      let node = shape.fields[at].child
    else {
      return objects(record, own, shape, at)
    }
    if pages.count > 1 { joinsPages = true }
    pages = whole(pages, of: record, node, own: place.field)
    let isComplete: Bool
    switch policy.merge {
    case .objects(let parts):
      isComplete = connection(record, own: place.field, pages, node, parts)
    case .offsets(let offset, let limit):
      let run = offsetRun(record, own: place.field, pages, offset: offset, limit: limit)
      isComplete = self.list(run, owner: record, node, own: ownCells(own, of: record))
    case .closure(let fields, let merge):
      isComplete = self.list(
        merged(record, pages, fields, merge), owner: record, node, own: ownCells(own, of: record))
    }
    reserve(for: shape)
    return isComplete
  }

  /// The arguments that select a page.
  func arguments(of page: FieldID) -> JSONValue? {
    let info = catalog.info(page)
    return PageKey.arguments(of: info.storageKey, name: info.name).flatMap {
      $0.page.isEmpty ? [:] : try? JSON(parsing: $0.page).value
    }
  }

  private func ownCells(_ page: Cell, of record: RecordReference) -> Set<UInt64> {
    Set(state.elements(page, of: record).map(\.low))
  }

  /// A plain field of a record that a policy looks at; absent if the record does not have it. The
  /// record must be in the trace.
  func plainCell(_ record: RecordReference, _ name: String) -> Cell {
    state.plainCell(record, name, catalog)
  }
}

// MARK: - Offsets

extension RecordReader {
  /// The elements of all pages that adjoin or overlap the requested one. Where pages overlap, the
  /// page with the greater offset counts, and among pages of the same offset the requested one. An
  /// entity that is in two pages, because the list changed between the requests, is shown where it
  /// comes first.
  private mutating func offsetRun(
    _ record: RecordReference, own: FieldID, _ pages: [FieldID], offset: String, limit: String
  ) -> ContiguousArray<Cell> {
    var found: [OffsetPage] = []
    for page in pages {
      let arguments = arguments(of: page)
      let place = FieldPlace(besideRow: page)
      let cell = state.cell(record, place)
      guard cell.kind == .list else { continue }
      let elements = state.elements(cell, of: record)
      let start = max(0, Int(clamping: arguments?[offset]?.int ?? 0))
      // Elements beyond the limit were added by hand; they do not move later pages.
      let asked = arguments?[limit]?.int.map(Int.init(clamping:)) ?? elements.count
      let length = max(0, min(asked, Int.max - start))
      found.append(
        OffsetPage(field: page, start: start, end: start + length, elements: elements))
    }
    found.sort {
      ($0.start, $0.field == own ? 1 : 0, $0.end, $0.field.rawValue)
        < ($1.start, $1.field == own ? 1 : 0, $1.end, $1.field.rawValue)
    }
    var run: [OffsetPage] = []
    var end = Int.min
    for page in found {
      if page.start > end {
        if run.contains(where: { $0.field == own }) { break }
        run = []
      }
      run.append(page)
      end = max(end, page.end)
    }
    result.joined.append(JoinedPages(record: record, own: own, pages: run.map(\.field)))
    return OffsetPage.joined(run)
  }

  private struct OffsetPage {
    let field: FieldID
    let start: Int
    /// The position after the last requested element.
    let end: Int
    let elements: ContiguousArray<Cell>

    static func joined(_ run: [OffsetPage]) -> ContiguousArray<Cell> {
      // The elements before the start of a page, and the rest in reverse order. As each page starts where
      // the one before it does or later, few places move from one to the other.
      var places: [(place: Int, cells: ArraySlice<Cell>)] = []
      var behind: [(place: Int, cells: ArraySlice<Cell>)] = []
      for page in run {
        while let next = behind.last, next.place < page.start {
          places.append(behind.removeLast())
        }
        while let last = places.last, last.place >= page.start {
          behind.append(places.removeLast())
        }
        // A page within a longer one leaves the rest of the longer page unchanged.
        while let next = behind.last, next.place < page.end { behind.removeLast() }
        let elements = ArraySlice(page.elements)
        let filled = min(elements.count, page.end - page.start)
        for index in 0..<max(filled, min(1, elements.count)) {
          // Elements that were added by hand come after the last requested one.
          let isLast = index >= filled - 1
          places.append((page.start + index, isLast ? elements[index...] : elements[index...index]))
        }
      }
      places += behind.reversed()
      var shown: Set<UInt64> = []
      return ContiguousArray(places.flatMap(\.cells)).filter {
        $0.kind != .reference || shown.insert($0.low).inserted
      }
    }
  }
}

// MARK: - Closures

extension RecordReader {
  private mutating func merged(
    _ record: RecordReference, _ pages: [FieldID], _ fields: [String],
    _ merge: (PageMergeStep) -> [PageElement]
  ) -> ContiguousArray<Cell> {
    var existing: [PageElement] = []
    for (page, arguments) in inOrder(pages) {
      let cell = state.cell(record, FieldPlace(besideRow: page))
      guard cell.kind == .list else { continue }
      let incoming = state.elements(cell, of: record).map { element in
        PageElement(
          fields: plainFields(fields, of: element), value: (element.low, element.high))
      }
      existing = merge(
        PageMergeStep(existing: existing, incoming: incoming, arguments: arguments))
    }
    return ContiguousArray(existing.map { Cell(low: $0.value.0, high: $0.value.1) })
  }

  /// The pages in order. Pages that differ in one number are sorted by it, which is stable across
  /// launches. Other pages come in the order in which they were first requested.
  private func inOrder(_ pages: [FieldID]) -> [(page: FieldID, arguments: JSONValue)] {
    let known = pages.compactMap { page in arguments(of: page).map { (page: page, arguments: $0) } }
    let names = Set(known.flatMap { $0.arguments.object?.keys.map(\.self) ?? [] })
    let different = names.filter { name in Set(known.map { $0.arguments[name] }).count > 1 }
    guard let name = different.first, different.count == 1 else { return known }
    let numbers = known.map { $0.arguments[name]?.double }
    guard numbers.allSatisfy({ $0 != nil }) else { return known }
    return zip(known, numbers).sorted { ($0.1 ?? 0) < ($1.1 ?? 0) }.map(\.0)
  }

  private mutating func plainFields(_ names: [String], of element: Cell) -> JSONValue {
    var members: JSONValue = [:]
    if element.isReference, !isDangling(element.record), !names.isEmpty {
      result.trace.noteUnseen(element.record, state)
      for name in names {
        let cell = plainCell(element.record, name)
        if let value = state[element.record].value(of: cell) { members[name] = value }
      }
    }
    return members
  }
}

extension PagePolicy {
  /// Whether a value may be a page: an object, such as one around a list, cannot be joined with others
  /// unless its parts are known.
  func fits(_ value: Cell) -> Bool { parts != nil || value.kind == .list }

  /// Whether even a single page may look different after merging.
  var isAlwaysMerged: Bool {
    if case .closure = merge { true } else { false }
  }
}
