/// A value that reads the fields of its selection set itself.
///
/// `Decodable` is written by the compiler, and its run-time is most of what decoding a large result
/// takes. Where that matters, write the initializer by hand, or have it generated: it takes about
/// half the time.
///
/// ```swift
/// extension Todo: SelectionDecodable {
///   init(reading fields: inout FieldReader) throws {
///     try self.init(
///       id: fields.read("id"), text: fields.read("text"), author: fields.read("author"),
///       state: fields.decode("state"))
///   }
/// }
/// ```
///
/// To hand the values to the memberwise initializer, as here, is a little faster than to set the
/// properties one by one: an initializer that may throw in between copies the whole value at its end.
///
/// Results that are decoded as the type use the initializer, and so do values of the type, and lists of
/// it, that a ``FieldReader`` reads. Within other types' `init(from:)`, lists of it use the initializer from
/// 32 elements on; shorter ones, and single values, go on being decoded by `Decodable`. So both have to
/// mean the same.
public protocol SelectionDecodable: Decodable {
  /// Reads the fields, best in the order of the selection set; any other one costs a search each.
  init(reading fields: inout FieldReader) throws
}

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
  init(_ session: DecodingSession, _ tape: JSONTape, object: UInt32) {
    self.session = Unmanaged.passUnretained(session)
    self.tape = tape
    self.object = Int(object)
    keyList = tape.keyList(self.object)
    cell = tape.firstChild(self.object)
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

  /// A scalar. No decoder is made for it, which would count references.
  @inline(__always)
  private mutating func read<Value: Decodable>(
    _ name: StaticString, _ scalar: (JSONTape, JSONCell) -> Value?
  ) throws -> Value {
    guard let index = find(name) else { throw missing(name) }
    if let value = scalar(tape, tape[Int(index)]) { return value }
    return try decoder(index).decode(Value.self)  // Throws.
  }

  private func decoder(_ index: UInt32) -> JSONValueDecoder {
    JSONValueDecoder(session: session.takeUnretainedValue(), index: index)
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

extension FieldReader {
  /// A string.
  public mutating func read(_ name: StaticString) throws -> String {
    try read(name) { $1.kind == .string ? $0.string($1) : nil }
  }

  /// A string, or nil.
  public mutating func read(_ name: StaticString) throws -> String? {
    try present(name).map { try decoder($0).decode(String.self) }
  }

  /// An integer.
  public mutating func read(_ name: StaticString) throws -> Int {
    try read(name) { $0.integer($1) }
  }

  /// An integer, or nil.
  public mutating func read(_ name: StaticString) throws -> Int? {
    try present(name).map { try decoder($0).decode(Int.self) }
  }

  /// A number.
  public mutating func read(_ name: StaticString) throws -> Double {
    try read(name) { $0.double($1) }
  }

  /// A number, or nil.
  public mutating func read(_ name: StaticString) throws -> Double? {
    try present(name).map { try decoder($0).decode(Double.self) }
  }

  /// True or false.
  public mutating func read(_ name: StaticString) throws -> Bool {
    try read(name) { $0.bool($1) }
  }

  /// True, false, or nil.
  public mutating func read(_ name: StaticString) throws -> Bool? {
    try present(name).map { try decoder($0).decode(Bool.self) }
  }

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

  /// A value of any other type, as `Decodable` does it: an enumeration, a date, a list of numbers.
  public mutating func decode<Value: Decodable>(_ name: StaticString) throws -> Value {
    try decoder(required(name)).decode(Value.self)
  }

  /// A value of any other type, or nil.
  public mutating func decodeIfPresent<Value: Decodable>(_ name: StaticString) throws -> Value? {
    try present(name).map { try decoder($0).decode(Value.self) }
  }
}

// MARK: - Making the values

// All that is generic here is compiled once more in the module of the type that is read: to make
// and to move its values without knowing it takes most of the time that there is to save.

extension DecodingSession {
  /// An object as a type that reads its fields itself.
  @inlinable
  func selection<Value: SelectionDecodable>(at index: UInt32, _ tape: JSONTape) throws -> Value {
    if let number = repeatedObject(index) {
      return try repeated(number) { try newSelection(at: index, tape) }
    }
    return try newSelection(at: index, tape)
  }

  @inlinable
  func newSelection<Value: SelectionDecodable>(
    at index: UInt32, _ tape: JSONTape
  ) throws -> Value {
    guard tape[Int(index)].kind == .object else { throw mismatch(Value.self, at: index) }
    var fields = FieldReader(self, tape, object: index)
    do {
      return try Value(reading: &fields)
    } catch {
      note(error, failureAt: index)
      throw error
    }
  }

  /// A list of such objects.
  @inlinable
  func selections<Value: SelectionDecodable>(
    at index: UInt32, _ tape: JSONTape
  ) throws -> [Value] {
    try elements(at: index, tape) { try selection(at: $0, tape) }
  }

  @usableFromInline @inline(never)
  func mismatch(_ type: any Any.Type, at index: UInt32) -> DecodingError {
    JSONValueDecoder(session: self, index: index).mismatch(type)
  }
}

extension JSONValueDecoder {
  /// The value as the type of a whole result: by its own initializer, if it has one.
  func root<Value: Decodable>(_ type: Value.Type) throws -> Value {
    if let type = type as? any SelectionDecodable.Type, let value = try selection(type) as? Value {
      return value
    }
    return try decode(type)
  }

  private func selection<Value: SelectionDecodable>(_ type: Value.Type) throws -> Value {
    try session.withTape { try session.selection(at: index, $0) }
  }
}
