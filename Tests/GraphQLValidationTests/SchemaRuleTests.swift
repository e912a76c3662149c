import Foundation
import GraphQLLanguage
import GraphQLValidation
import Testing

/// Compares the rules for schemas with graphql-core; see `Expectations/schemas.py`.
@Suite struct SchemaRuleTests {
  private struct Expectations: Decodable {
    struct Case: Decodable {
      var schema: String
      /// graphql-core looks at a schema as a whole only if its documents are valid.
      var level: String
      var errors: [ExpectedError]
    }

    var cases: [Case]
  }

  @Test func `Schemas have the same errors at the same places as in graphql-core (V4)`() throws {
    let data: Expectations = try Expectation.load("schemas")
    var differences: [String] = []
    for item in data.cases {
      let file = try SourceFile(path: "schema", parsing: item.schema)
      let diagnostics = TypeSystem([file]).validate().filter {
        if $0.message.hasSuffix(scalarMessage) { return false }
        return item.level == "schema" ? $0.rule != literalRule : documentRules.contains($0.rule)
      }
      let unplaced = Set(item.errors.filter(\.places.isEmpty).map(\.message))
      let found = Set(
        diagnostics.filter { !isFollowUp($0.message, item.errors) }.map { item in
          ExpectedError(item, placed: !unplaced.contains(item.message)).placedMessage
        })
      let expected = Set(
        item.errors.filter { !isFollowUp($0.message, item.errors) }.map(\.placedMessage))
      if found == expected { continue }
      let missing = expected.subtracting(found).map { "  missing \($0)" }.sorted()
      let surplus = found.subtracting(expected).map { "  surplus \($0)" }.sorted()
      differences.append(([item.schema] + missing + surplus).joined(separator: "\n"))
    }
    #expect(data.cases.count >= 300)
    #expect(differences.isEmpty, "\(differences.prefix(25).joined(separator: "\n"))")
  }

  @Test func `Literals in directives of a schema fit the arguments' types (V4)`() throws {
    let text = """
      directive @cost(weight: Int!, rule: Rule) on OBJECT | FIELD_DEFINITION
      input Rule { level: Level! }
      enum Level { LOW HIGH }
      type Query @cost(weight: "5") { a: Int @cost(weight: 1, rule: {level: HIG}) }
      extend type Query @key(fields: {a: 1}, resolvable: 1) { b: Int @deprecated(reason: 1) }
      """
    let schema = TypeSystem([try SourceFile(path: "s", parsing: text)])
    let found = schema.validate().filter { $0.rule == literalRule }
    #expect(
      found.map { "\($0.place.line):\($0.place.column) \($0.message)" } == [
        "4:26 Int cannot represent non-integer value: \"5\"",
        "4:71 Value \"HIG\" does not exist in \"Level\" enum. Did you mean the enum value \"HIGH\"?",
        "5:84 String cannot represent a non string value: 1",
      ])
  }

  @Test func `An extension of an input object cannot have @oneOf (V4)`() throws {
    let text = """
      type Query { a(i: I): Int }
      input I { a: Int }
      extend input I @oneOf { b: Int }
      input J @oneOf { a: Int }
      extend input J { b: Int }
      """
    let schema = TypeSystem([try SourceFile(path: "s", parsing: text)])
    #expect(
      schema.validate().map { "\($0.place) \($0.message)" } == [
        "s:3:16 Directive \"@oneOf\" must be on the definition of input object \"I\", not on an "
          + "extension."
      ])
  }

  @Test func `A repeated interface or member has a place for each occurrence (V5)`() throws {
    let text = """
      interface A { a: Int } interface implements { a: Int }
      type Query implements A & implements & A { a: Int }
      "The description." type T implements & A & A { a: Int }
      union U @link(url: "U", import: ["U"]) = Query | T | Query
      extend union U = | T
      """
    let schema = TypeSystem([try SourceFile(path: "s", parsing: text)])
    let rules = ["interface-implementation", "union-members"]
    #expect(
      schema.validate().filter { rules.contains($0.rule) }.map { diagnostic in
        ([diagnostic.place] + diagnostic.related).map { "\($0.line):\($0.column)" }
      } == [["2:23", "2:40"], ["3:40", "3:44"], ["4:42", "4:54"], ["4:50", "5:20"]])
    let wrong = try SourceFile(
      path: "s", parsing: "type Query implements Query & implements { a: Int } scalar implements")
    #expect(
      TypeSystem([wrong]).validate().map { "\($0.place.column) \($0.rule)" }
        == ["23 interface-implementation", "31 interface-implementation"])
  }

  @Test func `A built-in scalar can be repeated, but not replaced (V4)`() throws {
    let text = """
      type Query { a: Int }
      scalar ID
      type String { a: Int }
      enum Boolean { YES }
      """
    let schema = TypeSystem([try SourceFile(path: "s", parsing: text)])
    #expect(
      schema.validate().map { "\($0.place) \($0.message) \($0.rule)" } == [
        "s:3:6 The name \"String\" belongs to a built-in scalar. unique-definitions",
        "s:4:6 The name \"Boolean\" belongs to a built-in scalar. unique-definitions",
      ])
  }

  @Test func `Only directives that lead to themselves are reported (V4)`() throws {
    let text = """
      type Query { a: Int }
      directive @a(x: I) on ARGUMENT_DEFINITION
      directive @b(z: Int @a) on INPUT_FIELD_DEFINITION
      directive @c(x: I) on FIELD
      directive @d(x: Int @d) on ARGUMENT_DEFINITION
      directive @e(x: J) on FIELD
      directive @f(x: E) on ENUM_VALUE
      input I { y: Int @b }
      input J { j: J }
      enum E { A @f }
      """
    let schema = TypeSystem([try SourceFile(path: "s", parsing: text)])
    #expect(schema.validate().map(\.place.line) == [2, 3, 5, 7])
    #expect(Set(schema.validate().map(\.rule)) == ["directive-cycles"])
  }

  /// Whether Weir does not report an error, because another one says what is to be done.
  ///
  /// - If a type is defined twice, the second definition does not count. Its members are no
  ///   repetitions, and nothing in it is looked at.
  /// - A type that is extended but not defined is not an unknown type as well.
  private func isFollowUp(_ message: String, _ all: [ExpectedError]) -> Bool {
    let isUnknown = message.hasPrefix("Unknown type ")
    if all.contains(where: { $0.message.hasPrefix("There can be only one type named") }) {
      return isUnknown || message.hasSuffix("can only be defined once.")
        || message.hasSuffix("can only be used once at this location.")
    }
    guard isUnknown, let name = message.quotedName else { return false }
    return all.contains { $0.message.hasPrefix("Cannot extend type \"\(name)\"") }
  }

  /// graphql-core lets a type of any kind take the place of a built-in scalar.
  private let scalarMessage = "belongs to a built-in scalar."

  /// graphql-core does not look at literals in the directives of a schema.
  private let literalRule = "values-of-correct-type"

  /// The rules that graphql-core applies to documents with definitions.
  private let documentRules: Set = [
    "unique-definitions", "unique-members", "known-types", "type-extensions",
    "directives-are-defined", "directives-are-in-valid-locations",
    "directives-are-unique-per-location", "argument-names", "argument-uniqueness",
    "required-arguments", "input-object-field-uniqueness",
  ]
}

extension String {
  fileprivate var quotedName: Substring? {
    let parts = split(separator: "\"", omittingEmptySubsequences: false)
    return parts.count > 1 ? parts[1] : nil
  }
}

extension ExpectedError {
  fileprivate init(_ diagnostic: Diagnostic, placed: Bool) {
    self.init(diagnostic)
    if !placed { places = [] }
  }

  fileprivate var placedMessage: String {
    "\(places.first?.map(String.init).joined(separator: ":") ?? "") \(message)"
  }
}
