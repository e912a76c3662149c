import Foundation
import GraphQLLanguage
import GraphQLValidation
import Testing

@Suite struct DiagnosticTests {
  private func schema() throws -> TypeSystem {
    TypeSystem([
      try SourceFile(path: "s.graphqls", parsing: "type Query { title(a: String): String }")
    ])
  }

  @Test func `The text form has the place in bytes, the rule, and a note for other places (V5)`()
    throws
  {
    let first = try SourceFile(path: "A.graphql", parsing: "query A { titel }")
    let second = try SourceFile(path: "B.graphql", parsing: "# Ümlaut\r\nquery A { title }")
    #expect(
      try schema().validate([first, second]).map(\.description) == [
        """
        A.graphql:1:7: error: There can be only one operation named "A". [operation-name-uniqueness]
        B.graphql:2:7: note: see also [operation-name-uniqueness]
        """,
        """
        A.graphql:1:11: error: Cannot query field "titel" on type "Query". Did you mean "title"? \
        [field-selections]
        """,
      ])
  }

  @Test func `The JSON form counts columns in UTF-16 code units (V5)`() throws {
    let file = try SourceFile(
      path: #"a"b.graphql"#, parsing: "{ a: title(a: \"é😀\") titel }")
    let json = try #require(try schema().validate([file]).first).json
    let object = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? NSDictionary
    let expected: NSDictionary = [
      "file": #"a"b.graphql"#, "line": 1, "column": 22, "endLine": 1, "endColumn": 27,
      "severity": "error", "rule": "field-selections", "suggestions": ["title"], "related": [],
      "message": "Cannot query field \"titel\" on type \"Query\". Did you mean \"title\"?",
    ]
    #expect(object == expected)
    #expect(!json.contains("\n"))
  }

  @Test func `Columns are right in every line of a text that is not ASCII (V5)`() throws {
    let file = try SourceFile(
      path: "a", parsing: "{ a: title(a: \"é\") b\n  c d: title(a: \"é\") e }")
    let places = try schema().validate([file]).map(\.place)
    #expect(
      places.map { [$0.line, $0.column, $0.utf16Column] }
        == [[1, 21, 20], [2, 3, 3], [2, 23, 22]])
  }

  @Test func `A message has one line, also if a literal has several (V5)`() throws {
    let schema = TypeSystem([try SourceFile(path: "s", parsing: "type Query { a(i: Int): Int }")])
    let file = try SourceFile(path: "d", parsing: "{ a(i: \"\"\"\n one\n two\n\"\"\") }")
    #expect(
      schema.validate([file]).map(\.message) == [
        #"Int cannot represent non-integer value: "one\ntwo""#
      ])
  }

  @Test func `A document that was built in code has no lines (V5)`() throws {
    let document = try Document(parsing: "{ titel }")
    let file = SourceFile(path: "code", document: document)
    let description = try #require(try schema().validate([file]).first).description
    #expect(description.hasPrefix("code: error: Cannot query"))
  }

  @Test func `If a file is missing, unknown and unused fragments are not reported (V8)`() throws {
    let file = try SourceFile(
      path: "a", parsing: "query Q($a: String) { ...F } fragment G on Query { title }")
    #expect(try schema().validate([file], options: .init(isComplete: false)).isEmpty)
    #expect(try schema().validate([file]).count == 3)
    // No other file declares the variables of an operation.
    let variable = try SourceFile(
      path: "a", parsing: "query Q { title @include(if: $b) }")
    #expect(
      try schema().validate([variable], options: .init(isComplete: false)).map(\.rule)
        == ["all-variable-uses-defined"])
  }

  @Test func `Findings in a schema are warnings, or errors if asked for (V4)`() throws {
    let schema = TypeSystem([
      try SourceFile(path: "a.graphqls", parsing: "type Query { a: Int }"),
      try SourceFile(path: "b.graphqls", parsing: "\nextend type Query { a: Nope }"),
    ])
    #expect(schema.validate().map(\.severity) == [.warning])
    #expect(
      schema.validate(strict: true).map(\.description) == [
        """
        a.graphqls:1:14: error: Field "Query.a" can only be defined once. [unique-members]
        b.graphqls:2:21: note: see also [unique-members]
        """
      ])
  }
}
