/// A container that writes the elements of an array.
struct ArrayEncodingContainer: UnkeyedEncodingContainer {
  let storage: EncodingStorage
  let array: Int
  let depth: Int

  var codingPath: [any CodingKey] { storage.withState { $0.path(to: array) } }
  var count: Int { storage.withState { $0.nodes[array].count } }

  private func element(nesting: Int = 0) -> ValueEncoder {
    ValueEncoder(
      storage: storage, node: storage.withState { $0.addElement(to: array) }, depth: depth + nesting
    )
  }

  func encodeNil() { element().encodeNil() }
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func encode(_ value: Int128) { element().encode(value) }
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func encode(_ value: UInt128) { element().encode(value) }
  /// All other types, also those that the protocol lists.
  func encode<Value: Encodable>(_ value: Value) throws {
    let element = element()
    try element.orDropping { try element.encode(value) }
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) -> KeyedEncodingContainer<Nested> {
    element(nesting: 1).container(keyedBy: type)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    element(nesting: 1).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { element(nesting: 1) }
}
