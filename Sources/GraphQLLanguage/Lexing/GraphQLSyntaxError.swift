/// An error in a GraphQL source text: the reason and the position.
public struct GraphQLSyntaxError: Error, Hashable, Sendable {
  /// The reason, for example `Expected Name, found "}".`
  ///
  /// The wording is that of the reference implementation, graphql-js.
  public var message: String
  /// The line, counted from 1. Lines end with a line feed, a carriage return, or both.
  public var line: Int
  /// The column in UTF-16 code units, counted from 1.
  public var column: Int
  /// Whether the text may be valid, but has more tokens than `ParseOptions.maximumTokens`.
  public var exceedsTokenLimit: Bool

  /// Makes an error.
  public init(message: String, line: Int, column: Int, exceedsTokenLimit: Bool = false) {
    self.exceedsTokenLimit = exceedsTokenLimit
    self.message = message
    self.line = line
    self.column = column
  }

  /// Makes an error at an offset; takes time in proportion to the offset.
  init(_ message: String, at offset: Int, in source: SourceText) {
    let (line, column) = source.lineAndColumn(at: offset)
    self.init(message: message, line: line, column: column)
  }
}

extension GraphQLSyntaxError: CustomStringConvertible {
  /// The message with the line and the column.
  public var description: String {
    "GraphQL syntax error at line \(line), column \(column): \(message)"
  }
}
