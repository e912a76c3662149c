extension JSONParser {
  /// Reads a string after its opening quote and appends its cell.
  @inline(__always)
  mutating func string() throws(JSONError) {
    let start = at
    let isIrregular = try skipString()
    cells[cells.count] =
      JSONCell(.string, isIrregular: isIrregular, offset: start, length: at - 1 - start).bits
    cells.count += 1
  }

  /// Reads a number or one of the three words.
  @inline(__always)
  mutating func scalar(_ byte: UInt8) throws(JSONError) {
    switch byte {
    case UInt8(ascii: "t"): try word("true", .true)
    case UInt8(ascii: "f"): try word("false", .false)
    case UInt8(ascii: "n"): try word("null", .null)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try number()
    default: throw JSONError(.unexpectedCharacter, offset: at)
    }
  }

  @inline(__always)
  private mutating func word(_ word: StaticString, _ kind: JSONCell.Kind) throws(JSONError) {
    let length = word.utf8CodeUnitCount
    for index in 0..<length {
      guard at + index < end else { throw JSONError(.unexpectedEnd, offset: end) }
      guard text[at + index] == word.utf8Start[index] else {
        throw JSONError(.unexpectedCharacter, offset: at + index)
      }
    }
    cells[cells.count] = JSONCell(kind, offset: at, length: length).bits
    cells.count += 1
    at += length
  }

  private mutating func number() throws(JSONError) {
    let start = at
    var isIrregular = false
    if text[at] == UInt8(ascii: "-") { at += 1 }
    let first = at
    try digits()
    if at - first > 1, text[first] == UInt8(ascii: "0") {
      throw JSONError(.invalidNumber, offset: first + 1)
    }
    if at < end, text[at] == UInt8(ascii: ".") {
      at += 1
      isIrregular = true
      try digits()
    }
    if at < end, text[at] | 0x20 == UInt8(ascii: "e") {
      at += 1
      isIrregular = true
      if at < end, text[at] == UInt8(ascii: "+") || text[at] == UInt8(ascii: "-") { at += 1 }
      try digits()
    }
    let cell = JSONCell(.number, isIrregular: isIrregular, offset: start, length: at - start)
    try checkRange(cell)
    cells[cells.count] = cell.bits
    cells.count += 1
  }

  /// Skips one digit or more.
  private mutating func digits() throws(JSONError) {
    let start = at
    while at < end, text[at] &- 48 < 10 { at += 1 }
    if at == start { throw JSONError(at < end ? .invalidNumber : .unexpectedEnd, offset: at) }
  }

  /// Rejects numbers beyond the range of `Double`. Without an exponent, such a number has 309
  /// digits or more.
  private func checkRange(_ cell: JSONCell) throws(JSONError) {
    guard cell.length > 300 || cell.isIrregular else { return }
    // Proof: the cell is the part of the text that was just read.
    let slice = UnsafeBufferPointer(start: text + cell.offset, count: cell.length)
    if cell.length <= 300, !slice.contains(where: { $0 | 0x20 == UInt8(ascii: "e") }) { return }
    guard let value = JSONNumber.double(slice), value.isFinite else {
      throw JSONError(.numberOutOfRange, offset: cell.offset)
    }
  }
}
