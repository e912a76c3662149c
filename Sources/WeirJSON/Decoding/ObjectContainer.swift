/// A container that decodes the members of an object by key.
struct ObjectContainer<Key: CodingKey>: ObjectContaining {
  private let session: DecodingSession
  private let object: TapeIndex
  private let keyList: UInt32

  init(session: DecodingSession, object: TapeIndex) {
    self.session = session
    self.object = object
    keyList = session.withTape { UInt32(truncatingIfNeeded: $0.keyList(object)) }
  }

  var codingPath: [any CodingKey] { session.path(to: object) }

  var allKeys: [Key] {
    session.withTape { tape in
      (0..<tape.keyCount(Int(keyList))).compactMap {
        Key(stringValue: tape.string(tape.key(Int(keyList), $0)))
      }
    }
  }

  func contains(_ key: Key) -> Bool { find(key) != nil }

  /// Returns the index of a member's value.
  ///
  /// Proof: the key's text and the view of the tape are used only within the closures that receive
  /// them.
  private func find(_ key: some CodingKey) -> TapeIndex? {
    var name = key.stringValue
    return name.withUTF8 { name in
      session.withTape { tape in
        if tape.keyCount(Int(keyList)) > MemberIndex.few {
          return findInLarge(name, tape)
        }
        guard
          let position = tape.position(
            of: name, in: Int(keyList), startingAt: session.expectedPosition)
        else { return nil }
        session.expectedPosition = position + 1
        return tape.value(object, at: position)
      }
    }
  }

  @inline(never)
  private func findInLarge(
    _ name: UnsafeBufferPointer<UInt8>, _ tape: JSONTape
  ) -> TapeIndex? {
    session.memberIndex(object, tape).find(name, in: Int(keyList), tape)
  }

  /// Returns the decoder of a member's value.
  private func value(_ key: Key) throws -> JSONValueDecoder {
    guard let index = find(key) else { throw missing(key) }
    return JSONValueDecoder(session: session, index: index)
  }

  /// Returns the decoder of a member's value; nil if the member is missing or null.
  private func present(_ key: Key) -> JSONValueDecoder? {
    guard let index = find(key) else { return nil }
    let decoder = JSONValueDecoder(session: session, index: index)
    return decoder.decodeNil() ? nil : decoder
  }

  @inline(never)
  private func missing(_ key: Key) -> DecodingError {
    .keyNotFound(
      key,
      DecodingError.Context(
        codingPath: codingPath,
        debugDescription: "The object has no member \"\(key.stringValue)\"."))
  }
}

extension ObjectContainer {
  func decodeNil(forKey key: Key) throws -> Bool { try value(key).decodeNil() }

  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
    try value(key).decode(type)
  }
  func decode(_ type: String.Type, forKey key: Key) throws -> String {
    try value(key).decode(type)
  }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
    try value(key).decode(type)
  }
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try value(key).decode(type) }
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 {
    try value(key).decode(type)
  }
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 {
    try value(key).decode(type)
  }
  /// All other integer types that the protocol lists.
  func decode<Integer: FixedWidthInteger & Decodable>(
    _ type: Integer.Type, forKey key: Key
  ) throws -> Integer {
    try value(key).decode(type)
  }
  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try value(key).decode(type)
  }
}

extension ObjectContainer {
  // The default implementations would look up the key three times.

  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
    try present(key)?.decode(type)
  }
  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
    try present(key)?.decode(type)
  }
  func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
    try present(key)?.decode(type)
  }
  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
    try present(key)?.decode(type)
  }
  func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
    try present(key)?.decode(type)
  }
}

extension ObjectContainer {
  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try value(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try value(key).unkeyedContainer()
  }

  /// Returns the decoder of the member `super`, or of `null` if there is none, as in Foundation.
  func superDecoder() throws -> any Decoder { decoder(of: JSONPathKey("super")) }

  func superDecoder(forKey key: Key) throws -> any Decoder { decoder(of: key) }

  private func decoder(of key: some CodingKey) -> any Decoder {
    find(key).map { JSONValueDecoder(session: session, index: $0) }
      ?? NullDecoder(codingPath: codingPath + [key], userInfo: session.userInfo)
      as any Decoder
  }
}
