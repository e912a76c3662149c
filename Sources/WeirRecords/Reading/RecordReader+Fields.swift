import GraphQLLanguage
import Weir

extension RecordReader {
  @inline(__always)
  mutating func field(
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

  /// The value of a field. Notes its age.
  @inline(__always)
  private mutating func value(
    _ record: RecordReference, _ row: RowView, _ place: FieldPlace
  ) -> Cell {
    if row.mayExpire { checkAge(record, place) }
    if let slot = place.slot { return row.cell(slot) }
    return state.cell(record, place)
  }

  @inline(never)
  mutating func checkAge(_ record: RecordReference, _ place: FieldPlace) {
    guard !state[record].ages.isEmpty else { return }
    let expiry = state[record].ages.expiry(record.rowInChunk, place.field)
    result.freshUntil = min(result.freshUntil, expiry)
    // The same cell may show fields of several pages.
    if let staleBefore, expiry <= staleBefore, result.expired.last != builder.nextIndex {
      result.expired.append(builder.nextIndex)
    }
  }

  /// Reads data of another page than the requested one. Its age does not count, because requesting that page
  /// again would not refresh it.
  mutating func ignoringAges(_ read: (inout RecordReader) -> Bool) -> Bool {
    let (freshUntil, expired) = (result.freshUntil, result.expired.count)
    let isComplete = read(&self)
    result.freshUntil = freshUntil
    result.expired.removeSubrange(expired...)
    return isComplete
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
      reserve(for: shape)
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
    result.missing.append(builder.nextIndex)
    result.reasons.append(reason)
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

  /// Returns false if there is no value.
  @inline(__always)
  mutating func leaf(_ cell: Cell, _ row: RowView, _ shape: Shape) -> Bool {
    switch cell.kind {
    case .number, .string:
      appendText(cell, row, shape)
    case .true:
      builder.append(JSONCell(.true, offset: builder.textCount, length: 4))
      builder.appendWord(0x65_7572_74, count: 4)
    case .false:
      builder.append(JSONCell(.false, offset: builder.textCount, length: 5))
      builder.appendWord(0x65_736c_6166, count: 5)
    case .json:
      json(cell, row, shape)
    case .null, .reference, .embedded, .list:
      // A selection with fields wrote this value, and this selection has none: there is nothing to
      // show.
      appendNull()
    case .absent:
      return missingField()
    }
    return true
  }

  @inline(__always)
  private mutating func appendText(_ cell: Cell, _ row: RowView, _ shape: Shape) {
    let length = cell.length
    if cell.isOutOfLine {
      builder.reserve(bytes: length + shape.fixedBytes + 32, cells: shape.fields.count + 4)
    }
    let isString = cell.kind == .string
    if isString { builder.append(UInt8(ascii: "\"")) }
    builder.append(
      JSONCell(
        isString ? .string : .number, isIrregular: cell.isIrregular, offset: builder.textCount,
        length: length))
    if cell.isOutOfLine {
      row.copyText(of: cell, to: builder.text + builder.textCount)
    } else {
      cell.storeInline(to: builder.text + builder.textCount)
    }
    builder.textCount += length
    if isString { builder.append(UInt8(ascii: "\"")) }
  }

  mutating func json(_ cell: Cell, _ row: RowView, _ shape: Shape) {
    // Stored JSON has been parsed once, so it parses again.
    if let document = try? JSONDocument.parse(row.text(of: cell)) {
      builder.append(document)
    } else {
      appendNull()
    }
    reserve(for: shape)
  }
}
