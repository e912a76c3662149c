/// An error that says why bytes are not valid JSON, or why a value cannot be written as JSON.
public struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of errors, for programs to switch over.
  public enum Code: Hashable, Sendable {
    /// The text ends before the value does, or is empty.
    case unexpectedEnd
    /// A byte that is not allowed at this place.
    case unexpectedCharacter
    /// Something other than white space follows the value.
    case trailingContent
    /// A number that RFC 8259 section 6 does not allow, like `01`, `.5` or `+1`.
    case invalidNumber
    /// A number beyond the range of a 64-bit IEEE 754 number, like `1e999`.
    case numberOutOfRange
    /// A backslash that is not followed by one of RFC 8259's escapes.
    case invalidEscape
    /// Bytes that are not UTF-8.
    case invalidUTF8
    /// An unescaped control character within a string.
    case controlCharacter
    /// Arrays and objects nest deeper than the limit.
    case tooDeep
    /// More bytes than a document can hold, 2^28 - 1.
    case tooLarge
    /// A number that JSON cannot express: not-a-number, or an infinity.
    case nonFiniteNumber
  }

  /// The kind of the error.
  public var code: Code

  /// The number of bytes before the error; 0 when a value is written.
  public var offset: Int

  /// Creates an error.
  public init(_ code: Code, offset: Int) {
    self.code = code
    self.offset = offset
  }

  /// One sentence for people. It never quotes the text.
  public var message: String {
    switch code {
    case .unexpectedEnd: "The JSON text ends too early."
    case .unexpectedCharacter: "A character is not allowed here."
    case .trailingContent: "Text follows the JSON value."
    case .invalidNumber: "A number is not written as JSON requires."
    case .numberOutOfRange: "A number is too large for 64-bit floating point."
    case .invalidEscape: "A backslash does not begin a valid escape."
    case .invalidUTF8: "The bytes are not UTF-8."
    case .controlCharacter: "A control character in a string must be escaped."
    case .tooDeep: "Arrays and objects nest too deeply."
    case .tooLarge: "The JSON text is larger than 2^28 - 1 bytes."
    case .nonFiniteNumber: "JSON cannot express infinite numbers or not-a-number."
    }
  }

  /// The message and the byte offset.
  public var description: String {
    code == .nonFiniteNumber ? message : "\(message) (byte offset \(offset))"
  }
}
