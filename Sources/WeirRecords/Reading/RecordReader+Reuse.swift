import Weir

// MARK: - Copying what has not changed

extension RecordReader {
  /// Reads an object of a result that was read before.
  mutating func objectAgain(
    _ record: RecordReference, _ row: RowView, _ node: SelectionNode, isRoot: Bool,
    _ previous: PreviousReading
  ) -> Bool {
    let type = row.header.type
    let index = shapeIndex(node, type, isRoot: isRoot)
    let object = Cell(.reference, low: record.bits)
    let unchanged = previous.unchanged(
      0..<1, state, object: { _ in object }, shape: { $0 == type ? index : .max })
    guard unchanged.count == 0 else {
      copy(unchanged, of: previous)
      return true
    }
    let end = previous.enter(record, result.trace.shapes[Int(index)])
    let isComplete = wholeObject(record, row, node, isRoot: isRoot)
    if let end { previous.leave(end) }
    return isComplete
  }

  /// Copies the unchanged elements of a list that follow an index. `position` is their position in
  /// the result's array.
  ///
  /// - Returns: the number of copied elements.
  mutating func copyUnchanged(
    _ elements: ContiguousArray<Cell>, from first: Int, _ node: SelectionNode,
    position: Int, _ reuse: inout ListReuse?
  ) -> Int {
    guard let previous, elements[first].isReference else { return 0 }
    let record = elements[first].record
    previous.seek(record)
    guard let header = previous.nextHeader(of: record) else { return 0 }
    var unchanged = UnchangedObjects()
    if header == state.header(record).bits {
      // A run ends where the type changes.
      let type = state.header(record).type
      let index = shapeIndex(node, type, isRoot: false)
      unchanged = previous.unchanged(
        first..<elements.count, state, object: { elements[$0] },
        shape: { $0 == type ? index : .max })
    }
    if unchanged.count > 0 {
      copy(unchanged, of: previous)
      reuse?.take(unchanged, of: previous, at: position, cellAfter: builder.nextIndex)
    }
    return unchanged.count
  }

  private mutating func copy(_ objects: UnchangedObjects, of previous: PreviousReading) {
    let delta = builder.cellCount - objects.cells.lowerBound.index
    previous.document.withTape { tape in
      builder.append(tape, cells: objects.cells, text: objects.text, &previous.keyLists)
    }
    let first = result.trace.entries.count
    result.trace.entries.append(contentsOf: previous.entries[objects.entries])
    if delta != 0 || !previous.keepsShapes {
      for index in first..<result.trace.entries.count {
        let entry = result.trace.entries[index]
        result.trace.entries[index] = ReadTrace.Entry(
          record: entry.record, header: entry.header, shape: previous.shape(of: entry),
          cell: TapeIndex(index: entry.cell.index + delta))
      }
    }
    previous.pass(objects)
  }
}

/// Notes which elements of a long list were elements of the old list.
struct ListReuse {
  private let list: Range<TapeIndex>
  /// An element of the old list, and its position. It moves along with the elements that are taken.
  private var element: TapeIndex
  private var position = 0
  private var runs: [DecodedElements.Run] = []

  init(_ list: TapeIndex, _ tape: JSONTape) {
    self.list = list..<tape.next(list)
    element = tape.firstChild(list)
  }

  /// Notes that copied objects are the elements from `start` on. They end before a cell.
  ///
  /// Objects that were not elements of the old list are left out: the expected objects may be those of
  /// another list, or lie within an element.
  mutating func take(
    _ objects: UnchangedObjects, of previous: PreviousReading, at start: Int, cellAfter: TapeIndex
  ) {
    guard list.contains(objects.cells.lowerBound) else { return }
    previous.document.withTape { tape in
      while element < objects.cells.lowerBound {
        element = tape.next(element)
        position += 1
      }
    }
    guard element == objects.cells.lowerBound else { return }
    runs.append(
      DecodedElements.Run(
        start: start, startBefore: position, count: objects.count, cellAfter: cellAfter))
    element = objects.cells.upperBound
    position += objects.count
  }

  var sharedArray: DecodedElements.SharedArray? {
    runs.isEmpty ? nil : DecodedElements.SharedArray(indexBefore: list.lowerBound, runs: runs)
  }
}

extension PreviousReading {
  /// The start of sharing elements between the list that begins and the expected old one; nil for a
  /// short list.
  func beginList(_ count: Int) -> ListReuse? {
    guard count >= DecodedElements.minimumCount else { return nil }
    return longLists[next].map { list in document.withTape { ListReuse(list, $0) } }
  }

  /// The header that a record had, if it is the expected one.
  func nextHeader(of record: RecordReference) -> UInt64? {
    guard next < entries.count, entries[next].record == record else { return nil }
    return entries[next].header
  }
}
