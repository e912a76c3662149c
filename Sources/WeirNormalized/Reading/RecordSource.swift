import Weir

/// Lets types that read their fields themselves read them from the records: no document is made.
///
/// It shows what a ``RecordReader`` shows that may miss nothing. What takes more than looking at the
/// records, such as pages and computed fields, it leaves to that one.
final class RecordSource: FieldSource {
  private let state: RecordState
  private var bindings: Bindings
  private var memos = ShapeMemos()
  private var entries: ContiguousArray<ReadTrace.Entry> = []
  private var shapes: ContiguousArray<Shape> = []
  private var freshUntil = RowAges.never
  private var hasGivenUp = false

  init(_ state: RecordState, _ bindings: Bindings, expectedRecords: Int = 16) {
    self.state = state
    self.bindings = bindings
    entries.reserveCapacity(expectedRecords)
  }

  /// Reads an object and everything selected below it; nil if that takes a document.
  func read<Value: Decodable>(
    _ type: Value.Type, of record: RecordReference, _ node: SelectionNode, isRoot: Bool
  ) -> ReadValue<Value>? {
    guard let selection = type as? any SelectionDecodable.Type,
      let place = enter(record, node, isRoot: isRoot),
      let value = try? value(selection, at: place) as? Value, !hasGivenUp
    else { return nil }
    var trace = ReadTrace()
    trace.entries = entries
    trace.shapes = shapes
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
    let index =
      memos.index(of: node, header.type)
      ?? memos.find(node, header.type, isRoot: isRoot, bindings, in: &shapes)
    let shape = shapes[Int(index)]
    guard shape.steps.count <= UInt64.bitWidth else { return nil }
    if !state[record].ages.isEmpty { noteAges(of: record, shape) }
    entries.append(ReadTrace.Entry(record: record, header: header.bits, shape: index, cell: 0))
    return SourcePlace(
      object: record.bits, shape: UnsafeRawPointer(Unmanaged.passUnretained(shape).toOpaque()))
  }

  /// The shape of the object that a place is in; it is used for each field, so no references are
  /// counted.
  @inline(__always)
  private func withShape<Result>(of place: SourcePlace, _ body: (Shape) -> Result) -> Result? {
    // Proof: places are made by `enter` alone, and `shapes` keeps all shapes as long as the source.
    place.shape.map { Unmanaged<Shape>.fromOpaque($0)._withUnsafeGuaranteedRef(body) }
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
    withShape(of: place) { $0.fields[Int(place.position) - 1].child } ?? nil
  }

  func end(_ place: SourcePlace) -> Bool {
    var rest = (withShape(of: place) { $0.uncertainFields } ?? 0) & ~place.asked
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
    let expected = Int(place.position)
    let found = withShape(of: place) { shape in
      name.withUTF8Buffer { name in
        if expected < shape.steps.count, shape.isKey(name, of: expected) { return expected }
        return shape.steps.indices.first { shape.isKey(name, of: $0) } ?? -1
      }
    }
    guard let found, found >= 0 else { return false }
    place.asked |= 1 << UInt64(found)
    return find(found, &place)
  }

  /// Puts the value of a field into the place; gives up if it is absent.
  @inline(__always)
  private func find(_ field: Int, _ place: inout SourcePlace) -> Bool {
    let record = RecordReference(bits: place.object)
    let found = withShape(of: place) { shape -> SourceValue? in value(of: record, shape, field) }
    place.position = UInt32(truncatingIfNeeded: field + 1)
    if let value = found ?? nil { place.value = value } else { hasGivenUp = true }
    return !hasGivenUp
  }

  @inline(__always)
  private func value(of record: RecordReference, _ shape: Shape, _ field: Int) -> SourceValue? {
    let step = shape.steps[field]
    switch step.kind {
    case .leaf:
      return leaf(state.cell(record, FieldPlace(field: step.field, slot: step.slot)))
    case .composite:
      return composite(state.cell(record, FieldPlace(field: step.field, slot: step.slot)))
    case .typename:
      return shape.type == .nameless ? nil : SourceValue(.string)
    case .other:
      return otherValue(of: record, shape.fields[field])
    }
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

  func string(_ place: SourcePlace) -> String {
    var string = ""
    withText(place) { text in
      string = JSONScalarText(text: text, isMarked: place.value.isMarked).string
    }
    return string
  }

  func withText(_ place: SourcePlace, _ body: (UnsafeBufferPointer<UInt8>) -> Void) {
    let cell = Cell(low: place.value.low, high: place.value.high)
    let record = RecordReference(bits: place.object)
    if cell.isOutOfLine {
      // Not by the chunk, which would count the references of all that it has.
      state[record].text.withUnsafeBufferPointer {
        body(UnsafeBufferPointer(rebasing: $0[cell.offset..<cell.offset + cell.length]))
      }
    } else {
      _ = withShape(of: place) {
        body(UnsafeBufferPointer(start: $0.typenameText, count: $0.typenameLength))
      }
    }
  }
}
