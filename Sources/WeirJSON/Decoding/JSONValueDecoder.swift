import Foundation

/// A decoder of one value, which is also its single-value container.
struct JSONValueDecoder: Decoder, SingleValueDecodingContainer {
  let session: DecodingSession
  let index: TapeIndex

  /// The value that is decoded.
  var json: JSON { JSON(document: session.document, index: index) }

  var codingPath: [any CodingKey] { session.path(to: index) }

  var userInfo: [CodingUserInfoKey: Any] { session.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard kind == .object else { throw mismatch([String: JSON].self, name: "an object") }
    return session.container(keyedBy: type, of: index)
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard kind == .array else { throw mismatch([JSON].self, name: "an array") }
    return ArrayContainer(session: session, array: index)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }

  var kind: JSONCell.Kind { session.withTape { $0[index].kind } }
}

extension JSONValueDecoder {
  func decodeNil() -> Bool { kind == .null }

  func decode(_ type: Bool.Type) throws -> Bool { try scalar { $0.bool($1) } }

  func decode(_ type: String.Type) throws -> String { try scalar { $0.stringValue($1) } }

  func decode(_ type: Double.Type) throws -> Double { try scalar { $0.double($1) } }

  func decode(_ type: Float.Type) throws -> Float {
    let float = try scalar { $0.float($1) }
    guard float.isFinite else { throw invalid("The number does not fit into Float.") }
    return float
  }

  /// All integer types that the protocol lists, except those with a default implementation.
  func decode<Integer: FixedWidthInteger & Decodable>(_ type: Integer.Type) throws -> Integer {
    try integer(type)
  }
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func decode(_ type: Int128.Type) throws -> Int128 { try integer(type) }
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func decode(_ type: UInt128.Type) throws -> UInt128 { try integer(type) }

  private func integer<Integer: FixedWidthInteger>(_ type: Integer.Type) throws -> Integer {
    if let value = value({ $0.integer($1, as: type) }) { return value }
    throw kind == .number ? invalid("The number does not fit into \(type).") : mismatch(type)
  }

  private func scalar<Value>(_ read: (JSONTape, JSONCell) -> Value?) throws -> Value {
    guard let value = value(read) else { throw mismatch(Value.self) }
    return value
  }

  /// Nil if the value is of another kind or does not fit.
  private func value<Value>(_ read: (JSONTape, JSONCell) -> Value?) -> Value? {
    session.withTape { read($0, $0[index]) }
  }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    do {
      // Nothing here is an optional of a generic type: the runtime would look it up each time.
      if let number = session.repeatedObject(index) {
        return try session.repeated(number) { try Value(from: self) }
      }
      if isLongArray { return try longArray(type) }
      if isFoundationType(type) { return try foundationValue(type) }
      return try Value(from: self)
    } catch {
      session.note(error, failureAt: index)
      throw error
    }
  }
}

extension JSONValueDecoder {
  /// Returns the error of a value that has another kind than expected.
  @inline(never)
  func mismatch(_ type: any Any.Type, name: String? = nil) -> DecodingError {
    let found = json.kind
    let context = DecodingError.Context(
      codingPath: codingPath, debugDescription: "Expected \(name ?? "\(type)") but found \(found).")
    return found == .null ? .valueNotFound(type, context) : .typeMismatch(type, context)
  }

  /// Returns the error of a value that has the right kind.
  @inline(never)
  func invalid(_ message: String) -> DecodingError {
    session.ownMessage = message
    return .dataCorrupted(DecodingError.Context(codingPath: codingPath, debugDescription: message))
  }
}
