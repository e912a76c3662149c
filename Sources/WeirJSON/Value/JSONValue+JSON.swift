extension JSON {
  /// The value as a tree. Costs an allocation for each array, object and longer string.
  public var value: JSONValue {
    withTape { tape, index in
      var builder = TreeBuilder(tape, root: index, keyListWords: document.keyListWords)
      return builder.value(index)
    }
  }

  /// Creates a document of a tree.
  ///
  /// - Throws: `JSONError` if a number is not finite or the tree nests deeper than 512.
  public init(_ value: JSONValue) throws(JSONError) {
    try self.init(parsing: value.compactBytes())
  }
}

extension JSONValue {
  /// Parses a text into a tree; see `JSONDocument.parse`.
  public init(parsing text: String) throws(JSONError) {
    self = try JSON(parsing: text).value
  }
}

/// Builds trees of a tape's values.
private struct TreeBuilder {
  let tape: JSONTape

  /// The keys of each key list that was used already; empty for a small part of a document, which
  /// must not cost what the document's key lists do.
  private var keys: [JSONKeys?] = []
  /// The same for a small part.
  private var fewKeys: [Int: JSONKeys] = [:]

  init(_ tape: JSONTape, root: TapeIndex, keyListWords: Int) {
    self.tape = tape
    if tape[root].isContainer, tape.extent(root).cells >= keyListWords / 8 {
      keys = [JSONKeys?](repeating: nil, count: keyListWords)
    }
  }

  mutating func value(_ index: TapeIndex) -> JSONValue {
    let cell = tape[index]
    switch cell.kind {
    case .null: return .null
    case .false: return .bool(false)
    case .true: return .bool(true)
    case .number: return number(cell)
    case .string: return .string(tape.string(cell))
    case .array: return .array(children(of: index))
    case .object:
      let list = tape.keyList(index)
      return .object(
        JSONObject(
          keys: names(of: list), values: children(of: index)))
    }
  }

  private func number(_ cell: JSONCell) -> JSONValue {
    if !cell.isIrregular {
      if let int = JSONNumber.integer(tape.text(cell), as: Int64.self) { return .int(int) }
      if let uint = JSONNumber.integer(tape.text(cell), as: UInt64.self) { return .uint(uint) }
    }
    // Never nil: the parser accepts only numbers in the range of `Double`.
    return .double(tape.double(cell) ?? 0)
  }

  private mutating func children(of container: TapeIndex) -> [JSONValue] {
    tape.children(of: container).map { value($0) }
  }

  private mutating func names(of list: Int) -> JSONKeys {
    if let known = keys.isEmpty ? fewKeys[list] : keys[list] { return known }
    let names = JSONKeys((0..<tape.keyCount(list)).map { tape.string(tape.key(list, $0)) }[...])
    if keys.isEmpty { fewKeys[list] = names } else { keys[list] = names }
    return names
  }
}
