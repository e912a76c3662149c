import Weir

/// Lets types that read their fields themselves read them from the records: no document is made.
///
/// It shows what a ``RecordReader`` shows that may miss nothing. What takes more than looking at the
/// records, such as pages and computed fields, it leaves to that one.
final class RecordSource: FieldSource {
  private let state: RecordState
  private var bindings: Bindings
  private var memos = ShapeMemos()
  private var trace = ReadTrace()
  private var freshUntil = RowAges.never
  private var hasGivenUp = false

  init(_ state: RecordState, _ bindings: Bindings, expectedRecords: Int = 16) {
    self.state = state
    self.bindings = bindings
    trace.entries.reserveCapacity(expectedRecords)
  }

  /// Reads an object and everything selected below it; nil if that takes a document.
  func read<Value: Decodable>(
    _ type: Value.Type, of record: RecordReference, _ node: SelectionNode, isRoot: Bool
  ) -> ReadValue<Value>? {
    guard let selection = type as? any SelectionDecodable.Type,
      let place = enter(record, node, isRoot: isRoot),
      let value = try? value(selection, at: place) as? Value, !hasGivenUp
    else { return nil }
    return ReadValue(value: value, trace: trace, freshUntil: freshUntil)
  }

  func giveUp() -> any Error {
    hasGivenUp = true
    return NeedsDocument()
  }

  private struct NeedsDocument: Error {}
}

/// What a read has found that made a value, not a document.
struct ReadValue<Value> {
  let value: Value
  let trace: ReadTrace
  /// When the first part of it passes its time to live.
  let freshUntil: Int64
}

// MARK: - Objects

extension RecordSource {
  private func enter(
    _ record: RecordReference, _ node: SelectionNode, isRoot: Bool = false
  ) -> SourcePlace? {
    let header = state.header(record)
    guard header.type != .removed || isRoot else { return nil }
    let index = memos.index(of: node, header.type, isRoot: isRoot, bindings, in: &trace.shapes)
    guard trace.shapes[Int(index)].steps.count <= UInt64.bitWidth else { return nil }
    if !state[record].ages.isEmpty { noteAges(of: record, trace.shapes[Int(index)]) }
    trace.entries.append(
      ReadTrace.Entry(record: record, header: header.bits, shape: index, cell: 0))
    return SourcePlace(object: record.bits, shape: index)
  }

  private func noteAges(of record: RecordReference, _ shape: Shape) {
    for field in shape.fields {
      guard let place = bindings.place(field.place, table: record.table) else { continue }
      freshUntil = min(freshUntil, state[record].ages.expiry(record.rowInChunk, place.field))
    }
  }

  func object(_ place: SourcePlace) -> SourcePlace? {
    guard place.value.kind == .object, let node = selection(at: place) else { return nil }
    return enter(RecordReference(bits: place.value.low), node)
  }

  /// What is selected of the objects of the field that was found last.
  @inline(__always)
  private func selection(at place: SourcePlace) -> SelectionNode? {
    trace.shapes[Int(place.shape)].fields[Int(place.position) - 1].child
  }

  func end(_ place: SourcePlace) -> Bool {
    var rest = trace.shapes[Int(place.shape)].uncertainFields & ~place.asked
    var place = place
    while rest != 0 {
      let field = rest.trailingZeroBitCount
      rest &= rest - 1
      guard find(field, &place), isThere(place) else { return false }
    }
    return !hasGivenUp
  }

  /// Whether a value that nobody reads could be read.
  private func isThere(_ place: SourcePlace) -> Bool {
    switch place.value.kind {
    case .null, .false, .true, .number, .string, .json: return true
    case .object: return object(place).map(end) ?? false
    case .list:
      guard let list = list(place), let node = selection(at: place) else { return false }
      return (0..<list.count).allSatisfy { isThere(element(list, $0), node) }
    }
  }

  private func isThere(_ element: Cell, _ node: SelectionNode) -> Bool {
    switch element.kind {
    case .null: true
    case .reference, .embedded: enter(element.record, node).map(end) ?? false
    // Lists of lists are left to documents, as all that is not expected here.
    case .list, .absent, .false, .true, .number, .string, .json: false
    }
  }
}

// MARK: - Lists

extension RecordSource {
  func list(_ place: SourcePlace) -> SourceList? {
    guard place.value.kind == .list else { return nil }
    let owner = RecordReference(bits: place.object)
    return SourceList(place, count: state[owner].lists[Int(place.value.low)].count)
  }

  func next(_ list: inout SourceList) -> SourcePlace? {
    let element = element(list, list.position)
    list.position += 1
    guard element.isReference, let node = selection(at: list.place) else { return nil }
    return enter(element.record, node)
  }

  @inline(__always)
  private func element(_ list: SourceList, _ position: Int) -> Cell {
    state[RecordReference(bits: list.place.object)].lists[Int(list.place.value.low)][position]
  }
}

// MARK: - Fields

extension RecordSource {
  func find(_ name: StaticString, _ place: inout SourcePlace) -> Bool {
    guard !hasGivenUp else { return false }
    let shape = trace.shapes[Int(place.shape)]
    let found = name.withUTF8Buffer { name -> Int? in
      let expected = Int(place.position)
      if expected < shape.steps.count, shape.isKey(name, of: expected) { return expected }
      return shape.steps.indices.first { shape.isKey(name, of: $0) }
    }
    guard let found else { return false }
    place.asked |= 1 << UInt64(found)
    return find(found, &place)
  }

  /// Puts the value of a field into the place; gives up if it is absent.
  @inline(__always)
  private func find(_ field: Int, _ place: inout SourcePlace) -> Bool {
    let shape = trace.shapes[Int(place.shape)]
    let step = shape.steps[field]
    let record = RecordReference(bits: place.object)
    let value: SourceValue?
    switch step.kind {
    case .leaf:
      value = leaf(state.cell(record, FieldPlace(field: step.field, slot: step.slot)))
    case .composite:
      value = composite(state.cell(record, FieldPlace(field: step.field, slot: step.slot)))
    case .typename:
      value = shape.type == .nameless ? nil : SourceValue(.string)
    case .other:
      value = otherValue(of: record, shape.fields[field])
    }
    place.position = UInt32(truncatingIfNeeded: field + 1)
    if let value { place.value = value } else { hasGivenUp = true }
    return !hasGivenUp
  }

  private func otherValue(of record: RecordReference, _ field: ShapeField) -> SourceValue? {
    guard field.pages == nil, let place = bindings.place(field.place, table: record.table) else {
      return nil
    }
    let cell = state.cell(record, place)
    return field.child == nil ? leaf(cell) : composite(cell)
  }

  @inline(__always)
  private func leaf(_ cell: Cell) -> SourceValue? {
    switch cell.kind {
    case .number: text(.number, cell)
    case .string: text(.string, cell)
    case .json: text(.json, cell)
    case .true: SourceValue(.true)
    case .false: SourceValue(.false)
    case .absent: nil
    // As in a document: objects of which nothing is selected are nothing to show.
    case .null, .reference, .embedded, .list: SourceValue(.null)
    }
  }

  @inline(__always)
  private func text(_ kind: SourceValue.Kind, _ cell: Cell) -> SourceValue {
    if cell.isOutOfLine {
      return SourceValue(kind, isMarked: cell.isMarked, low: cell.low, high: cell.high)
    }
    return SourceValue(
      kind, isMarked: cell.isMarked, inlineLength: Int8(truncatingIfNeeded: cell.length),
      low: cell.low, high: cell.high)
  }

  @inline(__always)
  private func composite(_ cell: Cell) -> SourceValue? {
    switch cell.kind {
    case .reference, .embedded: SourceValue(.object, low: cell.low)
    case .list: SourceValue(.list, low: cell.low)
    case .null: SourceValue(.null)
    case .absent, .false, .true, .number, .string, .json: nil
    }
  }

  func withText(_ place: SourcePlace, _ body: (UnsafeBufferPointer<UInt8>) -> Void) {
    let shape = trace.shapes[Int(place.shape)]
    if shape.steps[Int(place.position) - 1].kind == .typename {
      body(UnsafeBufferPointer(start: shape.typenameText, count: shape.typenameLength))
    } else {
      let cell = Cell(low: place.value.low, high: place.value.high)
      state[RecordReference(bits: place.object)].withText(cell, body)
    }
  }
}
