/// A container that decodes the elements of an array one after another.
struct ArrayContainer: UnkeyedDecodingContainer {
  private let session: DecodingSession
  private let array: TapeIndex
  private let total: UInt32
  private var element: TapeIndex
  private var position: UInt32 = 0

  init(session: DecodingSession, array: TapeIndex) {
    self.session = session
    self.array = array
    element = array.firstChild
    total = session.withTape { UInt32(truncatingIfNeeded: $0.extent(array).detail) }
  }

  var codingPath: [any CodingKey] { session.path(to: array) }
  var count: Int? { Int(total) }
  var isAtEnd: Bool { position >= total }
  var currentIndex: Int { Int(position) }

  /// Reads the next element, and advances if that succeeds.
  private mutating func next<Value>(
    _ type: Value.Type, _ read: (JSONValueDecoder) throws -> Value
  ) throws -> Value {
    guard !isAtEnd else { throw ended(type) }
    let value = try read(JSONValueDecoder(session: session, index: element))
    advance()
    return value
  }

  private mutating func advance() {
    element = session.withTape { [element] in $0.next(element) }
    position += 1
  }

  private func ended(_ type: any Any.Type) -> DecodingError {
    .valueNotFound(
      type,
      DecodingError.Context(
        codingPath: codingPath + [JSONPathKey(currentIndex)],
        debugDescription: "Expected \(type) but the array has ended."))
  }

  mutating func decodeNil() throws -> Bool {
    guard !isAtEnd else { throw ended(Never?.self) }
    let isNull = JSONValueDecoder(session: session, index: element).decodeNil()
    if isNull { advance() }
    return isNull
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  mutating func decode(_ type: Int128.Type) throws -> Int128 {
    try next(type) { try $0.decode(type) }
  }
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  mutating func decode(_ type: UInt128.Type) throws -> UInt128 {
    try next(type) { try $0.decode(type) }
  }
  /// All other types, also those that the protocol lists.
  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try next(type) { try $0.decode(type) }
  }

  mutating func nestedContainer<Key: CodingKey>(
    keyedBy type: Key.Type
  ) throws -> KeyedDecodingContainer<Key> {
    try next(KeyedDecodingContainer<Key>.self) { try $0.container(keyedBy: type) }
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try next((any UnkeyedDecodingContainer).self) { try $0.unkeyedContainer() }
  }

  mutating func superDecoder() throws -> any Decoder {
    try next((any Decoder).self) { $0 }
  }
}
