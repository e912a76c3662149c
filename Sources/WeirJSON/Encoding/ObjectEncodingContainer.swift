/// A container that writes the members of an object.
struct ObjectEncodingContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let storage: EncodingStorage
  let object: Int
  let depth: Int

  var codingPath: [any CodingKey] { storage.withState { $0.path(to: object) } }

  private func member(_ key: some CodingKey, nesting: Int = 0) -> ValueEncoder {
    storage.member(key.stringValue, of: object, depth: depth + nesting)
  }

  private func nested(_ key: Key) -> ValueEncoder {
    let encoder = member(key, nesting: 1)
    // Proof: the node exists, because the encoder has just made it.
    storage.withState { $0.nodes.base[encoder.node].isNested = true }
    return encoder
  }

  func encodeNil(forKey key: Key) { member(key).encodeNil() }
  func encode(_ value: Bool, forKey key: Key) { member(key).encode(value) }
  func encode(_ value: String, forKey key: Key) { member(key).encode(value) }
  func encode(_ value: Double, forKey key: Key) throws {
    let member = member(key)
    try member.orDropping { try member.encode(value) }
  }
  func encode(_ value: Float, forKey key: Key) throws {
    let member = member(key)
    try member.orDropping { try member.encode(value) }
  }
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func encode(_ value: Int128, forKey key: Key) { member(key).encode(value) }
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func encode(_ value: UInt128, forKey key: Key) { member(key).encode(value) }
  /// All other integer types that the protocol lists.
  func encode<Integer: FixedWidthInteger & Encodable>(_ value: Integer, forKey key: Key) {
    member(key).encode(value)
  }
  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    let member = member(key)
    try member.orDropping { try member.encode(value) }
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    nested(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    nested(key).unkeyedContainer()
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

  private func encodeInteger<Integer: FixedWidthInteger & Encodable>(_ value: Integer?, _ key: Key)
  {
    if let value { member(key).encode(value) } else { encodeAbsent(key) }
  }

  // One for each type: a generic one would not replace the default implementations.

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
  func encodeIfPresent(_ value: Int?, forKey key: Key) { encodeInteger(value, key) }
  func encodeIfPresent(_ value: Int8?, forKey key: Key) { encodeInteger(value, key) }
  func encodeIfPresent(_ value: Int16?, forKey key: Key) { encodeInteger(value, key) }
  func encodeIfPresent(_ value: Int32?, forKey key: Key) { encodeInteger(value, key) }
  func encodeIfPresent(_ value: Int64?, forKey key: Key) { encodeInteger(value, key) }
  func encodeIfPresent(_ value: UInt?, forKey key: Key) { encodeInteger(value, key) }
  func encodeIfPresent(_ value: UInt8?, forKey key: Key) { encodeInteger(value, key) }
  func encodeIfPresent(_ value: UInt16?, forKey key: Key) { encodeInteger(value, key) }
  func encodeIfPresent(_ value: UInt32?, forKey key: Key) { encodeInteger(value, key) }
  func encodeIfPresent(_ value: UInt64?, forKey key: Key) { encodeInteger(value, key) }
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func encodeIfPresent(_ value: Int128?, forKey key: Key) { encodeInteger(value, key) }
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func encodeIfPresent(_ value: UInt128?, forKey key: Key) { encodeInteger(value, key) }
  func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) } else { encodeAbsent(key) }
  }
}

extension EncodingStorage {
  /// Adds a member at the end of an object, and returns its encoder.
  fileprivate func member(_ key: String, of object: Int, depth: Int) -> ValueEncoder {
    ValueEncoder(
      storage: self, node: withState { $0.addMember(key, to: object) }, depth: depth)
  }
}
