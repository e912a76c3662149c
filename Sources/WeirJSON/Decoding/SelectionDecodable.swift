/// A type whose values read the fields of their selection set themselves.
///
/// Most of the time of decoding a large result is spent in the code that the compiler generates for
/// `Decodable`. If that matters, write this initializer by hand, or generate it: it takes about
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
/// Passing the values to the memberwise initializer, as here, is a little faster than setting the
/// properties one by one: an initializer that may throw in between copies the whole value at its
/// end.
///
/// The initializer is used for results that are decoded as the type, and for values and lists of
/// the type that a ``FieldReader`` reads. Within other types' `init(from:)` it is used for lists of
/// 32 elements or more; shorter lists and single values are decoded by `Decodable`. So both must
/// mean the same.
public protocol SelectionDecodable: Decodable {
  /// Reads the fields. Read them in the order of the selection set; any other order costs a search
  /// for each field.
  init(reading fields: inout FieldReader) throws
}

// MARK: - Creating the values

// The generic code here is inlinable, so that it is compiled again in the module of the type that
// is read. Creating and moving values of an unknown type would take most of the time that can be
// saved.

extension DecodingSession {
  /// Decodes an object as a type that reads its fields itself.
  @inlinable
  func selection<Value: SelectionDecodable>(at index: TapeIndex, _ tape: JSONTape) throws -> Value {
    guard let number = repeatedObject(index) else { return try newSelection(at: index, tape) }
    return try repeated(number) { try newSelection(at: index, tape) }
  }

  @inlinable
  func newSelection<Value: SelectionDecodable>(
    at index: TapeIndex, _ tape: JSONTape
  ) throws -> Value {
    guard tape[index].kind == .object else { throw mismatch(Value.self, at: index) }
    var fields = FieldReader(self, tape, object: index)
    do {
      return try Value(reading: &fields)
    } catch {
      note(error, failureAt: index)
      throw error
    }
  }

  /// Decodes a list of such objects.
  @inlinable
  func selections<Value: SelectionDecodable>(
    at index: TapeIndex, _ tape: JSONTape
  ) throws -> [Value] {
    try elements(at: index, tape) { try selection(at: $0, tape) }
  }

  @usableFromInline @inline(never)
  func mismatch(_ type: any Any.Type, at index: TapeIndex) -> DecodingError {
    JSONValueDecoder(session: self, index: index).mismatch(type)
  }
}

extension JSONValueDecoder {
  /// Decodes the value as the type of a whole result: by `init(reading:)` if it has one.
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
