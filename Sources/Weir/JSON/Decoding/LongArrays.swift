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
    let isLong = count >= DecodedElements.minimumCount
    let wasInLongArray = session.isInLongArray
    if isLong { session.isInLongArray = true }
    defer { session.isInLongArray = wasInLongArray }
    let before = isLong ? session.elements?.before(index, of: type) : nil
    var runs = before?.runs[...] ?? []
    var elements: [Element] = []
    elements.reserveCapacity(count)
    var cell = index + 2
    while elements.count < count {
      if let before, let run = runs.first, run.start == elements.count {
        runs.removeFirst()
        elements += before.elements[run.startBefore..<run.startBefore + run.count]
        session.withTape { tape in
          for _ in 0..<run.count { cell = tape.next(cell) }
        }
        continue
      }
      elements.append(
        try decode(JSONValueDecoder(session: session, index: UInt32(truncatingIfNeeded: cell))))
      cell = session.withTape { $0.next(cell) }
    }
    if isLong { session.elements?.keep(elements, of: index) }
    return elements
  }
}
