import Foundation

/// An encoder of one value, which is also its single-value container.
struct ValueEncoder: Encoder, SingleValueEncodingContainer {
  let storage: EncodingStorage
  let node: Int
  let depth: Int

  var codingPath: [any CodingKey] { storage.withState { $0.path(to: node) } }

  var userInfo: [CodingUserInfoKey: Any] { storage.header.options.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    storage.withState { $0.begin(node, .object, depth: depth) }
    if node == 0 { return storage.rootContainer(keyedBy: type, depth: depth) }
    return KeyedEncodingContainer(
      ObjectEncodingContainer<Key>(storage: storage, object: node, depth: depth))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    storage.withState { $0.begin(node, .array, depth: depth) }
    return ArrayEncodingContainer(storage: storage, array: node, depth: depth)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }

  /// Whether nothing was written yet.
  var isEmpty: Bool { storage.withState { $0.nodes[node].kind == .empty } }
}

extension ValueEncoder {
  private func write(_ append: (inout Scratch<UInt8>) -> Void) {
    storage.withState { $0.write(node, append) }
  }

  func encodeNil() { write { JSONText.append(ascii: "null", to: &$0) } }

  func encode(_ value: Bool) {
    write { JSONText.append(ascii: value ? "true" : "false", to: &$0) }
  }

  func encode(_ value: String) { write { JSONText.append(value, to: &$0) } }

  func encode(_ value: Double) throws { try finite(value) }
  func encode(_ value: Float) throws { try finite(value) }

  private func finite<Number: BinaryFloatingPoint & LosslessStringConvertible>(
    _ value: Number
  ) throws {
    guard value.isFinite else { throw error(.nonFiniteNumber) }
    write { JSONText.append(value, to: &$0) }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func encode(_ value: Int128) { write { JSONText.append(value, to: &$0) } }
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func encode(_ value: UInt128) { write { JSONText.append(value, to: &$0) } }
  /// All other integer types that the protocol lists.
  func encode<Integer: FixedWidthInteger & Encodable>(_ value: Integer) {
    write { JSONText.append(value, to: &$0) }
  }

  func encode<Value: Encodable>(_ value: Value) throws {
    guard depth < JSONParseOptions.deepest else { throw error(.tooDeep) }
    do {
      if try encodeJSON(value) { return }
      if try encodeFoundation(value) { return }
      try value.encode(to: ValueEncoder(storage: storage, node: node, depth: depth + 1))
    } catch {
      storage.withState { $0.note(error, failureAt: node) }
      throw error
    }
  }

  /// Runs `write`. If it throws an error, the member or element is removed, as in Foundation: the
  /// type around it may handle the error.
  @inline(__always)
  func orDropping(_ write: () throws -> Void) throws {
    do { try write() } catch {
      storage.withState { $0.drop(node) }
      throw error
    }
  }

  func error(_ reason: JSONEncodingError.Reason) -> JSONEncodingError {
    JSONEncodingError(reason: reason, path: storage.withState { $0.path(to: node) })
  }
}

extension ValueEncoder {
  /// Writes a value if JSON users expect another form than that of the type's own `Codable`.
  private func encodeFoundation<Value>(_ value: Value) throws -> Bool {
    if Value.self == Date.self, let date = value as? Date {
      try encode(date)
    } else if Value.self == URL.self, let url = value as? URL {
      encode(url.absoluteString)
    } else if Value.self == Data.self, let data = value as? Data {
      encode(data.base64EncodedString())
    } else if Value.self == UUID.self, let uuid = value as? UUID {
      // As RFC 9562 demands it, and nearly all servers write it: a key in capital letters would be that
      // of another entity.
      encode(uuid.uuidString.lowercased())
    } else if Value.self == Decimal.self, let decimal = value as? Decimal {
      guard decimal.isFinite else { throw error(.nonFiniteNumber) }
      write { JSONText.append(plain: decimal.description, to: &$0) }
    } else {
      return false
    }
    return true
  }

  private func encode(_ date: Date) throws {
    switch storage.header.options.dates {
    case .iso8601:
      guard let text = ISO8601.text(date) else { throw error(.invalidValue) }
      encode(text)
    case .secondsSince1970: try encode(date.timeIntervalSince1970)
    case .millisecondsSince1970: try encode(date.timeIntervalSince1970 * 1000)
    case .deferredToDate: try date.encode(to: self)
    }
  }
}

extension ValueEncoder {
  /// Writes a value that is JSON already.
  private func encodeJSON<Value>(_ value: Value) throws -> Bool {
    let bytes: [UInt8]
    if Value.self == JSON.self, let json = value as? JSON {
      guard !json.nests(deeperThan: JSONParseOptions.deepest - nesting) else {
        throw error(.tooDeep)
      }
      bytes = storage.header.options.sortsKeys ? json.canonicalBytes : json.compactBytes
    } else if Value.self == JSONValue.self, let tree = value as? JSONValue {
      do throws(JSONError) {
        bytes = try tree.bytes(isCanonical: storage.header.options.sortsKeys, depth: nesting)
      } catch {
        guard error.code != .tooDeep else { throw self.error(.tooDeep) }
        throw JSONEncodingError(
          tree.encodingError(error), within: storage.withState { $0.path(to: node) })
      }
    } else {
      return false
    }
    // Proof: the bytes are copied before the closure returns.
    write { text in bytes.withUnsafeBufferPointer { text.append(contentsOf: $0) } }
    return true
  }

  /// In how many arrays and objects the value is. The depth also counts values in between.
  private var nesting: Int {
    storage.withState { state in
      var (node, nesting) = (node, state.outerDepth)
      while state.nodes[node].parent >= 0 {
        node = state.nodes[node].parent
        nesting += 1
      }
      return nesting
    }
  }
}

extension JSON {
  /// Whether arrays and objects nest deeper than a limit.
  fileprivate func nests(deeperThan limit: Int) -> Bool {
    withTape { tape, index in
      // Each level takes two bytes.
      tape[index].length > 2 * limit && nests(index, deeperThan: limit, tape)
    }
  }

  private func nests(_ index: TapeIndex, deeperThan limit: Int, _ tape: JSONTape) -> Bool {
    tape[index].isContainer
      && (limit == 0
        || tape.children(of: index).contains { nests($0, deeperThan: limit - 1, tape) })
  }
}

extension JSONValue {
  /// Says why the value could not be written, and where.
  package func encodingError(_ error: JSONError) -> JSONEncodingError {
    error.code == .tooDeep
      ? JSONEncodingError(reason: .tooDeep, path: [])
      : JSONEncodingError(reason: .nonFiniteNumber, path: pathToNonFiniteNumber ?? [])
  }

  /// The path to the first number that JSON cannot express; nil if there is none.
  private var pathToNonFiniteNumber: [JSONPathKey]? {
    switch self {
    case .double(let number): return number.isFinite ? nil : []
    case .array(let elements):
      for (position, element) in elements.enumerated() {
        if let path = element.pathToNonFiniteNumber { return [JSONPathKey(position)] + path }
      }
    case .object(let members):
      for (key, member) in members {
        if let path = member.pathToNonFiniteNumber { return [JSONPathKey(key)] + path }
      }
    case .null, .bool, .int, .uint, .string: break
    }
    return nil
  }
}
