/// An array of `Decodable` elements.
private protocol DecodableArray {
  static func decode(from decoder: JSONValueDecoder) throws -> Self
}

extension Array: DecodableArray where Element: Decodable {
  fileprivate static func decode(from decoder: JSONValueDecoder) throws -> [Element] {
    if let type = Element.self as? any SelectionDecodable.Type,
      let elements = try decoder.selections(type) as? [Element]
    {
      return elements
    }
    let session = decoder.session
    return try session.withTape { tape in
      try session.elements(at: decoder.index, tape) {
        try JSONValueDecoder(session: session, index: $0).decode(Element.self)
      }
    }
  }
}

extension JSONValueDecoder {
  var isLongArray: Bool {
    session.withTape { tape in
      tape[Int(index)].kind == .array
        && tape.extent(Int(index)).detail >= DecodedElements.minimumCount
    }
  }

  /// Decodes a long array. `Array` itself would decode each element through two existentials.
  @inline(never)
  func longArray<Value: Decodable>(_ type: Value.Type) throws -> Value {
    guard let array = type as? any DecodableArray.Type,
      let value = try array.decode(from: self) as? Value
    else { return try Value(from: self) }
    return value
  }

  fileprivate func selections<Element: SelectionDecodable>(_ type: Element.Type) throws -> Any {
    try session.withTape { try session.selections(at: index, $0) as [Element] }
  }
}

extension DecodingSession {
  /// Returns the elements of an array. Those that were decoded before are reused.
  @inlinable
  func elements<Element>(
    at array: UInt32, _ tape: JSONTape, _ decode: (UInt32) throws -> Element
  ) throws -> [Element] {
    guard tape[Int(array)].kind == .array else { throw mismatch([Element].self, at: array) }
    let count = tape.extent(Int(array)).detail
    guard count >= DecodedElements.minimumCount else {
      return try newElements(count, at: array, tape, decode)
    }
    let wasInLongArray = isInLongArray
    isInLongArray = true
    keepNames()
    defer { isInLongArray = wasInLongArray }
    var new: [Element] = []
    if try !takeOver(&new, count, at: array, tape, decode) {
      new = try newElements(count, at: array, tape, decode)
    }
    elements?.keep(new, of: Int(array))
    return new
  }

  @inlinable
  func newElements<Element>(
    _ count: Int, at array: UInt32, _ tape: JSONTape, _ decode: (UInt32) throws -> Element
  ) throws -> [Element] {
    var elements: [Element] = []
    elements.reserveCapacity(count)
    var cell = tape.firstChild(Int(array))
    try append(count, to: &elements, from: &cell, tape, decode)
    return elements
  }

  /// Turns the array of the document before into this one.
  ///
  /// - Returns: false if no element of it can be reused.
  @usableFromInline
  func takeOver<Element>(
    _ elements: inout [Element], _ count: Int, at array: UInt32, _ tape: JSONTape,
    _ decode: (UInt32) throws -> Element
  ) throws -> Bool {
    let runs = self.elements?.takeBefore(Int(array), into: &elements) ?? []
    if runs.isEmpty { return false }
    try change(&elements, runs, count, at: array, tape, decode)
    return true
  }

  /// Turns the array of the document before into this one.
  ///
  /// If the caller has the only reference to it, elements that stay in place are not touched;
  /// otherwise the array is copied once as a whole.
  private func change<Element>(
    _ elements: inout [Element], _ runs: [DecodedElements.Run], _ count: Int, at array: UInt32,
    _ tape: JSONTape, _ decode: (UInt32) throws -> Element
  ) throws {
    let old = runs.moveTooMuch ? elements : []
    if runs.moveTooMuch {
      elements = []
      elements.reserveCapacity(count)
    }
    // Elements before `position` belong to this array, those after it to the array before.
    var (position, positionBefore, cell) = (0, 0, tape.firstChild(Int(array)))
    func decodeElements(upTo end: Int, replacing countBefore: Int) throws {
      if position == elements.count {
        try append(end - position, to: &elements, from: &cell, tape, decode)
      } else if position < end || countBefore > 0 {
        var new: [Element] = []
        try append(end - position, to: &new, from: &cell, tape, decode)
        elements.replaceSubrange(position..<position + countBefore, with: new)
      }
      position = end
    }
    for run in runs {
      try decodeElements(upTo: run.start, replacing: run.startBefore - positionBefore)
      if !old.isEmpty { elements += old[run.startBefore..<run.startBefore + run.count] }
      position += run.count
      positionBefore = run.startBefore + run.count
      cell = run.cellAfter
    }
    try decodeElements(upTo: count, replacing: elements.count - position)
  }

  /// Decodes `count` elements, the first of which is at `cell`, and moves `cell` behind them.
  @inlinable
  func append<Element>(
    _ count: Int, to elements: inout [Element], from cell: inout Int, _ tape: JSONTape,
    _ decode: (UInt32) throws -> Element
  ) throws {
    for _ in 0..<count {
      elements.append(try decode(UInt32(truncatingIfNeeded: cell)))
      cell = tape.next(cell)
    }
  }
}
