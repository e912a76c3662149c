package import WeirSupport

extension JSONValue {
  /// Returns the value as text without white space, with the members in their order.
  ///
  /// - Throws: `JSONError` if a number is not finite, or arrays and objects nest deeper than 512.
  public func compactBytes() throws(JSONError) -> [UInt8] {
    try write(isCanonical: false).array
  }

  /// Returns the text that is the same for all equal values; see `JSON.canonicalBytes`. Strings that
  /// are equal for Swift but have other bytes are written with their bytes.
  public func canonicalBytes() throws(JSONError) -> [UInt8] {
    try write(isCanonical: true).array
  }

  /// Returns the same for keeping.
  package func compactCanonicalBytes() throws(JSONError) -> CompactBytes {
    try write(isCanonical: true)
  }

  /// Returns the text of a value within `depth` arrays and objects.
  func bytes(isCanonical: Bool, depth: Int) throws(JSONError) -> [UInt8] {
    try write(isCanonical: isCanonical, depth: depth).array
  }

  private func write(
    isCanonical: Bool, depth: Int = 0
  ) throws(JSONError) -> CompactBytes {
    // Creating an array from a buffer is faster than filling one.
    try withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 512) {
      buffer -> Result<CompactBytes, JSONError> in
      var writer = TreeWriter(isCanonical: isCanonical, output: Scratch(startingIn: buffer))
      defer { writer.output.release() }
      do throws(JSONError) {
        try writer.value(self, depth: depth)
      } catch {
        return .failure(error)
      }
      // Proof: the output has `count` bytes, and lives until the call returns.
      return .success(
        CompactBytes(UnsafeBufferPointer(start: writer.output.base, count: writer.output.count)))
    }.get()
  }
}

extension JSONValue: CustomStringConvertible {
  /// The value as compact JSON; if it cannot be written, the reason.
  public var description: String {
    do {
      return String(decoding: try compactBytes(), as: UTF8.self)
    } catch {
      return error.description
    }
  }
}

/// Writes trees as text.
private struct TreeWriter {
  let isCanonical: Bool
  var output: Scratch<UInt8>

  mutating func value(_ value: JSONValue, depth: Int) throws(JSONError) {
    switch value {
    case .null: JSONText.append(ascii: "null", to: &output)
    case .bool(let bool): JSONText.append(ascii: bool ? "true" : "false", to: &output)
    case .int(let int): JSONText.append(int, to: &output)
    case .uint(let uint): JSONText.append(uint, to: &output)
    case .double(let double):
      guard double.isFinite else { throw JSONError(.nonFiniteNumber, offset: 0) }
      JSONText.append(double, to: &output)
    case .string(let string): JSONText.append(string, to: &output)
    case .array(let elements): try array(elements, depth: depth)
    case .object(let members): try object(members, depth: depth)
    }
  }

  private mutating func array(_ elements: [JSONValue], depth: Int) throws(JSONError) {
    try checkDepth(depth)
    output.append(UInt8(ascii: "["))
    for (position, element) in elements.enumerated() {
      if position > 0 { output.append(UInt8(ascii: ",")) }
      try value(element, depth: depth + 1)
    }
    output.append(UInt8(ascii: "]"))
  }

  private mutating func object(_ object: JSONObject, depth: Int) throws(JSONError) {
    try checkDepth(depth)
    let (keys, values) = (object.keys, object.values)
    output.append(UInt8(ascii: "{"))
    if isCanonical, !keys.areInOrder {
      let order = keys.indices.sorted { keys[$0].precedes(keys[$1]) }
      for (place, position) in order.enumerated() {
        try member(place, keys[position], values[position], depth: depth)
      }
    } else {
      for position in keys.indices {
        try member(position, keys[position], values[position], depth: depth)
      }
    }
    output.append(UInt8(ascii: "}"))
  }

  private mutating func member(
    _ place: Int, _ key: String, _ value: JSONValue, depth: Int
  ) throws(JSONError) {
    if place > 0 { output.append(UInt8(ascii: ",")) }
    JSONText.append(key, to: &output)
    output.append(UInt8(ascii: ":"))
    try self.value(value, depth: depth + 1)
  }

  private func checkDepth(_ depth: Int) throws(JSONError) {
    if depth >= JSONParseOptions.deepest { throw JSONError(.tooDeep, offset: 0) }
  }
}

extension [String] {
  /// Whether these keys are in canonical order, as those of most literals are.
  fileprivate var areInOrder: Bool {
    for place in indices.dropFirst() where !self[place - 1].precedes(self[place]) { return false }
    return true
  }
}

extension String {
  /// Whether the bytes of this key come before those of another.
  fileprivate func precedes(_ other: String) -> Bool {
    utf8.lexicographicallyPrecedes(other.utf8)
  }
}
