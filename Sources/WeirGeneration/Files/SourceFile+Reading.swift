import GraphQLLanguage
package import GraphQLValidation

extension SourceFile {
  /// Parses a text by the end of its path: the result of an introspection query, if it is `.json`,
  /// otherwise a schema or a document. A text that has comments at most is an empty document: a new
  /// file is empty before its author writes it.
  package static func parse(
    _ text: String, path: String
  ) throws(GenerationFinding) -> SourceFile {
    if path.hasSuffix(".json") { return try SourceFile(path: path, introspection: text) }
    if content(of: text).isEmpty {
      return SourceFile(path: path, document: Document(definitions: []))
    }
    do throws(GraphQLSyntaxError) {
      return try SourceFile(path: path, parsing: text)
    } catch {
      throw GenerationFinding(error, path: path, text: text)
    }
  }

  /// Reads and parses a file.
  package static func read(_ path: String) throws(ToolFailure) -> SourceFile {
    let text = try SourceFolder.read(path)
    do throws(GenerationFinding) {
      return try parse(text, path: path)
    } catch {
      throw ToolFailure(.documents, [error])
    }
  }

  /// Whether the first definition of a text, which may have syntax errors, is an operation or a fragment.
  static func beginsExecutable(_ text: String) -> Bool {
    let content = content(of: text)
    return content.first == "{"
      || ["query", "mutation", "subscription", "fragment"].contains(content.prefix { $0.isLetter })
  }

  /// The text from its first word on; empty if it has comments at most.
  private static func content(of text: String) -> Substring {
    var rest = text[...]
    while let start = rest.firstIndex(where: { !$0.isWhitespace }) {
      guard rest[start] == "#" else { return rest[start...] }
      rest = rest[start...].drop { !$0.isNewline }
    }
    return ""
  }
}
