import Foundation

/// The decoder of a value that is not there: it is `null` and nothing else.
struct NullDecoder: Decoder, SingleValueDecodingContainer {
  let codingPath: [any CodingKey]
  let userInfo: [CodingUserInfoKey: Any]

  private func missing(_ type: any Any.Type) -> DecodingError {
    .valueNotFound(
      type,
      DecodingError.Context(
        codingPath: codingPath, debugDescription: "Expected \(type) but there is no value."))
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    throw missing([String: JSON].self)
  }
  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw missing([JSON].self) }
  func singleValueContainer() -> any SingleValueDecodingContainer { self }

  func decodeNil() -> Bool { true }
  func decode(_ type: Bool.Type) throws -> Bool { throw missing(type) }
  func decode(_ type: String.Type) throws -> String { throw missing(type) }
  func decode(_ type: Double.Type) throws -> Double { throw missing(type) }
  func decode(_ type: Float.Type) throws -> Float { throw missing(type) }
  func decode(_ type: Int.Type) throws -> Int { throw missing(type) }
  func decode(_ type: Int8.Type) throws -> Int8 { throw missing(type) }
  func decode(_ type: Int16.Type) throws -> Int16 { throw missing(type) }
  func decode(_ type: Int32.Type) throws -> Int32 { throw missing(type) }
  func decode(_ type: Int64.Type) throws -> Int64 { throw missing(type) }
  func decode(_ type: UInt.Type) throws -> UInt { throw missing(type) }
  func decode(_ type: UInt8.Type) throws -> UInt8 { throw missing(type) }
  func decode(_ type: UInt16.Type) throws -> UInt16 { throw missing(type) }
  func decode(_ type: UInt32.Type) throws -> UInt32 { throw missing(type) }
  func decode(_ type: UInt64.Type) throws -> UInt64 { throw missing(type) }
  func decode(_ type: Int128.Type) throws -> Int128 { throw missing(type) }
  func decode(_ type: UInt128.Type) throws -> UInt128 { throw missing(type) }
  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try Value(from: self)
  }
}
