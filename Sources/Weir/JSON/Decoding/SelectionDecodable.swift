/// A value that reads the fields of its selection set itself.
///
/// `Decodable` is written by the compiler, and its run-time is most of what decoding a large result
/// takes. Where that matters, write the initializer by hand, or have it generated: it is three to
/// four times as fast.
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

extension JSONValueDecoder {
  /// The value as a type that reads its fields itself.
  func selection<Value: SelectionDecodable>(_ type: Value.Type) throws -> Value {
    guard kind == .object else { throw mismatch(type) }
    return try session.withTape { tape in
      var fields = FieldReader(session, tape, object: Int(index))
      return try fields.value(type)
    }
  }

  /// The value as a list of a type that reads its fields itself.
  func selections<Value: SelectionDecodable>(_ type: Value.Type) throws -> [Value] {
    guard kind == .array else { throw mismatch([Value].self) }
    return try session.withTape { tape in
      var elements = ElementReader(session, tape, array: Int(index))
      return try elements.values(type)
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
