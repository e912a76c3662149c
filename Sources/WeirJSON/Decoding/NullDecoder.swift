import Foundation

/// A decoder of a missing value, which it treats as `null`.
struct NullDecoder: Decoder, SingleValueDecodingContainer {
  let codingPath: [any CodingKey]
  let userInfo: [CodingUserInfoKey: Any]

  private func missing(_ type: any Any.Type) -> DecodingError {
    .valueNotFound(
      type,
      DecodingError.Context(
        codingPath: codingPath, debugDescription: "Expected \(type) but the value is missing."))
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    throw missing([String: JSON].self)
  }
  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw missing([JSON].self) }
  func singleValueContainer() -> any SingleValueDecodingContainer { self }

  func decodeNil() -> Bool { true }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func decode(_ type: Int128.Type) throws -> Int128 { throw missing(type) }
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func decode(_ type: UInt128.Type) throws -> UInt128 { throw missing(type) }
  /// All other scalars that the protocol lists: booleans, strings and numbers.
  func decode<Scalar: Decodable & LosslessStringConvertible>(
    _ type: Scalar.Type
  ) throws -> Scalar {
    throw missing(type)
  }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try Value(from: self)
  }
}
