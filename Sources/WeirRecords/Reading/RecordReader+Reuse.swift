import Weir

// MARK: - Copying what has not changed

extension RecordReader {
  /// Reads an object of a result that was read before.
  mutating func objectAgain(
    _ record: RecordReference, _ node: SelectionNode, isRoot: Bool, _ previous: PreviousReading
  ) -> Bool {
    let type = state.header(record).type
    let index = shapeIndex(node, type, isRoot: isRoot)
    let object = Cell(.reference, low: record.bits)
    let unchanged = previous.unchanged(
      0..<1, state, object: { _ in object }, shape: { $0 == type ? index : .max })
    guard unchanged.count == 0 else {
      copy(unchanged, of: previous)
      return true
    }
    let end = previous.enter(record, result.trace.shapes[Int(index)])
    let isComplete = wholeObject(record, node, isRoot: isRoot)
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
    reuse?.position += previous.seek(record)
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
      reuse?.take(unchanged.count, at: position, cellAfter: builder.nextIndex)
    } else {
      reuse?.position += 1
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
  /// The old list's cell.
  package let cell: TapeIndex
  /// The next expected element of the old list.
  package var position = 0
  private var runs: [DecodedElements.Run] = []

  init(cell: TapeIndex) {
    self.cell = cell
  }

  /// Notes that the next elements of the old list are those from `start` on. They end before a
  /// cell.
  package mutating func take(_ count: Int, at start: Int, cellAfter: TapeIndex) {
    runs.append(
      DecodedElements.Run(
        start: start, startBefore: position, count: count, cellAfter: cellAfter))
    position += count
  }

  var sharedArray: DecodedElements.SharedArray? {
    runs.isEmpty ? nil : DecodedElements.SharedArray(indexBefore: cell, runs: runs)
  }
}

extension PreviousReading {
  /// The start of sharing elements between the list that begins and the expected old one; nil for a
  /// short list.
  func beginList(_ count: Int) -> ListReuse? {
    guard count >= DecodedElements.minimumCount else { return nil }
    return longLists[next].map { ListReuse(cell: $0) }
  }

  /// The header that a record had, if it is the expected one.
  func nextHeader(of record: RecordReference) -> UInt64? {
    guard next < entries.count, entries[next].record == record else { return nil }
    return entries[next].header
  }
}
