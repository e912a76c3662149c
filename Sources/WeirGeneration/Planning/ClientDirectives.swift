import GraphQLLanguage
import GraphQLValidation

/// Directives that schemas often do not define, although documents use them: those of incremental
/// delivery, and the one that only Weir's caches read.
enum ClientDirectives {
  /// Returns a file that defines the directives that the schema lacks.
  static func missing(in schema: [SourceFile]) -> [SourceFile] {
    var known: Set<String> = []
    for case .directive(let directive) in schema.flatMap(\.document.definitions) {
      known.insert(directive.name)
    }
    let definitions = document.definitions.filter {
      if case .directive(let directive) = $0 { !known.contains(directive.name) } else { false }
    }
    let missing = Document(definitions: definitions)
    return definitions.isEmpty ? [] : [SourceFile(path: "weir", document: missing)]
  }

  // A mistake in the text would show in the tests.
  private static let document =
    (try? Document(
      parsing: """
        directive @defer(if: Boolean! = true, label: String) on FRAGMENT_SPREAD | INLINE_FRAGMENT
        directive @stream(if: Boolean! = true, label: String, initialCount: Int = 0) on FIELD
        directive @connection(key: String!, filter: [String!]) on FIELD
        """)) ?? Document(definitions: [])
}
