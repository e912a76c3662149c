/// A JSON value within a parsed document: a reference and an index, cheap to copy and to pass on.
///
/// Numbers and strings are converted only when you read them. A value keeps its whole document
/// alive.
///
/// Two values are equal if they mean the same: white space, the order of an object's members and
/// the way strings are escaped do not matter. Integers are equal if they are exactly equal, other
/// numbers if they are the same `Double`; `1` and `1.0` differ, as they do as `JSONValue`s.
/// Values with equal text are recognized by comparing the text alone.
public struct JSON: Sendable {
  /// The document that the value is a part of.
  public let document: JSONDocument

  /// The index of the value's cell on the document's tape.
  @usableFromInline package let index: TapeIndex

  /// The value of the cell at `index`, which must be the first cell of a value of this document.
  @inlinable
  package init(document: JSONDocument, index: TapeIndex) {
    self.document = document
    self.index = index
  }

  /// Parses a text; see `JSONDocument.parse`.
  public init(
    parsing bytes: [UInt8], options: JSONParseOptions = JSONParseOptions()
  ) throws(JSONError) {
    self = try JSONDocument.parse(bytes, options: options).root
  }

  /// Parses a text; see `JSONDocument.parse`.
  public init(
    parsing text: String, options: JSONParseOptions = JSONParseOptions()
  ) throws(JSONError) {
    self = try JSONDocument.parse(Array(text.utf8), options: options).root
  }

  /// The six kinds of JSON values.
  public enum Kind: Hashable, Sendable {
    /// `null`
    case null
    /// `true` or `false`
    case bool
    /// A number
    case number
    /// A string
    case string
    /// An array
    case array
    /// An object
    case object
  }

  /// The kind of the value.
  public var kind: Kind {
    switch cell.kind {
    case .null: .null
    case .false, .true: .bool
    case .number: .number
    case .string: .string
    case .array: .array
    case .object: .object
    }
  }

  var cell: JSONCell {
    withTape { tape, index in tape[index] }
  }

  /// Runs `body` with the document's cells and the index of the value.
  @inlinable
  package func withTape<Result, Failure: Error>(
    _ body: (JSONTape, TapeIndex) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try document.withTape { (tape) throws(Failure) in try body(tape, index) }
  }

  /// Returns whether both are the same value of the same document. Costs two comparisons.
  public func isIdentical(to other: JSON) -> Bool {
    document === other.document && index == other.index
  }
}

extension JSON: CustomStringConvertible {
  /// The value as compact JSON.
  public var description: String { String(decoding: compactBytes, as: UTF8.self) }
}
