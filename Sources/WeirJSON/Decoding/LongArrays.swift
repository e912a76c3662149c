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
      tape[index].kind == .array
        && tape.extent(index).detail >= DecodedElements.minimumCount
    }
  }

  /// Decodes a long array. `Array` itself would decode each element through two existentials.
  @inline(never)
  func longArray<Value: Decodable>(_ type: Value.Type) throws -> Value {
    guard let array = type as? any DecodableArray.Type,
      let value = try array.decode(from: self) as? Value
    else { return isFoundationType(type) ? try foundationValue(type) : try Value(from: self) }
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
    at array: TapeIndex, _ tape: JSONTape, _ decode: (TapeIndex) throws -> Element
  ) throws -> [Element] {
    guard tape[array].kind == .array else { throw mismatch([Element].self, at: array) }
    let count = tape.extent(array).detail
    guard count >= DecodedElements.minimumCount else {
      return try newElements(count, at: array, tape, decode)
    }
    let wasInLongArray = isInLongArray
    isInLongArray = true
    defer { isInLongArray = wasInLongArray }
    var new: [Element] = []
    if try !takeOver(&new, count, at: array, tape, decode) {
      new = try newElements(count, at: array, tape, decode)
    }
    if !sharesDocument { elements?.keep(new, of: array) }
    return new
  }

  @inlinable
  func newElements<Element>(
    _ count: Int, at array: TapeIndex, _ tape: JSONTape, _ decode: (TapeIndex) throws -> Element
  ) throws -> [Element] {
    var elements: [Element] = []
    elements.reserveCapacity(room(for: count, Element.self, of: array, tape))
    var cell = tape.firstChild(array)
    try append(count, to: &elements, from: &cell, tape, decode)
    return elements
  }

  /// For how many elements there is room before the first is decoded: for all, unless they are much larger
  /// than their text. Two bytes of a hostile list would otherwise take as much memory as any object.
  @inlinable
  func room<Element>(
    for count: Int, _ type: Element.Type, of array: TapeIndex, _ tape: JSONTape
  ) -> Int {
    guard count > 1_024 else { return count }
    return min(count, max(1_024, 8 * tape[array].length / MemoryLayout<Element>.stride))
  }

  /// Turns the array of the document before into this one.
  ///
  /// - Returns: false if no element of it can be reused.
  @usableFromInline
  func takeOver<Element>(
    _ elements: inout [Element], _ count: Int, at array: TapeIndex, _ tape: JSONTape,
    _ decode: (TapeIndex) throws -> Element
  ) throws -> Bool {
    let runs = self.elements?.takeBefore(array, into: &elements) ?? []
    if runs.isEmpty { return false }
    let old = elements
    elements = []
    elements.reserveCapacity(
      min(count, max(old.count, room(for: count, Element.self, of: array, tape))))
    var cell = tape.firstChild(array)
    for run in runs {
      try append(run.start - elements.count, to: &elements, from: &cell, tape, decode)
      elements += old[run.startBefore..<run.startBefore + run.count]
      cell = run.cellAfter
    }
    try append(count - elements.count, to: &elements, from: &cell, tape, decode)
    return true
  }

  /// Decodes `count` elements, the first of which is at `cell`, and moves `cell` behind them.
  @inlinable
  func append<Element>(
    _ count: Int, to elements: inout [Element], from cell: inout TapeIndex, _ tape: JSONTape,
    _ decode: (TapeIndex) throws -> Element
  ) throws {
    for _ in 0..<count {
      elements.append(try decode(cell))
      cell = tape.next(cell)
    }
  }
}
