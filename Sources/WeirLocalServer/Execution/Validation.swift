import GraphQLLanguage
import GraphQLValidation
import Weir

/// The validation of a request by the rules of the specification (section 5).
enum Validation {
  /// The rules that a document must keep if there is no schema.
  private static let schemalessRules: Set = [
    "fragment-spread-target-defined", "fragment-spreads-must-not-form-cycles",
    "all-variable-uses-defined", "required-arguments",
  ]

  private static let noSchema = TypeSystem([])

  /// Throws every error in the document of a request.
  static func check(
    _ document: Document, of request: LocalRequest, against schema: LocalSchema?
  ) throws(RequestErrors) {
    let file = SourceFile(path: "request", document: document, text: request.text)
    var diagnostics = (schema?.types ?? noSchema).validate([file])
    if schema == nil { diagnostics.removeAll { !schemalessRules.contains($0.rule) } }
    guard diagnostics.isEmpty else { throw RequestErrors(diagnostics.map(\.graphQLError)) }
  }

  /// Refuses selections that nest so deeply that the execution needs too much stack.
  static func checkNesting(
    _ operation: OperationDefinition, _ fragments: [String: FragmentDefinition]
  ) throws(RequestErrors) {
    var nesting = SelectionNesting(fragments: fragments)
    do {
      _ = try nesting.extent(of: operation.selectionSet)
    } catch {
      throw RequestErrors("The document nests deeper than \(SelectionNesting.limit) levels.")
    }
  }
}

extension Diagnostic {
  fileprivate var graphQLError: GraphQLError {
    GraphQLError(
      message: message,
      locations: ([place] + related).map { .init(line: $0.line, column: $0.utf16Column) })
  }
}

extension String {
  /// Returns the 1-based line and column, in UTF-16 code units; empty for an unknown location.
  func locations(of location: SourceLocation) -> [GraphQLError.Location] {
    guard let offset = location.utf8Offset else { return [] }
    let position = LineTable(self).position(of: offset)
    return [GraphQLError.Location(line: position.line, column: position.utf16Column)]
  }
}
