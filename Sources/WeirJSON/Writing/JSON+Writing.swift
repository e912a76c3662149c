extension JSON {
  /// The value without white space, otherwise as it was parsed: with the same order of members,
  /// spelling of numbers, and escapes.
  public var compactBytes: [UInt8] {
    write(isCanonical: false)
  }

  /// The text that is the same for all equal values, except that `-0.0` keeps its sign: no white
  /// space, members ordered by the bytes of their keys, minimal escapes, shortest numbers.
  public var canonicalBytes: [UInt8] {
    write(isCanonical: true)
  }

  private func write(isCanonical: Bool) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count)
    write(isCanonical: isCanonical, to: &output)
    return output
  }

  private func write(isCanonical: Bool, to output: inout [UInt8]) {
    withTape { tape, index in
      var writer = TapeWriter(tape: tape, isCanonical: isCanonical)
      swap(&writer.output, &output)
      writer.value(index)
      swap(&writer.output, &output)
    }
  }
}

/// Writes values of a tape as text.
private struct TapeWriter {
  let tape: JSONTape
  let isCanonical: Bool
  var output: [UInt8] = []

  /// The positions of a key list's keys in canonical order.
  var orders: [Int: [Int]] = [:]

  mutating func value(_ index: TapeIndex) {
    let cell = tape[index]
    switch cell.kind {
    case .null, .true, .false: output.append(contentsOf: tape.text(cell))
    case .number: number(cell)
    case .string: string(cell)
    case .array: array(index)
    case .object: object(index)
    }
  }

  private mutating func number(_ cell: JSONCell) {
    let text = tape.text(cell)
    if !isCanonical {
      output.append(contentsOf: text)
    } else if !cell.isIrregular, let int = JSONNumber.integer(text, as: Int64.self) {
      JSONText.append(int, to: &output)
    } else if !cell.isIrregular, JSONNumber.integer(text, as: UInt64.self) != nil {
      output.append(contentsOf: text)
    } else {
      JSONText.append(tape.double(cell) ?? 0, to: &output)
    }
  }

  private mutating func string(_ cell: JSONCell) {
    if isCanonical, cell.isIrregular {
      JSONText.append(tape.string(cell), to: &output)
    } else {
      output.append(UInt8(ascii: "\""))
      output.append(contentsOf: tape.text(cell))
      output.append(UInt8(ascii: "\""))
    }
  }

  private mutating func array(_ array: TapeIndex) {
    output.append(UInt8(ascii: "["))
    for (position, element) in tape.children(of: array).enumerated() {
      if position > 0 { output.append(UInt8(ascii: ",")) }
      value(element)
    }
    output.append(UInt8(ascii: "]"))
  }

  private mutating func object(_ object: TapeIndex) {
    let list = tape.keyList(object)
    output.append(UInt8(ascii: "{"))
    if isCanonical {
      let values = Array(tape.children(of: object))
      for (place, position) in order(of: list).enumerated() {
        member(place, tape.key(list, position), values[position])
      }
    } else {
      for (position, value) in tape.children(of: object).enumerated() {
        member(position, tape.key(list, position), value)
      }
    }
    output.append(UInt8(ascii: "}"))
  }

  private mutating func member(_ place: Int, _ key: JSONCell, _ index: TapeIndex) {
    if place > 0 { output.append(UInt8(ascii: ",")) }
    string(key)
    output.append(UInt8(ascii: ":"))
    value(index)
  }

  private mutating func order(of list: Int) -> [Int] {
    if let known = orders[list] { return known }
    let names = (0..<tape.keyCount(list)).map { Array(tape.string(tape.key(list, $0)).utf8) }
    let order = names.indices.sorted { names[$0].lexicographicallyPrecedes(names[$1]) }
    orders[list] = order
    return order
  }
}
