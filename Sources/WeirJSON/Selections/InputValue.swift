public import Foundation

/// A value that an ``InputWriter`` writes directly, without an encoder. Generated enumerations and
/// input objects conform to it.
public protocol InputValue: Hashable, Sendable {
  /// Writes the value as JSON.
  func write(into output: inout InputWriter)
}

/// An input object, as generated from a schema.
public protocol InputObject: InputValue {
  /// Writes the fields, ordered by the bytes of their names.
  func write(to fields: inout InputWriter)
}

extension InputObject {
  /// Writes the object.
  @inlinable
  public func write(into output: inout InputWriter) {
    output.object(self)
  }
}

/// An enumeration, as generated from a schema. Servers add values to enumerations, so each has a
/// case for values that the schema did not have.
public protocol GraphQLEnum: RawRepresentable, CaseIterable, Codable, InputValue
where RawValue == String {
  /// Creates a value from its name in the schema.
  init(rawValue: String)
}

extension GraphQLEnum {
  /// Writes the value's name.
  public func write(into output: inout InputWriter) {
    output.string(rawValue)
  }
}

extension String: InputValue {
  /// Writes the string.
  public func write(into output: inout InputWriter) { output.string(self) }
}

extension Int: InputValue {
  /// Writes the integer.
  public func write(into output: inout InputWriter) { output.integer(self) }
}

extension Double: InputValue {
  /// Writes the number.
  public func write(into output: inout InputWriter) { output.number(self) }
}

extension Bool: InputValue {
  /// Writes the Boolean.
  public func write(into output: inout InputWriter) { output.bool(self) }
}

extension Date: InputValue {
  /// Writes the date as an ISO 8601 string.
  public func write(into output: inout InputWriter) { output.encoded(self) }
}

extension URL: InputValue {
  /// Writes the URL as a string.
  public func write(into output: inout InputWriter) { output.encoded(self) }
}

extension UUID: InputValue {
  /// Writes the UUID as a string with small letters.
  public func write(into output: inout InputWriter) { output.encoded(self) }
}

extension JSONValue: InputValue {
  /// Writes the value.
  public func write(into output: inout InputWriter) { output.encoded(self) }
}

extension Optional: InputValue where Wrapped: InputValue {
  /// Writes the value; null for nil.
  @inlinable
  public func write(into output: inout InputWriter) {
    guard let self else { return output.null() }
    self.write(into: &output)
  }
}

extension Array: InputValue where Element: InputValue {
  /// Writes the list.
  @inlinable
  public func write(into output: inout InputWriter) { output.list(self) }
}
