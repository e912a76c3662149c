import GraphQLLanguage
import Weir

/// Reads one selection from the records and writes it as a document.
///
/// Text and tape are written side by side, as if a response had been parsed: names of fields are
/// copied from the shape, values from the records, and nothing is converted.
package struct RecordReader: ~Copyable {
  let catalog: Catalog
  let state: RecordState
  var bindings: Bindings
  /// Whether a missing field becomes null instead of ending the read.
  let allowsPartial: Bool
  /// Whether references to missing records are left out of lists.
  let dropsDangling: Bool

  var builder = JSONDocumentBuilder()
  private let expected: ReadSize
  var result = ReadResult()
  /// For an explanation: fields that expired before this time are noted.
  package var staleBefore: Int64?
  /// Whether pages that lack a selected field are left out of lists, unless they are requested
  /// themselves.
  var leavesOutIncompletePages = false
  /// Whether the result shows several pages of a list.
  var joinsPages = false
  private var memos = ShapeMemos()
  /// The trace's shapes, in the form that the loop needs.
  private var shapes: ContiguousArray<ShapeInUse> = []
  /// The objects of shapes with repeated records.
  private var firsts = FirstEntries()

  /// The previous result, from which unchanged parts are copied.
  let previous: PreviousReading?

  package init(
    catalog: Catalog, state: RecordState, bindings: Bindings,
    allowsPartial: Bool = false, previous: PreviousReading? = nil,
    expected: ReadSize = ReadSize()
  ) {
    self.catalog = catalog
    self.state = state
    self.bindings = bindings
    self.allowsPartial = allowsPartial
    dropsDangling = catalog.policies.dropsDangling
    self.previous = previous
    self.expected = expected
    result.trace.entries.reserveCapacity(expected.records)
    // One allocation for most selections.
    result.trace.shapes.reserveCapacity(4)
    shapes.reserveCapacity(4)
  }

  /// Reads an object and everything selected below it.
  package consuming func read(
    _ record: RecordReference, _ node: SelectionNode, isRoot: Bool
  ) -> ReadResult {
    let isComplete =
      expected.isSmall
      ? readOnStack(record, node, isRoot: isRoot) : readOnHeap(record, node, isRoot: isRoot)
    if joinsPages, !leavesOutIncompletePages, !isComplete || !result.missing.isEmpty {
      var reader = RecordReader(
        catalog: catalog, state: state, bindings: bindings, allowsPartial: allowsPartial,
        expected: expected)
      reader.staleBefore = staleBefore
      reader.leavesOutIncompletePages = true
      return reader.read(record, node, isRoot: isRoot)
    }
    result.trace.releaseSpareCapacity()
    if isRoot, isComplete { result.trace.noteRoot(state, &bindings) }
    result.bindings = bindings
    result.hasSameDependencies = previous?.dependsOnTheSame(as: result.trace) == true
    return result
  }

  /// Reads a small object, of which only what is kept is allocated.
  ///
  /// Proof for both: the builder writes nothing to the memory after `finish`.
  private mutating func readOnStack(
    _ record: RecordReference, _ node: SelectionNode, isRoot: Bool
  ) -> Bool {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 1_024) { text in
      withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 128) { words in
        builder.start(
          text: text, cells: UnsafeMutableBufferPointer(rebasing: words[32...]),
          keyLists: UnsafeMutableBufferPointer(rebasing: words[..<32]))
        guard object(record, state.view(record), node, isRoot: isRoot) else { return false }
        result.document = builder.finish()
        return true
      }
    }
  }

  private mutating func readOnHeap(
    _ record: RecordReference, _ node: SelectionNode, isRoot: Bool
  ) -> Bool {
    var isComplete = false
    // Leaves room for data that has grown.
    let capacity = expected.bytes + expected.bytes / 32 + 256
    let text = [UInt8](unsafeUninitializedCapacity: capacity) { memory, count in
      builder.start(text: memory, cells: expected.cells + expected.cells / 16 + 64)
      isComplete = object(record, state.view(record), node, isRoot: isRoot)
      count = builder.lentTextCount
    }
    if isComplete { result.document = builder.finish(lent: text) }
    return isComplete
  }
}

// MARK: - Objects

extension RecordReader {
  /// Returns false if a required value is missing.
  mutating func object(
    _ record: RecordReference, _ row: RowView, _ node: SelectionNode, isRoot: Bool
  ) -> Bool {
    if let previous { return objectAgain(record, row, node, isRoot: isRoot, previous) }
    return wholeObject(record, row, node, isRoot: isRoot)
  }

  /// Makes room for an object's fields, without nested objects, lists and out-of-line texts.
  mutating func reserve(for shape: Shape) {
    builder.reserve(bytes: shape.fixedBytes + 32, cells: shape.steps.count + 4)
  }

  mutating func wholeObject(
    _ record: RecordReference, _ row: RowView, _ node: SelectionNode, isRoot: Bool
  ) -> Bool {
    let index = shapeIndex(node, row.header.type, isRoot: isRoot)
    let inUse = shapes[Int(index)]
    // Proof: the trace keeps the shape until the read is done.
    return inUse.shape._withUnsafeGuaranteedRef { shape in
      reserve(for: shape)
      let cell = builder.open(.object)
      result.trace.entries.append(
        ReadTrace.Entry(
          record: record, header: row.header.bits, shape: index,
          cell: cell))
      if inUse.keyList < 0 { return firstObject(record, row, shape, index: index, cell: cell) }
      if inUse.copiesRepeats, copyEarlier(record, row, shape: index, into: cell) { return true }
      let count = shape.steps.count
      var at = 0
      while at < count {
        guard field(record, row, shape, at) else { return false }
        at += 1
      }
      if count == 0 { builder.append(UInt8(ascii: "{")) }
      builder.append(UInt8(ascii: "}"))
      builder.close(cell, detail: inUse.keyList)
      return true
    }
  }

  /// Reads the first object of a shape, and notes where its keys are for all later ones.
  mutating func firstObject(
    _ record: RecordReference, _ row: RowView, _ shape: Shape, index: UInt32, cell: TapeIndex
  ) -> Bool {
    guard let list = appendFields(of: shape, { $0.field(record, row, shape, $1) }) else {
      return false
    }
    noteKeys(list, of: shape, index: index)
    builder.close(cell, detail: list)
    return true
  }

  /// Notes where the keys of the first object of a shape are.
  mutating func noteKeys(_ list: Int, of shape: Shape, index: UInt32) {
    guard shapes[Int(index)].keyList < 0 else { return }
    shapes[Int(index)].keyList = list
    previous?.note(shape, index: index, keyList: list)
  }

  /// Appends the fields of an object, each with `append`, and the end of its text; returns the list
  /// of their keys, or nil if a required value is missing.
  mutating func appendFields(
    of shape: Shape, _ append: (inout RecordReader, _ field: Int) -> Bool
  ) -> Int? {
    let count = shape.fields.count
    let list = count == 0 ? 0 : builder.addKeyList(count: count)
    for at in 0..<count {
      let length = shape.fields[at].responseKey.count
      builder.setKey(
        JSONCell(.string, offset: builder.textCount + 2, length: length), at: at, of: list)
      guard append(&self, at) else { return nil }
    }
    if count == 0 { builder.append(UInt8(ascii: "{")) }
    builder.append(UInt8(ascii: "}"))
    return list
  }

  mutating func shapeIndex(
    _ node: SelectionNode, _ type: TypeID, isRoot: Bool
  ) -> UInt32 {
    if let known = memos.index(of: node, type) { return known }
    let index = memos.find(node, type, isRoot: isRoot, bindings, in: &result.trace.shapes)
    if shapes.count < result.trace.shapes.count {
      let shape = result.trace.shapes[shapes.count]
      let copies = shape.isFlat && previous == nil && staleBefore == nil
      shapes.append(ShapeInUse(shape: Unmanaged.passUnretained(shape), copiesRepeats: copies))
    }
    return index
  }

  /// Shows a record as the result has shown it before, with the same shape. Returns false if it has not.
  ///
  /// Records of a list come mostly in the order in which they stand in the store. As long as they do, none
  /// comes again. Records that may become stale are read again, and so are all once a value is missing,
  /// because each place counts.
  private mutating func copyEarlier(
    _ record: RecordReference, _ row: RowView, shape index: UInt32, into cell: TapeIndex
  ) -> Bool {
    let order = Int(truncatingIfNeeded: record.bits)
    let entry = result.trace.entries.count - 1
    if !shapes[Int(index)].hasRepeats {
      guard order <= shapes[Int(index)].last, entry >= DecodedElements.minimumCount else {
        shapes[Int(index)].last = order
        return false
      }
      shapes[Int(index)].hasRepeats = true
      for earlier in 0..<entry where result.trace.entries[earlier].shape == index {
        _ = firsts.entry(showingTheSameAs: earlier, in: result.trace.entries)
      }
    }
    let first = firsts.entry(showingTheSameAs: entry, in: result.trace.entries)
    guard first < entry, !row.mayExpire, result.missing.isEmpty else { return false }
    return builder.close(cell, asCopyOf: result.trace.entries[first].cell)
  }
}

/// A shape that this read has used. Looking at it counts no references.
private struct ShapeInUse {
  let shape: Unmanaged<Shape>
  /// The key list of the shape's objects in the result; -1 until there is one.
  var keyList = -1
  /// Whether an object is copied if its record was shown before.
  let copiesRepeats: Bool
  /// Whether a record has come again, or out of order.
  var hasRepeats = false
  /// The order of the last record, until then.
  var last = -1
}
