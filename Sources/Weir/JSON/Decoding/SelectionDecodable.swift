/// A value that reads the fields of its selection set itself.
///
/// `Decodable` is written by the compiler, and its run-time is most of what decoding a large result
/// takes. Where that matters, write the initializer by hand, or have it generated: it takes about
/// half the time.
///
/// ```swift
/// extension Todo: SelectionDecodable {
///   init(reading fields: inout FieldReader) throws {
///     id = try fields.read("id")
///     text = try fields.read("text")
///     author = try fields.read("author")
///     state = try fields.decode("state")
///   }
/// }
/// ```
///
/// Results that are decoded as the type, and lists of it in other types, use the initializer. Within
/// other types' `init(from:)`, single values go on being decoded by `Decodable`, so both have to
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
  private let session: DecodingSession
  // Proof of validity: who makes a reader lends it to an initializer while the view is valid, and
  // as it can not be copied, nobody keeps it.
  private let tape: JSONTape
  private let object: Int
  private let keyList: Int
  /// The member that is expected to be asked for next.
  private var position = 0
  private var cell: Int

  fileprivate init(_ session: DecodingSession, _ tape: JSONTape, object: UInt32) {
    self.session = session
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

  /// The decoder of a field that is there.
  private mutating func value(_ name: StaticString) throws -> JSONValueDecoder {
    guard let index = find(name) else { throw missing(name) }
    return JSONValueDecoder(session: session, index: index)
  }

  /// A scalar. No decoder is made for it, which would count references.
  @inline(__always)
  private mutating func read<Value: Decodable>(
    _ name: StaticString, _ scalar: (JSONTape, JSONCell) -> Value?
  ) throws -> Value {
    guard let index = find(name) else { throw missing(name) }
    if let value = scalar(tape, tape[Int(index)]) { return value }
    return try JSONValueDecoder(session: session, index: index).decode(Value.self)  // Throws.
  }

  private mutating func present(_ name: StaticString) -> JSONValueDecoder? {
    guard let index = find(name), tape[Int(index)].kind != .null else { return nil }
    return JSONValueDecoder(session: session, index: index)
  }

  @inline(never)
  private func missing(_ name: StaticString) -> DecodingError {
    .keyNotFound(
      JSONPathKey("\(name)"),
      DecodingError.Context(
        codingPath: session.path(to: UInt32(truncatingIfNeeded: object)),
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
    try present(name)?.decode(String.self)
  }

  /// An integer.
  public mutating func read(_ name: StaticString) throws -> Int {
    try read(name) { $0.integer($1) }
  }

  /// An integer, or nil.
  public mutating func read(_ name: StaticString) throws -> Int? {
    try present(name)?.decode(Int.self)
  }

  /// A number.
  public mutating func read(_ name: StaticString) throws -> Double {
    try read(name) { $0.double($1) }
  }

  /// A number, or nil.
  public mutating func read(_ name: StaticString) throws -> Double? {
    try present(name)?.decode(Double.self)
  }

  /// True or false.
  public mutating func read(_ name: StaticString) throws -> Bool {
    try read(name) { $0.bool($1) }
  }

  /// True, false, or nil.
  public mutating func read(_ name: StaticString) throws -> Bool? {
    try present(name)?.decode(Bool.self)
  }

  /// An object.
  public mutating func read<Value: SelectionDecodable>(_ name: StaticString) throws -> Value {
    try value(name).selection(Value.self)
  }

  /// An object, or nil.
  public mutating func read<Value: SelectionDecodable>(_ name: StaticString) throws -> Value? {
    try present(name)?.selection(Value.self)
  }

  /// A list of objects.
  public mutating func read<Value: SelectionDecodable>(_ name: StaticString) throws -> [Value] {
    try value(name).elements(Value.self) { try $0.selection(Value.self) }
  }

  /// A list of objects, or nil.
  public mutating func read<Value: SelectionDecodable>(_ name: StaticString) throws -> [Value]? {
    try present(name)?.elements(Value.self) { try $0.selection(Value.self) }
  }

  /// A value of any other type, as `Decodable` does it: an enumeration, a date, a list of numbers.
  public mutating func decode<Value: Decodable>(_ name: StaticString) throws -> Value {
    try value(name).decode(Value.self)
  }

  /// A value of any other type, or nil.
  public mutating func decodeIfPresent<Value: Decodable>(_ name: StaticString) throws -> Value? {
    try present(name)?.decode(Value.self)
  }
}

extension JSONValueDecoder {
  /// The value as a type that reads its fields itself.
  func selection<Value: SelectionDecodable>(_ type: Value.Type) throws -> Value {
    if let number = session.repeatedObject(index) {
      return try session.repeated(number) { try newSelection(type) }
    }
    return try newSelection(type)
  }

  private func newSelection<Value: SelectionDecodable>(_ type: Value.Type) throws -> Value {
    try session.withTape { tape in
      guard tape[Int(index)].kind == .object else { throw mismatch(type) }
      var fields = FieldReader(session, tape, object: index)
      do {
        return try Value(reading: &fields)
      } catch {
        session.note(failureAt: index)
        throw error
      }
    }
  }

  /// The value as the type of a whole result: by its own initializer, if it has one.
  func root<Value: Decodable>(_ type: Value.Type) throws -> Value {
    if let type = type as? any SelectionDecodable.Type, let value = try selection(type) as? Value {
      return value
    }
    return try decode(type)
  }
}
