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
  ///
  /// The array of before is changed where the new one differs. If nobody else holds it, what stays is
  /// not touched; else it is copied once as a whole.
  func elements<Element>(
    _ type: Element.Type, _ decode: (JSONValueDecoder) throws -> Element
  ) throws -> [Element] {
    guard kind == .array else { throw mismatch([Element].self) }
    let index = Int(index)
    let count = session.withTape { $0.extent(index).detail }
    let isLong = count >= DecodedElements.minimumCount
    let wasInLongArray = session.isInLongArray
    if isLong { session.isInLongArray = true }
    defer { session.isInLongArray = wasInLongArray }
    var (elements, runs) =
      (isLong ? session.elements?.takeBefore(index, of: type) : nil) ?? ([], [])
    let old = runs.moveTooMuch ? elements : []
    if runs.isEmpty || runs.moveTooMuch {
      elements = []
      elements.reserveCapacity(count)
    }
    // Elements before `position` are new; those after it are of the array before.
    var (position, positionBefore, cell) = (0, 0, index + 2)
    func decodeElements(upTo end: Int, replacing countBefore: Int) throws {
      func next() throws -> Element {
        defer { cell = session.withTape { $0.next(cell) } }
        return try decode(
          JSONValueDecoder(session: session, index: UInt32(truncatingIfNeeded: cell)))
      }
      if position == elements.count {
        while elements.count < end { elements.append(try next()) }
      } else if position < end || countBefore > 0 {
        let new = try (position..<end).map { _ in try next() }
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
    if isLong { session.elements?.keep(elements, of: index) }
    return elements
  }
}
