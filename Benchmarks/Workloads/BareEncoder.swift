/// Writes strings, integers, booleans, objects and arrays as JSON, with as little as `Encodable` allows:
/// keys keep their order, objects have the brackets of arrays, and nothing is escaped or checked.
final class BareEncoder: Encoder {
  fileprivate(set) var bytes: [UInt8] = []
  let codingPath: [any CodingKey] = []
  let userInfo: [CodingUserInfoKey: Any] = [:]

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(BareObject(encoder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer { BareArray(encoder: self) }

  func singleValueContainer() -> any SingleValueEncodingContainer { BareValue(encoder: self) }

  /// Writes a value between brackets, which do not tell objects from arrays.
  func write<Value: Encodable>(_ value: Value) throws {
    bytes.append(UInt8(ascii: "["))
    try value.encode(to: self)
    bytes.append(UInt8(ascii: "]"))
  }

  fileprivate func write(text: String) {
    bytes.append(UInt8(ascii: "\""))
    bytes.append(contentsOf: text.utf8)
    bytes.append(UInt8(ascii: "\""))
  }
}

private struct BareObject<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let encoder: BareEncoder
  var codingPath: [any CodingKey] { [] }

  private func name(_ key: Key) {
    encoder.bytes.append(UInt8(ascii: ","))
    encoder.write(text: key.stringValue)
    encoder.bytes.append(UInt8(ascii: ":"))
  }

  func encode(_ value: String, forKey key: Key) {
    name(key)
    encoder.write(text: value)
  }

  func encode(_ value: Int, forKey key: Key) {
    name(key)
    encoder.bytes.append(contentsOf: String(value).utf8)
  }

  func encode(_ value: Bool, forKey key: Key) {
    name(key)
    encoder.bytes.append(contentsOf: (value ? "true" : "false").utf8)
  }

  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    name(key)
    try encoder.write(value)
  }

  func encodeNil(forKey key: Key) { unused() }
  func superEncoder() -> any Encoder { unused() }
  func superEncoder(forKey key: Key) -> any Encoder { unused() }
  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { unused() }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> { unused() }
}

private struct BareArray: UnkeyedEncodingContainer {
  let encoder: BareEncoder
  var codingPath: [any CodingKey] { [] }
  private(set) var count = 0

  mutating func encode<Value: Encodable>(_ value: Value) throws {
    encoder.bytes.append(UInt8(ascii: ","))
    count += 1
    try value.encode(to: encoder)
  }

  func encodeNil() { unused() }
  func superEncoder() -> any Encoder { unused() }
  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { unused() }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) -> KeyedEncodingContainer<Nested> { unused() }
}

private struct BareValue: SingleValueEncodingContainer {
  let encoder: BareEncoder
  var codingPath: [any CodingKey] { [] }

  func encode(_ value: String) { encoder.write(text: value) }
  func encode<Value: Encodable>(_ value: Value) throws { unused() }
  func encodeNil() { unused() }
}

/// Ends the benchmark: a workload that needs more than a bare encoder or decoder has would be measured
/// wrongly.
func unused() -> Never { fatalError("No workload needs this.") }
