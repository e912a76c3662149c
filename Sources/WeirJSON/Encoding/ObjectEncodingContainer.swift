/// A container that writes the members of an object.
struct ObjectEncodingContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let storage: EncodingStorage
  let object: Int
  let depth: Int

  var codingPath: [any CodingKey] { storage.withState { $0.path(to: object) } }

  private func member(_ key: some CodingKey, nesting: Int = 0) -> ValueEncoder {
    ValueEncoder(
      storage: storage, node: storage.withState { $0.addMember(key.stringValue, to: object) },
      depth: depth + nesting
    )
  }

  func encodeNil(forKey key: Key) { member(key).encodeNil() }
  func encode(_ value: Bool, forKey key: Key) { member(key).encode(value) }
  func encode(_ value: String, forKey key: Key) { member(key).encode(value) }
  func encode(_ value: Double, forKey key: Key) throws { try member(key).encode(value) }
  func encode(_ value: Float, forKey key: Key) throws { try member(key).encode(value) }
  /// All integer types that the protocol lists.
  func encode<Integer: FixedWidthInteger & Encodable>(_ value: Integer, forKey key: Key) {
    member(key).encode(value)
  }
  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    try member(key).encode(value)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    member(key, nesting: 1).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    member(key, nesting: 1).unkeyedContainer()
  }

  func superEncoder() -> any Encoder {
    member(JSONPathKey("super"), nesting: 1)
  }

  func superEncoder(forKey key: Key) -> any Encoder { member(key, nesting: 1) }
}

// MARK: - Optional members

extension ObjectEncodingContainer {
  /// Writes null for a member that is nil if the options say so.
  private func encodeAbsent(_ key: Key) {
    if storage.header.options.writesNil { encodeNil(forKey: key) }
  }

  func encodeIfPresent(_ value: Bool?, forKey key: Key) {
    if let value { encode(value, forKey: key) } else { encodeAbsent(key) }
  }
  func encodeIfPresent(_ value: String?, forKey key: Key) {
    if let value { encode(value, forKey: key) } else { encodeAbsent(key) }
  }
  func encodeIfPresent(_ value: Double?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) } else { encodeAbsent(key) }
  }
  func encodeIfPresent(_ value: Float?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) } else { encodeAbsent(key) }
  }
  /// All integer types that the protocol lists.
  func encodeIfPresent<Integer: FixedWidthInteger & Encodable>(
    _ value: Integer?, forKey key: Key
  ) {
    if let value { encode(value, forKey: key) } else { encodeAbsent(key) }
  }
  func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) } else { encodeAbsent(key) }
  }
}
