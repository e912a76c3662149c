/// The fields of one object, for a ``SelectionDecodable`` value to read.
///
/// All methods throw a `DecodingError` if there is no field of the name, or if its value is not what
/// is asked for. An optional is nil if the field is null or not there.
public struct FieldReader: ~Copyable {
  // Proof of validity for both: who makes a reader has the session, and lends the reader to an
  // initializer while the view is valid; as it can not be copied, nobody keeps it.
  @usableFromInline let session: Unmanaged<DecodingSession>
  @usableFromInline let tape: JSONTape
  @usableFromInline let object: Int
  @usableFromInline let keyList: Int
  /// The member that is expected to be asked for next.
  @usableFromInline var position = 0
  @usableFromInline var cell: Int

  @inlinable
  init(_ session: DecodingSession, _ tape: JSONTape, object: Int) {
    self.session = Unmanaged.passUnretained(session)
    self.tape = tape
    self.object = object
    keyList = tape.keyList(object)
    cell = tape.firstChild(object)
  }

  /// The index of a field's value.
  @inline(__always)
  private mutating func find(_ name: StaticString) -> UInt32? {
    name.withUTF8Buffer { name in
      if position == tape.keyCount(keyList) || !tape.matches(tape.key(keyList, position), name) {
        guard search(name) else { return nil }
      }
      let found = cell
      position += 1
      cell = tape.next(found)
      return UInt32(truncatingIfNeeded: found)
    }
  }

  /// Goes to a field that is not the one that was expected.
  @inline(never)
  private mutating func search(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let found = tape.position(of: name, in: keyList, startingAt: position) else {
      return false
    }
    position = found
    cell = tape.value(object, at: found)
    return true
  }

  /// A field that has to be there.
  @usableFromInline
  mutating func required(_ name: StaticString) throws -> UInt32 {
    guard let index = find(name) else { throw missing(name) }
    return index
  }

  /// A field, nil if it is null or not there.
  @usableFromInline
  mutating func present(_ name: StaticString) -> UInt32? {
    guard let index = find(name), tape[Int(index)].kind != .null else { return nil }
    return index
  }

  /// A value as `Decodable` does it, or the error that it is not what is asked for.
  @usableFromInline @inline(never)
  func decoded<Value: Decodable>(_ index: UInt32) throws -> Value {
    try JSONValueDecoder(session: session.takeUnretainedValue(), index: index).decode(Value.self)
  }

  @inline(never)
  private func missing(_ name: StaticString) -> DecodingError {
    .keyNotFound(
      JSONPathKey("\(name)"),
      DecodingError.Context(
        codingPath: session.takeUnretainedValue().path(to: UInt32(truncatingIfNeeded: object)),
        debugDescription: "The object has no member \"\(name)\"."))
  }
}

// MARK: - Scalars

extension FieldReader {
  // No decoder is made for them, which would count references.

  @inline(__always)
  private mutating func scalar<Value: Decodable>(
    _ name: StaticString, _ value: (JSONTape, JSONCell) -> Value?
  ) throws -> Value {
    let index = try required(name)
    return try value(tape, tape[Int(index)]) ?? decoded(index)
  }

  @inline(__always)
  private mutating func optionalScalar<Value: Decodable>(
    _ name: StaticString, _ value: (JSONTape, JSONCell) -> Value?
  ) throws -> Value? {
    guard let index = present(name) else { return nil }
    return try value(tape, tape[Int(index)]) ?? decoded(index)
  }

  @usableFromInline
  func string(_ index: UInt32) -> String? { tape.stringValue(tape[Int(index)]) }

  /// A string.
  public mutating func read(_ name: StaticString) throws -> String {
    try scalar(name) { $0.stringValue($1) }
  }

  /// A string, or nil.
  public mutating func read(_ name: StaticString) throws -> String? {
    try optionalScalar(name) { $0.stringValue($1) }
  }

  /// An integer.
  public mutating func read(_ name: StaticString) throws -> Int {
    try scalar(name) { $0.integer($1) }
  }

  /// An integer, or nil.
  public mutating func read(_ name: StaticString) throws -> Int? {
    try optionalScalar(name) { $0.integer($1) }
  }

  /// A number.
  public mutating func read(_ name: StaticString) throws -> Double {
    try scalar(name) { $0.double($1) }
  }

  /// A number, or nil.
  public mutating func read(_ name: StaticString) throws -> Double? {
    try optionalScalar(name) { $0.double($1) }
  }

  /// True or false.
  public mutating func read(_ name: StaticString) throws -> Bool {
    try scalar(name) { $0.bool($1) }
  }

  /// True, false, or nil.
  public mutating func read(_ name: StaticString) throws -> Bool? {
    try optionalScalar(name) { $0.bool($1) }
  }

  /// One of the cases of an enumeration that is written as a string. If none of them is, it is as its
  /// `init(from:)` does it.
  @inlinable
  public mutating func read<Value: RawRepresentable & Decodable>(
    _ name: StaticString
  ) throws -> Value where Value.RawValue == String {
    let index = try required(name)
    return try string(index).flatMap(Value.init) ?? decoded(index)
  }

  /// One of the cases of an enumeration that is written as a string, or nil.
  @inlinable
  public mutating func read<Value: RawRepresentable & Decodable>(
    _ name: StaticString
  ) throws -> Value? where Value.RawValue == String {
    guard let index = present(name) else { return nil }
    return try string(index).flatMap(Value.init) ?? decoded(index)
  }

  /// A value of any other type, as `Decodable` does it: a date, a list of numbers.
  public mutating func decode<Value: Decodable>(_ name: StaticString) throws -> Value {
    try decoded(required(name))
  }

  /// A value of any other type, or nil.
  public mutating func decodeIfPresent<Value: Decodable>(_ name: StaticString) throws -> Value? {
    try present(name).map { try decoded($0) }
  }
}

// MARK: - Objects

extension FieldReader {
  /// An object.
  @inlinable
  public mutating func read<Value: SelectionDecodable>(_ name: StaticString) throws -> Value {
    let index = try required(name)
    return try session._withUnsafeGuaranteedRef { try $0.selection(at: index, tape) }
  }

  /// An object, or nil.
  @inlinable
  public mutating func read<Value: SelectionDecodable>(_ name: StaticString) throws -> Value? {
    guard let index = present(name) else { return nil }
    return try session._withUnsafeGuaranteedRef { try $0.selection(at: index, tape) }
  }

  /// A list of objects.
  @inlinable
  public mutating func read<Value: SelectionDecodable>(_ name: StaticString) throws -> [Value] {
    let index = try required(name)
    return try session._withUnsafeGuaranteedRef { try $0.selections(at: index, tape) }
  }

  /// A list of objects, or nil.
  @inlinable
  public mutating func read<Value: SelectionDecodable>(_ name: StaticString) throws -> [Value]? {
    guard let index = present(name) else { return nil }
    return try session._withUnsafeGuaranteedRef { try $0.selections(at: index, tape) }
  }
}
