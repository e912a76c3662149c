import Foundation

/// The decoder of one value of a source: of a scalar, or of what is kept as JSON.
struct SourceDecoder: Decoder, SingleValueDecodingContainer {
  private let source: any FieldSource
  private let place: SourcePlace

  init(_ source: any FieldSource, _ place: SourcePlace) {
    self.source = source
    self.place = place
  }

  /// Only a document knows where the value stands.
  var codingPath: [any CodingKey] {
    _ = source.giveUp()
    return []
  }

  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    throw source.giveUp()
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw source.giveUp() }
  func singleValueContainer() -> any SingleValueDecodingContainer { self }
}

extension SourceDecoder {
  private func integer<Integer: FixedWidthInteger>(_ type: Integer.Type) throws -> Integer {
    guard let integer = place.integer(source, as: type) else { throw source.giveUp() }
    return integer
  }

  func decodeNil() -> Bool { place.value.kind == .null }

  func decode(_ type: Bool.Type) throws -> Bool {
    guard let bool = place.value.bool else { throw source.giveUp() }
    return bool
  }

  func decode(_ type: String.Type) throws -> String {
    guard let string = place.string(source) else { throw source.giveUp() }
    return string
  }

  func decode(_ type: Double.Type) throws -> Double {
    guard let double = place.double(source) else { throw source.giveUp() }
    return double
  }

  func decode(_ type: Float.Type) throws -> Float {
    let float = Float(try decode(Double.self))
    guard float.isFinite else { throw source.giveUp() }
    return float
  }

  func decode(_ type: Int.Type) throws -> Int { try integer(type) }
  func decode(_ type: Int8.Type) throws -> Int8 { try integer(type) }
  func decode(_ type: Int16.Type) throws -> Int16 { try integer(type) }
  func decode(_ type: Int32.Type) throws -> Int32 { try integer(type) }
  func decode(_ type: Int64.Type) throws -> Int64 { try integer(type) }
  func decode(_ type: UInt.Type) throws -> UInt { try integer(type) }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try integer(type) }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try integer(type) }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try integer(type) }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try integer(type) }
  func decode(_ type: Int128.Type) throws -> Int128 { try integer(type) }
  func decode(_ type: UInt128.Type) throws -> UInt128 { try integer(type) }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    switch place.value.kind {
    case .object, .list: throw source.giveUp()
    case .json: return try decodeDocument(type)
    case .null, .false, .true, .number, .string:
      if type == Date.self, let date = place.string(source).flatMap(ISO8601.date) as? Value {
        return date
      }
      // What is made of a scalar without `Codable` wants the decoder of a document.
      if JSONValueDecoder.isFoundationType(type) || type == JSON.self || type == JSONValue.self {
        return try decodeDocument(type)
      }
      return try Value(from: self)
    }
  }

  /// Makes a document of the value alone.
  private func decodeDocument<Value: Decodable>(_ type: Value.Type) throws -> Value {
    guard let json = try? JSON(parsing: place.text(source)) else { throw source.giveUp() }
    let session = DecodingSession(json, dates: .iso8601, userInfo: [:], source: source)
    return try session.holdingTape {
      try JSONValueDecoder(session: session, index: 0).decode(type)
    }
  }
}

extension SourcePlace {
  /// The value as JSON.
  fileprivate func text(_ source: any FieldSource) -> [UInt8] {
    switch value.kind {
    case .null, .object, .list: Array("null".utf8)
    case .true: Array("true".utf8)
    case .false: Array("false".utf8)
    case .string: [UInt8(ascii: "\"")] + bytes(source) + [UInt8(ascii: "\"")]
    case .number, .json: bytes(source)
    }
  }
}
