public import GraphQLLanguage

/// A parsed source text and the name under which messages refer to it.
///
/// Compare files by identity: two files may have the same path and the same text.
public final class SourceFile: Sendable {
  /// The path as messages show it.
  public let path: String
  /// The source text; empty for a document that was built in code. Then places have no line.
  public let text: String
  /// The syntax tree of the text.
  public let document: Document
  /// Whether the text is JSON, which has no tokens of GraphQL: a location is a place in the text itself.
  let isJSON: Bool

  /// Parses a source text.
  ///
  /// - Parameters:
  ///   - path: The path that messages show. Nothing is read from it.
  ///   - text: An executable document, a schema, or a part of a schema.
  ///   - options: The limits of the parser.
  /// - Throws: `GraphQLSyntaxError`, without the path.
  public convenience init(
    path: String, parsing text: String, options: ParseOptions = ParseOptions()
  ) throws(GraphQLSyntaxError) {
    self.init(path: path, document: try Document(parsing: text, options: options), text: text)
  }

  /// Makes a file from a document that is already parsed, or that was built in code.
  ///
  /// - Parameters:
  ///   - path: The path that messages show.
  ///   - document: The syntax tree of `text`.
  ///   - text: The source text, for lines and columns.
  public convenience init(path: String, document: Document, text: String = "") {
    self.init(path: path, document: document, text: text, isJSON: false)
  }

  /// Makes a file from a document that was read from GraphQL or JSON.
  package init(path: String, document: Document, text: String, isJSON: Bool) {
    self.path = path
    self.document = document
    self.text = text
    self.isJSON = isJSON
  }
}
