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
///       state: fields.read("state"))
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

// MARK: - Making the values

// All that is generic here is compiled once more in the module of the type that is read: to make
// and to move its values without knowing it takes most of the time that there is to save.

extension DecodingSession {
  /// An object as a type that reads its fields itself.
  @inlinable
  func selection<Value: SelectionDecodable>(at index: UInt32, _ tape: JSONTape) throws -> Value {
    guard let number = repeatedObject(index) else { return try newSelection(at: index, tape) }
    return try repeated(number) { try newSelection(at: index, tape) }
  }

  @inlinable
  func newSelection<Value: SelectionDecodable>(
    at index: UInt32, _ tape: JSONTape
  ) throws -> Value {
    guard tape[Int(index)].kind == .object else { throw mismatch(Value.self, at: index) }
    var fields = FieldReader(self, tape, object: Int(index))
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
