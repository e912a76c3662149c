/// Reads the fields of one object for a ``SelectionDecodable`` value.
///
/// All methods throw a `DecodingError` if the object has no field of the name, or if its value has
/// another type. An optional is nil if the field is null or missing.
public struct FieldReader: ~Copyable {
  // Proof of validity for `session` and `tape`: `selection(at:_:)`, which creates the reader, holds
  // the session, and lends the reader to an initializer while the view is valid. A reader cannot be
  // copied, so no initializer can keep it.
  @usableFromInline let session: Unmanaged<DecodingSession>
  @usableFromInline let tape: JSONTape
  @usableFromInline let object: TapeIndex
  /// The member that is expected next: the indices of its key and of its value.
  @usableFromInline var expected = 0
  @usableFromInline var cell: TapeIndex

  @inlinable
  init(_ session: DecodingSession, _ tape: JSONTape, object: TapeIndex) {
    self.session = Unmanaged.passUnretained(session)
    self.tape = tape
    self.object = object
    cell = tape.firstChild(object)
  }

  /// Returns the index of a field's value.
  @inlinable
  mutating func required(_ name: StaticString) throws -> TapeIndex {
    guard let index = find(name) else { throw missing(name) }
    return index
  }

  /// Returns the index of a field's value; nil if it is null or missing.
  @inlinable
  mutating func present(_ name: StaticString) -> TapeIndex? {
    guard let index = find(name), tape[index].kind != .null else {
      return nil
    }
    return index
  }

  /// Finds a field, beginning with the expected member.
  @usableFromInline @inline(never)
  mutating func find(_ name: StaticString) -> TapeIndex? {
    let place = tape.keyList(object) + expected
    let isKnown = session._withUnsafeGuaranteedRef { $0.knownKeys.has(name, at: place) }
    return isKnown ? advance(to: cell, at: expected) : search(name)
  }

  @inline(never)
  private mutating func search(_ name: StaticString) -> TapeIndex? {
    let list = tape.keyList(object)
    let found = name.withUTF8Buffer { position(of: $0, in: list, startingAt: expected) }
    guard let position = found else { return nil }
    session._withUnsafeGuaranteedRef {
      if $0.isInLongArray { $0.knownKeys.note(name, at: list + position) }
    }
    return advance(to: position == expected ? cell : value(object, at: position), at: position)
  }

  /// Returns the position of a key in the key list of an object, or nil.
  func position(
    of key: UnsafeBufferPointer<UInt8>, in list: Int, startingAt start: Int
  ) -> Int? {
    tape.keyCount(list) <= KeyIndex.few
      ? tape.position(of: key, in: list, startingAt: start)
      : session._withUnsafeGuaranteedRef {
        $0.position(of: key, in: list, startingAt: start, tape)
      }
  }

  /// Returns the value of a member of an object. Walks only over few others.
  func value(_ object: TapeIndex, at position: Int) -> TapeIndex {
    position < 256
      ? tape.value(object, at: position)
      : session._withUnsafeGuaranteedRef { $0.memberIndex(object, tape).cells[position] }
  }

  @inline(__always)
  private mutating func advance(to found: TapeIndex, at position: Int) -> TapeIndex {
    expected = position + 1
    cell = tape.next(found)
    return found
  }

  /// Decodes a value by `Decodable`, which also throws the error of a value of another type.
  @usableFromInline @inline(never)
  func decoded<Value: Decodable>(_ index: TapeIndex) throws -> Value {
    try JSONValueDecoder(session: session.takeUnretainedValue(), index: index).decode(Value.self)
  }

  @usableFromInline @inline(never)
  func missing(_ name: StaticString) -> DecodingError {
    .keyNotFound(
      JSONPathKey("\(name)"),
      DecodingError.Context(
        codingPath: session.takeUnretainedValue().path(to: object),
        debugDescription: "The object has no member \"\(name)\"."))
  }
}

// MARK: - Scalars

extension FieldReader {
  // These create no decoder, which would count references.

  @inlinable
  mutating func scalar<Value: Decodable>(
    _ name: StaticString, _ value: (JSONTape, JSONCell) -> Value?
  ) throws -> Value {
    let index = try required(name)
    return try value(tape, tape[index]) ?? decoded(index)
  }

  @inlinable
  mutating func optionalScalar<Value: Decodable>(
    _ name: StaticString, _ value: (JSONTape, JSONCell) -> Value?
  ) throws -> Value? {
    guard let index = present(name) else { return nil }
    return try value(tape, tape[index]) ?? decoded(index)
  }

  /// Reads a string.
  @inlinable
  public mutating func read(_ name: StaticString) throws -> String {
    try scalar(name) { $0.stringValue($1) }
  }

  /// Reads a string, or nil.
  @inlinable
  public mutating func read(_ name: StaticString) throws -> String? {
    try optionalScalar(name) { $0.stringValue($1) }
  }

  /// Reads an integer.
  @inlinable
  public mutating func read(_ name: StaticString) throws -> Int {
    try scalar(name) { $0.integer($1) }
  }

  /// Reads an integer, or nil.
  @inlinable
  public mutating func read(_ name: StaticString) throws -> Int? {
    try optionalScalar(name) { $0.integer($1) }
  }

  /// Reads a number.
  @inlinable
  public mutating func read(_ name: StaticString) throws -> Double {
    try scalar(name) { $0.double($1) }
  }

  /// Reads a number, or nil.
  @inlinable
  public mutating func read(_ name: StaticString) throws -> Double? {
    try optionalScalar(name) { $0.double($1) }
  }

  /// Reads a Boolean.
  @inlinable
  public mutating func read(_ name: StaticString) throws -> Bool {
    try scalar(name) { $0.bool($1) }
  }

  /// Reads a Boolean, or nil.
  @inlinable
  public mutating func read(_ name: StaticString) throws -> Bool? {
    try optionalScalar(name) { $0.bool($1) }
  }

  /// Reads a case of an enumeration with raw strings. If none of its cases fits, its `init(from:)`
  /// decides.
  @inlinable
  public mutating func read<Value: RawRepresentable & Decodable>(
    _ name: StaticString
  ) throws -> Value where Value.RawValue == String {
    try scalar(name) { $0.stringValue($1).flatMap(Value.init) }
  }

  /// Reads a case of an enumeration with raw strings, or nil.
  @inlinable
  public mutating func read<Value: RawRepresentable & Decodable>(
    _ name: StaticString
  ) throws -> Value? where Value.RawValue == String {
    try optionalScalar(name) { $0.stringValue($1).flatMap(Value.init) }
  }

  /// Reads a value of any other type by `Decodable`, such as a date or a list of numbers.
  public mutating func decode<Value: Decodable>(_ name: StaticString) throws -> Value {
    try decoded(required(name))
  }

  /// Reads a value of any other type, or nil.
  public mutating func decodeIfPresent<Value: Decodable>(_ name: StaticString) throws -> Value? {
    try present(name).map { try decoded($0) }
  }
}

// MARK: - Objects

extension FieldReader {
  /// Reads an object.
  @inlinable
  public mutating func read<Value: SelectionDecodable>(_ name: StaticString) throws -> Value {
    let index = try required(name)
    return try session._withUnsafeGuaranteedRef { try $0.selection(at: index, tape) }
  }

  /// Reads an object, or nil.
  @inlinable
  public mutating func read<Value: SelectionDecodable>(_ name: StaticString) throws -> Value? {
    guard let index = present(name) else { return nil }
    return try session._withUnsafeGuaranteedRef { try $0.selection(at: index, tape) }
  }

  /// Reads a list of objects.
  @inlinable
  public mutating func read<Value: SelectionDecodable>(_ name: StaticString) throws -> [Value] {
    let index = try required(name)
    return try session._withUnsafeGuaranteedRef { try $0.selections(at: index, tape) }
  }

  /// Reads a list of objects, or nil.
  @inlinable
  public mutating func read<Value: SelectionDecodable>(_ name: StaticString) throws -> [Value]? {
    guard let index = present(name) else { return nil }
    return try session._withUnsafeGuaranteedRef { try $0.selections(at: index, tape) }
  }
}
