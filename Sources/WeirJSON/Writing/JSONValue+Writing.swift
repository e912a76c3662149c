extension JSONValue {
  /// Returns the value as text without white space, with the members in their order.
  ///
  /// - Throws: `JSONError` if a number is not finite, or arrays and objects nest deeper than 512.
  public func compactBytes() throws(JSONError) -> [UInt8] {
    try write(isCanonical: false)
  }

  /// Returns the text that is the same for all equal values; see `JSON.canonicalBytes`.
  public func canonicalBytes() throws(JSONError) -> [UInt8] {
    try write(isCanonical: true)
  }

  private func write(isCanonical: Bool) throws(JSONError) -> [UInt8] {
    var writer = TreeWriter(isCanonical: isCanonical)
    try writer.value(self, depth: 0)
    return writer.output
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
  var output: [UInt8] = []

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
    var members = Array(object)
    if isCanonical {
      members.sort { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    }
    output.append(UInt8(ascii: "{"))
    for (position, member) in members.enumerated() {
      if position > 0 { output.append(UInt8(ascii: ",")) }
      JSONText.append(member.key, to: &output)
      output.append(UInt8(ascii: ":"))
      try value(member.value, depth: depth + 1)
    }
    output.append(UInt8(ascii: "}"))
  }

  private func checkDepth(_ depth: Int) throws(JSONError) {
    if depth >= JSONParseOptions.deepest { throw JSONError(.tooDeep, offset: output.count) }
  }
}
