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
  /// The names by which fields were asked for before; see ``DecodingSession/names``.
  @usableFromInline let names: UnsafeMutablePointer<UnsafePointer<UInt8>?>?
  /// The member that is expected to be asked for next: where its key is, and its value.
  @usableFromInline var key: Int
  @usableFromInline var cell: Int

  @inlinable
  init(_ session: DecodingSession, _ tape: JSONTape, object: Int) {
    self.session = Unmanaged.passUnretained(session)
    self.tape = tape
    self.object = object
    names = session.names
    key = tape.keyList(object) + 1
    cell = tape.firstChild(object)
  }

  /// A field that has to be there.
  @inlinable @inline(__always)
  mutating func required(_ name: StaticString) throws -> UInt32 {
    if isExpected(name) { return next() }
    guard let index = find(name) else { throw missing(name) }
    return index
  }

  /// A field, nil if it is null or not there.
  @inlinable @inline(__always)
  mutating func present(_ name: StaticString) -> UInt32? {
    guard let index = isExpected(name) ? next() : find(name), tape[Int(index)].kind != .null else {
      return nil
    }
    return index
  }

  /// Whether the member that is expected was asked for by this name before: by the same literal of
  /// the program, so that only its address is compared. If not, it may be that member all the same.
  @inlinable @inline(__always)
  func isExpected(_ name: StaticString) -> Bool {
    guard let names, name.hasPointerRepresentation else { return false }
    // Proof: there is a place for each word of the key lists and one more; a key is at most one word
    // behind its list.
    return names[key] == name.utf8Start
  }

  /// Takes the member that is expected.
  @inlinable @inline(__always)
  mutating func next() -> UInt32 {
    let found = cell
    key += 1
    cell = tape.next(found)
    return UInt32(truncatingIfNeeded: found)
  }

  /// The index of a field's value, wherever it is in the object.
  @usableFromInline @inline(never)
  mutating func find(_ name: StaticString) -> UInt32? {
    let found = name.withUTF8Buffer { text in
      let list = tape.keyList(object)
      let expected = key - list - 1
      if expected < tape.keyCount(list), tape.matches(tape.key(list, expected), text) {
        return true
      }
      guard let position = tape.position(of: text, in: list, startingAt: expected) else {
        return false
      }
      key = list + 1 + position
      cell = tape.value(object, at: position)
      return true
    }
    guard found else { return nil }
    if name.hasPointerRepresentation { names?[key] = name.utf8Start }
    return next()
  }

  /// A value as `Decodable` does it, or the error that it is not what is asked for.
  @usableFromInline @inline(never)
  func decoded<Value: Decodable>(_ index: UInt32) throws -> Value {
    try JSONValueDecoder(session: session.takeUnretainedValue(), index: index).decode(Value.self)
  }

  @usableFromInline @inline(never)
  func missing(_ name: StaticString) -> DecodingError {
    .keyNotFound(
      JSONPathKey("\(name)"),
      DecodingError.Context(
        codingPath: session.takeUnretainedValue().path(to: UInt32(truncatingIfNeeded: object)),
        debugDescription: "The object has no member \"\(name)\"."))
  }
}

// MARK: - Scalars

extension FieldReader {
  // No decoder is made for them, which would count references. All is inlined, so that of a name that is
  // a literal nothing but its address is left.

  @inlinable @inline(__always)
  mutating func scalar<Value: Decodable>(
    _ name: StaticString, _ value: (JSONTape, JSONCell) -> Value?
  ) throws -> Value {
    let index = try required(name)
    return try value(tape, tape[Int(index)]) ?? decoded(index)
  }

  @inlinable @inline(__always)
  mutating func optionalScalar<Value: Decodable>(
    _ name: StaticString, _ value: (JSONTape, JSONCell) -> Value?
  ) throws -> Value? {
    guard let index = present(name) else { return nil }
    return try value(tape, tape[Int(index)]) ?? decoded(index)
  }

  /// A string.
  @inlinable @inline(__always)
  public mutating func read(_ name: StaticString) throws -> String {
    try scalar(name) { $0.stringValue($1) }
  }

  /// A string, or nil.
  @inlinable @inline(__always)
  public mutating func read(_ name: StaticString) throws -> String? {
    try optionalScalar(name) { $0.stringValue($1) }
  }

  /// An integer.
  @inlinable @inline(__always)
  public mutating func read(_ name: StaticString) throws -> Int {
    try scalar(name) { $0.integer($1) }
  }

  /// An integer, or nil.
  @inlinable @inline(__always)
  public mutating func read(_ name: StaticString) throws -> Int? {
    try optionalScalar(name) { $0.integer($1) }
  }

  /// A number.
  @inlinable @inline(__always)
  public mutating func read(_ name: StaticString) throws -> Double {
    try scalar(name) { $0.double($1) }
  }

  /// A number, or nil.
  @inlinable @inline(__always)
  public mutating func read(_ name: StaticString) throws -> Double? {
    try optionalScalar(name) { $0.double($1) }
  }

  /// True or false.
  @inlinable @inline(__always)
  public mutating func read(_ name: StaticString) throws -> Bool {
    try scalar(name) { $0.bool($1) }
  }

  /// True, false, or nil.
  @inlinable @inline(__always)
  public mutating func read(_ name: StaticString) throws -> Bool? {
    try optionalScalar(name) { $0.bool($1) }
  }

  /// One of the cases of an enumeration that is written as a string. If none of them is, it is as its
  /// `init(from:)` does it.
  @inlinable @inline(__always)
  public mutating func read<Value: RawRepresentable & Decodable>(
    _ name: StaticString
  ) throws -> Value where Value.RawValue == String {
    try scalar(name) { $0.stringValue($1).flatMap(Value.init) }
  }

  /// One of the cases of an enumeration that is written as a string, or nil.
  @inlinable @inline(__always)
  public mutating func read<Value: RawRepresentable & Decodable>(
    _ name: StaticString
  ) throws -> Value? where Value.RawValue == String {
    try optionalScalar(name) { $0.stringValue($1).flatMap(Value.init) }
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
  @inlinable @inline(__always)
  public mutating func read<Value: SelectionDecodable>(_ name: StaticString) throws -> Value {
    let index = try required(name)
    return try session._withUnsafeGuaranteedRef { try $0.selection(at: index, tape) }
  }

  /// An object, or nil.
  @inlinable @inline(__always)
  public mutating func read<Value: SelectionDecodable>(_ name: StaticString) throws -> Value? {
    guard let index = present(name) else { return nil }
    return try session._withUnsafeGuaranteedRef { try $0.selection(at: index, tape) }
  }

  /// A list of objects.
  @inlinable @inline(__always)
  public mutating func read<Value: SelectionDecodable>(_ name: StaticString) throws -> [Value] {
    let index = try required(name)
    return try session._withUnsafeGuaranteedRef { try $0.selections(at: index, tape) }
  }

  /// A list of objects, or nil.
  @inlinable @inline(__always)
  public mutating func read<Value: SelectionDecodable>(_ name: StaticString) throws -> [Value]? {
    guard let index = present(name) else { return nil }
    return try session._withUnsafeGuaranteedRef { try $0.selections(at: index, tape) }
  }
}
