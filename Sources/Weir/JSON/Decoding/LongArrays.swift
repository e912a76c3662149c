/// An array whose elements can be decoded.
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
    return try decoder.elements(Element.self) { try $0.decode(Element.self) }
  }
}

extension JSONValueDecoder {
  @inline(__always)
  var isLongArray: Bool {
    session.withTape { tape in
      tape[Int(index)].kind == .array
        && tape.extent(Int(index)).detail >= DecodedElements.minimumCount
    }
  }

  /// A long array. If one of the standard library is asked for: that would decode element by element
  /// behind two existentials.
  @inline(never)
  func longArray<Value: Decodable>(_ type: Value.Type) throws -> Value {
    guard let array = type as? any DecodableArray.Type,
      let value = try array.decode(from: self) as? Value
    else { return try Value(from: self) }
    return value
  }

  fileprivate func selections<Element: SelectionDecodable>(_ type: Element.Type) throws -> Any {
    try elements(type) { try $0.selection(type) }
  }

  /// The elements of an array, those that were decoded before without being decoded again.
  func elements<Element>(
    _ type: Element.Type, _ decode: (JSONValueDecoder) throws -> Element
  ) throws -> [Element] {
    guard kind == .array else { throw mismatch([Element].self) }
    let index = Int(index)
    let count = session.withTape { $0.extent(index).detail }
    guard count >= DecodedElements.minimumCount else { return try newElements(count, decode) }
    let wasInLongArray = session.isInLongArray
    session.isInLongArray = true
    defer { session.isInLongArray = wasInLongArray }
    var (elements, runs) = session.elements?.takeBefore(index, of: type) ?? ([], [])
    if runs.isEmpty {
      elements = try newElements(count, decode)
    } else {
      try change(&elements, runs, count, decode)
    }
    session.elements?.keep(elements, of: index)
    return elements
  }

  private func newElements<Element>(
    _ count: Int, _ decode: (JSONValueDecoder) throws -> Element
  ) throws -> [Element] {
    var elements: [Element] = []
    elements.reserveCapacity(count)
    var cell = Int(index) + 2
    try append(count, to: &elements, from: &cell, decode)
    return elements
  }

  /// Makes the array of before this one.
  ///
  /// If nobody else holds it, what stays is not touched; else it is copied once as a whole.
  private func change<Element>(
    _ elements: inout [Element], _ runs: [DecodedElements.Run], _ count: Int,
    _ decode: (JSONValueDecoder) throws -> Element
  ) throws {
    let old = runs.moveTooMuch ? elements : []
    if runs.moveTooMuch {
      elements = []
      elements.reserveCapacity(count)
    }
    // Elements before `position` are new; those after it are of the array before.
    var (position, positionBefore, cell) = (0, 0, Int(index) + 2)
    func decodeElements(upTo end: Int, replacing countBefore: Int) throws {
      if position == elements.count {
        try append(end - position, to: &elements, from: &cell, decode)
      } else if position < end || countBefore > 0 {
        var new: [Element] = []
        try append(end - position, to: &new, from: &cell, decode)
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

  /// Decodes so many elements, the first of which is at a cell, which becomes that of the next one.
  private func append<Element>(
    _ count: Int, to elements: inout [Element], from cell: inout Int,
    _ decode: (JSONValueDecoder) throws -> Element
  ) throws {
    for _ in 0..<count {
      elements.append(
        try decode(JSONValueDecoder(session: session, index: UInt32(truncatingIfNeeded: cell))))
      cell = session.withTape { $0.next(cell) }
    }
  }
}
