import Foundation
import GraphQLValidation
import Testing

/// The content of `Data/documents.json`.
struct ExpectedDocuments: Decodable {
  struct Case: Decodable {
    var schema: String
    var document: String
    var errors: [ExpectedError]
  }

  struct Merging: Decodable {
    var document: String
    var conflicts: Bool
  }

  var schemas: [String: String]
  var cases: [Case]
  /// Random documents in which only conflicts of fields matter. Which of several conflicts
  /// graphql-core reports depends on what it has compared before.
  var merging: [Merging]

  static func load() throws -> Self {
    try Expectation.load("documents")
  }
}

enum Expectation {
  static func load<Content: Decodable>(_ name: String) throws -> Content {
    let url = try #require(
      Bundle.module.url(forResource: name, withExtension: "json", subdirectory: "Data"))
    return try JSONDecoder().decode(Content.self, from: Data(contentsOf: url))
  }
}

/// A rule, a message, and the first place.
struct ExpectedError: Decodable, Hashable, CustomStringConvertible {
  var rule: String
  var message: String
  var places: [[Int]]

  var description: String { "\(places) \(message) [\(rule)]" }

  init(_ diagnostic: Diagnostic) {
    rule = diagnostic.rule
    message = diagnostic.message
    places = ([diagnostic.place] + diagnostic.related).map { [$0.line, $0.utf16Column] }
    shorten()
  }

  /// The error under the name that Weir has for the rule.
  var comparable: Self {
    var error = self
    let names = ruleNames[rule] ?? ["?"]
    let condition = { (text: String) in message.contains(text) }
    error.rule =
      switch rule {
      case "KnownDirectives": names[condition("may not be used") ? 1 : 0]
      case "KnownTypeNames": "known-type"
      default: names[0]
      }
    error.shorten()
    return error
  }

  /// graphql-core loses the places of lists and objects at the position of a leaf.
  var withoutPlace: Self {
    var error = self
    error.places = []
    return error
  }

  /// Keeps the first place, and of conflicts of fields the two fields, and the response key if fields
  /// in them are the reason. Two rules of Weir report unknown types.
  private mutating func shorten() {
    if message.hasPrefix("Unknown type") { rule = "known-type" }
    guard rule == "field-selection-merging" else {
      places = Array(places.prefix(1))
      return
    }
    if let end = message.range(of: " because subfields") {
      message = String(message[..<end.lowerBound])
    }
    places = places.prefix(2).sorted { $0.lexicographicallyPrecedes($1) }
  }
}

/// The rules of graphql-core, and the names that Weir has for them.
private let ruleNames = [
  "ExecutableDefinitions": ["executable-definitions"],
  "KnownOperationTypes": ["operation-type-existence"],
  "UniqueOperationNames": ["operation-name-uniqueness"],
  "LoneAnonymousOperation": ["lone-anonymous-operation"],
  "SingleFieldSubscriptions": ["single-root-field"],
  "FragmentsOnCompositeTypes": ["fragments-on-composite-types"],
  "VariablesAreInputTypes": ["variables-are-input-types"],
  "ScalarLeafs": ["leaf-field-selections"],
  "FieldsOnCorrectType": ["field-selections"],
  "UniqueFragmentNames": ["fragment-name-uniqueness"],
  "KnownFragmentNames": ["fragment-spread-target-defined"],
  "NoUnusedFragments": ["fragments-must-be-used"],
  "PossibleFragmentSpreads": ["fragment-spread-is-possible"],
  "NoFragmentCycles": ["fragment-spreads-must-not-form-cycles"],
  "UniqueVariableNames": ["variable-uniqueness"],
  "NoUndefinedVariables": ["all-variable-uses-defined"],
  "NoUnusedVariables": ["all-variables-used"],
  "KnownDirectives": ["directives-are-defined", "directives-are-in-valid-locations"],
  "UniqueDirectivesPerLocation": ["directives-are-unique-per-location"],
  "KnownArgumentNames": ["argument-names"],
  "UniqueArgumentNames": ["argument-uniqueness"],
  "ValuesOfCorrectType": ["values-of-correct-type"],
  "ProvidedRequiredArguments": ["required-arguments"],
  "VariablesInAllowedPosition": ["all-variable-usages-are-allowed"],
  "OverlappingFieldsCanBeMerged": ["field-selection-merging"],
  "UniqueInputFieldNames": ["input-object-field-uniqueness"],
]
