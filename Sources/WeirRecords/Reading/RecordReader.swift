import GraphQLLanguage
import Weir

/// Reads one selection from the records and writes it as a document.
///
/// Text and tape come out side by side, as if a response had been parsed: names of fields are
/// copied from the shape, values from the records, and nothing is converted.
package struct RecordReader: ~Copyable {
  package let catalog: Catalog
  package let state: RecordState
  package var bindings: Bindings
  /// Whether a missing field becomes null instead of ending the read.
  package let allowsPartial: Bool
  /// Whether references to what is not there are left out of lists.
  package let dropsDangling: Bool

  var builder: JSONDocumentBuilder
  /// How much text is expected.
  private let textCapacity: Int
  package var trace = ReadTrace()
  package var missing: [Int] = []
  package var reasons: [MissingField.Reason] = []
  package var freshUntil = RowAges.never
  /// For an explanation: what expired before is noted.
  package var staleBefore: Int64?
  package var expired: [Int] = []
  private var memos = ShapeMemos()
  /// The trace's shapes, as the loop needs them.
  private var shapes: ContiguousArray<ShapeInUse> = []

  /// What was read before, of which the unchanged parts are copied.
  package let previous: PreviousReading?
  var shared: [Int: DecodedElements.SharedArray] = [:]

  package init(
    catalog: Catalog, state: RecordState, bindings: Bindings,
    allowsPartial: Bool = false, dropsDangling: Bool = false, previous: PreviousReading? = nil,
    expected: ReadSize = ReadSize()
  ) {
    self.catalog = catalog
    self.state = state
    self.bindings = bindings
    self.allowsPartial = allowsPartial
    self.dropsDangling = dropsDangling
    self.previous = previous
    // With room for what has grown.
    textCapacity = expected.bytes + expected.bytes / 32 + 256
    builder = JSONDocumentBuilder(cells: expected.cells + expected.cells / 16 + 64)
    trace.entries.reserveCapacity(expected.records)
  }

  /// Reads an object and everything selected below it.
  package consuming func read(
    _ record: RecordReference, _ node: SelectionNode, isRoot: Bool
  ) -> ReadResult {
    var isComplete = false
    let text = [UInt8](unsafeUninitializedCapacity: textCapacity) { memory, count in
      builder.lend(memory)
      isComplete = object(record, node, isRoot: isRoot)
      count = builder.endLending()
    }
    trace.giveBackSpareRoom()
    if isRoot, isComplete { trace.noteRoot(state, &bindings) }
    var result = ReadResult()
    result.bindings = bindings
    result.trace = trace
    result.missing = missing
    result.reasons = reasons
    result.expired = expired
    result.freshUntil = freshUntil
    result.shared = shared
    result.hasSameDependencies = trace.isPlain && previous?.isReadInOrder == true
    if isComplete { result.document = builder.finish(text) }
    return result
  }
}

// MARK: - Objects

extension RecordReader {
  /// False if something is missing that must not be.
  package mutating func object(
    _ record: RecordReference, _ node: SelectionNode, isRoot: Bool
  ) -> Bool {
    if let previous { return objectAgain(record, node, isRoot: isRoot, previous) }
    return wholeObject(record, node, isRoot: isRoot)
  }

  mutating func wholeObject(
    _ record: RecordReference, _ node: SelectionNode, isRoot: Bool
  ) -> Bool {
    let row = state.view(record)
    let index = shapeIndex(node, row.header.type, isRoot: isRoot)
    let inUse = shapes[Int(index)]
    // Proof: the trace keeps the shape until the read is done.
    return inUse.shape._withUnsafeGuaranteedRef { shape in
      builder.reserve(bytes: shape.fixedBytes + 32, cells: shape.fields.count + 4)
      let cell = builder.open(.object)
      trace.entries.append(
        ReadTrace.Entry(
          record: record, header: row.header.bits, shape: index,
          cell: UInt32(truncatingIfNeeded: cell)))
      if inUse.keyList < 0 { return firstObject(record, row, shape, index: index, cell: cell) }
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

  /// The first object of a shape: where its keys are is noted for all others.
  mutating func firstObject(
    _ record: RecordReference, _ row: RowView, _ shape: Shape, index: UInt32, cell: Int
  ) -> Bool {
    var keys: [JSONCell] = []
    keys.reserveCapacity(shape.steps.count)
    for at in shape.fields.indices {
      keys.append(
        JSONCell(
          .string, offset: builder.textCount + 2, length: shape.fields[at].responseKey.count))
      guard field(record, row, shape, at) else { return false }
    }
    if keys.isEmpty { builder.append(UInt8(ascii: "{")) }
    builder.append(UInt8(ascii: "}"))
    let list = keys.isEmpty ? 0 : builder.addKeyList(keys)
    shapes[Int(index)].keyList = list
    previous?.note(shape, index: index, keyList: list)
    builder.close(cell, detail: list)
    return true
  }

  @inline(__always)
  mutating func shapeIndex(
    _ node: SelectionNode, _ type: TypeID, isRoot: Bool
  ) -> UInt32 {
    if let known = memos.index(of: node, type) { return known }
    let index = memos.find(node, type, isRoot: isRoot, bindings, in: &trace.shapes)
    if shapes.count < trace.shapes.count {
      shapes.append(ShapeInUse(shape: Unmanaged.passUnretained(trace.shapes[shapes.count])))
    }
    return index
  }
}

/// A shape that a read has come across; no reference is counted for each object that has it.
private struct ShapeInUse {
  let shape: Unmanaged<Shape>
  /// The key list of its objects in the result, -1 as long as there is none.
  var keyList = -1
}

// MARK: - Fields

extension RecordReader {
  @inline(__always)
  package mutating func field(
    _ record: RecordReference, _ row: RowView, _ shape: Shape, _ at: Int
  ) -> Bool {
    // Proof: `Shape` keeps 16 readable bytes behind its last prefix, and the room is reserved.
    shape.copyPrefix(at, to: builder.text + builder.textCount)
    let step = shape.steps[at]
    builder.textCount += step.prefixLength
    switch step.kind {
    case .leaf:
      return leaf(value(record, row, step.place), row, shape)
    case .composite:
      return objects(record, value(record, row, step.place), shape, at)
    case .typename:
      if shape.type == .nameless { return missingField() }
      appendTypename(shape)
      return true
    case .other:
      return otherField(record, row, shape, at)
    }
  }

  /// The value of a field; its age is noted.
  @inline(__always)
  private mutating func value(
    _ record: RecordReference, _ row: RowView, _ place: FieldPlace
  ) -> Cell {
    if row.mayExpire { checkAge(record, place) }
    return place.slot >= 0 ? row.cell(slot: place.slot) : state.cell(record, place)
  }

  @inline(never)
  mutating func checkAge(_ record: RecordReference, _ place: FieldPlace) {
    guard !state[record].ages.isEmpty else { return }
    let expiry = state[record].ages.expiry(record.rowInChunk, place.field)
    freshUntil = min(freshUntil, expiry)
    if let staleBefore, expiry <= staleBefore { expired.append(builder.cellCount) }
  }

  mutating func objects(
    _ record: RecordReference, _ cell: Cell, _ shape: Shape, _ at: Int
  ) -> Bool {
    guard let node = shape.steps[at].child else { return missingField() }
    // Proof: the shape keeps its field, and that the node.
    return node._withUnsafeGuaranteedRef { node in
      let isComplete =
        cell.isAbsent
        ? redirected(shape.fields[at], node) : composite(cell, owner: record, node)
      builder.reserve(bytes: shape.fixedBytes + 32, cells: shape.steps.count + 4)
      return isComplete
    }
  }

  mutating func otherField(
    _ record: RecordReference, _ row: RowView, _ shape: Shape, _ at: Int
  ) -> Bool {
    switch shape.fields[at].place {
    case .fixed, .typename:
      return missingField()
    case .computed(let computed):
      return self.computed(computed, record, shape)
    case .variable(let number):
      let place = bindings.place(number, table: record.table)
      if let pages = shape.fields[at].pages {
        return self.pages(record, shape, at, place, pages)
      }
      let value = value(record, row, place)
      return shape.fields[at].child == nil
        ? leaf(value, row, shape) : objects(record, value, shape, at)
    }
  }

  mutating func missingField(_ reason: MissingField.Reason = .missing) -> Bool {
    guard allowsPartial else { return false }
    missing.append(builder.cellCount)
    reasons.append(reason)
    appendNull()
    return true
  }

  @inline(__always)
  mutating func appendNull() {
    builder.append(JSONCell(.null, offset: builder.textCount, length: 4))
    builder.appendWord(0x6c_6c75_6e, count: 4)
  }

  @inline(__always)
  mutating func appendTypename(_ shape: Shape) {
    builder.append(UInt8(ascii: "\""))
    builder.append(
      JSONCell(.string, offset: builder.textCount, length: shape.typenameLength))
    builder.append(shape.typenameText, count: shape.typenameLength)
    builder.append(UInt8(ascii: "\""))
  }

  /// False if there is no value.
  @inline(__always)
  package mutating func leaf(_ cell: Cell, _ row: RowView, _ shape: Shape) -> Bool {
    switch cell.kind {
    case .number:
      if cell.isOutOfLine {
        outOfLine(cell, row, shape)
        return true
      }
      builder.append(
        JSONCell(
          .number, isMarked: cell.isMarked, offset: builder.textCount, length: cell.length))
      cell.storeInline(to: builder.text + builder.textCount)
      builder.textCount += cell.length
    case .string:
      if cell.isOutOfLine {
        outOfLine(cell, row, shape)
        return true
      }
      builder.append(UInt8(ascii: "\""))
      builder.append(
        JSONCell(
          .string, isMarked: cell.isMarked, offset: builder.textCount, length: cell.length))
      cell.storeInline(to: builder.text + builder.textCount)
      builder.textCount += cell.length
      builder.append(UInt8(ascii: "\""))
    case .true:
      builder.append(JSONCell(.true, offset: builder.textCount, length: 4))
      builder.appendWord(0x65_7572_74, count: 4)
    case .false:
      builder.append(JSONCell(.false, offset: builder.textCount, length: 5))
      builder.appendWord(0x65_736c_6166, count: 5)
    case .json:
      json(cell, row, shape)
    case .null, .reference, .embedded, .list:
      // Written by a selection that had fields here; this one has none: no value to show.
      appendNull()
    case .absent:
      return missingField()
    }
    return true
  }

  mutating func outOfLine(_ cell: Cell, _ row: RowView, _ shape: Shape) {
    let length = cell.length
    builder.reserve(bytes: length + shape.fixedBytes + 32, cells: shape.fields.count + 4)
    let isString = cell.kind == .string
    if isString { builder.append(UInt8(ascii: "\"")) }
    builder.append(
      JSONCell(
        isString ? .string : .number, isMarked: cell.isMarked, offset: builder.textCount,
        length: length))
    row.copyText(of: cell, to: builder.text + builder.textCount)
    builder.textCount += length
    if isString { builder.append(UInt8(ascii: "\"")) }
  }

  package mutating func json(_ cell: Cell, _ row: RowView, _ shape: Shape) {
    // What is kept has been parsed once, so it parses again.
    if let document = try? JSONDocument.parse(row.text(of: cell)) {
      builder.append(document)
    } else {
      appendNull()
    }
    builder.reserve(bytes: shape.fixedBytes + 32, cells: shape.fields.count + 4)
  }
}
