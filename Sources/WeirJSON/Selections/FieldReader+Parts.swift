// Generated code reads fragments and type conditions with these. A part is another view of the same
// object.

extension FieldReader {
  /// Reads the name of the object's type.
  public mutating func typename() throws -> String { try read("__typename") }

  /// Reads the fields of a part of the object: a fragment, or the fields of a type condition.
  @inlinable
  public func part<Value: SelectionDecodable>() throws -> Value {
    var fields = FieldReader(session.takeUnretainedValue(), tape, object: object)
    return try Value(reading: &fields)
  }

  /// Reads a part that exists if the object has the named type; otherwise returns nil. `keys` are
  /// those of ``has(_:)``, needed if the operation selects the part under a condition.
  public func part<Value: SelectionDecodable>(
    on type: StaticString, has keys: StaticString = ""
  ) throws -> Value? {
    isOf(type) && has(keys) ? try part() : nil
  }

  /// Reads a part that exists if the object has one of several types; otherwise returns nil.
  ///
  /// `known` are the object types that were known when the code was generated. For another type,
  /// and for a part that the operation selects under a condition, `keys` must exist; see
  /// ``has(_:)``.
  public func part<Value: SelectionDecodable>(
    on types: TypeSet, of known: TypeSet, has keys: StaticString, isConditional: Bool = false
  ) throws -> Value? {
    guard let name = knownTypename else { return nil }
    let isMember = types.contains(name)
    if !isMember, known.contains(name) { return nil }
    if !isMember || isConditional, !has(keys) { return nil }
    return try part()
  }

  /// Reads a part that the operation selects under a condition; nil if a key is missing.
  public func part<Value: SelectionDecodable>(has keys: StaticString) throws -> Value? {
    has(keys) ? try part() : nil
  }

  /// Reads a list of objects, some of which may be null.
  @inlinable
  public mutating func read<Value: SelectionDecodable>(_ name: StaticString) throws -> [Value?] {
    let index = try required(name)
    return try session._withUnsafeGuaranteedRef { try $0.optionalSelections(at: index, tape) }
  }

  /// Reads a list of objects, some of which may be null, or nil.
  @inlinable
  public mutating func read<Value: SelectionDecodable>(_ name: StaticString) throws -> [Value?]? {
    guard let index = present(name) else { return nil }
    return try session._withUnsafeGuaranteedRef { try $0.optionalSelections(at: index, tape) }
  }

  /// Whether an object has one of several types, whose names are separated by bars.
  private func isOf(_ types: Slice<UnsafeBufferPointer<UInt8>>, _ object: TapeIndex) -> Bool {
    guard let value = typenameCell(object) else { return false }
    return types.split(separator: UInt8(ascii: "|")).contains {
      tape.matches(value, UnsafeBufferPointer(rebasing: $0))
    }
  }

  private func isOf(_ type: StaticString) -> Bool {
    guard let value = typenameCell(object) else { return false }
    return type.withUTF8Buffer { tape.matches(value, $0) }
  }

  private var knownTypename: String? { typenameCell(object).flatMap { tape.stringValue($0) } }

  private func typenameCell(_ object: TapeIndex) -> JSONCell? {
    let name: StaticString = "__typename"
    let found = name.withUTF8Buffer {
      // Weir adds it as the last selection.
      let keys = tape.keyList(object)
      return position(of: $0, in: keys, startingAt: max(0, tape.keyCount(keys) - 1))
    }
    guard let found else { return nil }
    let cell = tape[value(object, at: found)]
    return cell.kind == .string ? cell : nil
  }
}

// MARK: - Keys

extension FieldReader {
  /// Returns whether the object has fields: paths of response keys, separated by spaces, as in
  /// `"title author.name"`. A null value ends a path, and a list has a key if each of its elements
  /// does. A key that only objects of some types have follows their names, as in
  /// `"Post|Author:name"`.
  public func has(_ keys: StaticString) -> Bool {
    keys.withUTF8Buffer { text in
      text.split(separator: UInt8(ascii: " "))
        .allSatisfy { has(UnsafeBufferPointer(rebasing: $0), in: object) }
    }
  }

  /// Proof for the buffers: they are parts of a `StaticString`, which lives forever.
  private func has(_ path: UnsafeBufferPointer<UInt8>, in value: TapeIndex) -> Bool {
    switch tape[value].kind {
    case .object:
      let end = path.firstIndex(of: UInt8(ascii: ".")) ?? path.endIndex
      var start = path.startIndex
      if let colon = path[..<end].firstIndex(of: UInt8(ascii: ":")) {
        guard isOf(path[..<colon], value) else { return true }
        start = colon + 1
      }
      let position = position(
        of: UnsafeBufferPointer(rebasing: path[start..<end]), in: tape.keyList(value), startingAt: 0
      )
      guard let position else { return false }
      return end == path.endIndex
        || has(
          UnsafeBufferPointer(rebasing: path[(end + 1)...]), in: self.value(value, at: position))
    case .array:
      return tape.children(of: value).allSatisfy { has(path, in: $0) }
    default:
      return true
    }
  }
}

extension DecodingSession {
  /// Decodes a list of objects, some of which may be null.
  @inlinable
  func optionalSelections<Value: SelectionDecodable>(
    at index: TapeIndex, _ tape: JSONTape
  ) throws -> [Value?] {
    try elements(at: index, tape) {
      tape[$0].kind == .null ? nil : try selection(at: $0, tape)
    }
  }
}
