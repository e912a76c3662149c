import Foundation
import GraphQLLanguage
import GraphQLValidation
import TestSupport
import Testing
import Weir
import WeirGeneration
import WeirTesting

@testable import WeirTool

@Suite("Schemas from introspection", .timeLimit(.minutes(10)))
struct IntrospectionTests {
  private static let schemas = [
    "type Query { a: Int }",
    #"""
    "The \"schema\"\nin two lines"
    schema { query: Root mutation: Change }
    """The "root" """
    type Root implements Node & Named {
      "By \"id\" 😀"
      node(id: ID! = "a\"b", "deep" filter: [[Filter!]]! = [[{tags: ["x"], at: {tags: []}}]]): Node
        @deprecated(reason: "Use \\ other.")
      id: ID!
      name(size: Size = SMALL, unit: Float = 1.5e3, old: Int @deprecated): String @deprecated
    }
    type Change { rename(by: By!): Any }
    interface Node implements Named { id: ID! name: String }
    interface Named { name: String }
    union Any = Root | Change
    scalar Money @specifiedBy(url: "https://example.com/money")
    enum Size { SMALL "big" LARGE @deprecated(reason: "Too big.") }
    input Filter { tags: [String!] = ["a"], at: Filter, old: Money @deprecated }
    input By @oneOf { id: ID, name: String }
    "Owner"
    directive @owner(name: String = "nobody", "why" flag: Boolean) repeatable
      on FIELD_DEFINITION | OBJECT
    type Mutation { unrelated: Int }
    """#,
  ]

  @Test(
    "A schema, introspected and converted back, is the same (T2)", arguments: schemas.indices)
  func roundTrip(index: Int) async throws {
    try await expectRoundTrip(Self.schemas[index])
  }

  @Test("The schema of the snapshots, introspected and converted back, is the same (T2)")
  func snapshotSchema() async throws {
    try await expectRoundTrip(Fixture.schemaText())
  }

  @Test(
    "Valid schemas of the validation's tests, introspected and converted back, are the same (T2)")
  func corpus() async throws {
    struct Cases: Decodable {
      struct Case: Decodable {
        let schema: String
        let errors: [JSONValue]
      }
      let cases: [Case]
    }
    let data = try Data(
      contentsOf: Fixture.folder.appending(path: "../GraphQLValidationTests/Data/schemas.json"))
    let schemas = try JSONDecoder().decode(Cases.self, from: data).cases
      .filter { $0.errors.isEmpty }.map(\.schema)
    var count = 0
    for sdl in Set(schemas) where Self.isIntrospectable(sdl) {
      try await expectRoundTrip(sdl)
      count += 1
    }
    #expect(count > 10)
  }

  /// Whether introspection shows all of a schema: directives of its own are not shown where they are
  /// used, and a server needs a query type.
  private static func isIntrospectable(_ sdl: String) -> Bool {
    guard (try? LocalServer(schema: sdl)) != nil, let document = try? Document(parsing: sdl) else {
      return false
    }
    // A schema may call its own type `String`; then it cannot be introspected.
    let redefines = document.definitions.contains { definition in
      if case .type(let type) = definition { TypeSystem.isSpecified(type.name) } else { false }
    }
    if redefines { return false }
    let defined = document.definitions.compactMap { definition -> String? in
      if case .directive(let directive) = definition { directive.name } else { nil }
    }
    return defined.allSatisfy { name in
      sdl.ranges(of: "@\(name)").count == sdl.ranges(of: "directive @\(name)").count
    }
  }

  @Test("A damaged result is an error or a schema whose text can be parsed, never a trap (T2)")
  func damaged() async throws {
    let server = try LocalServer(schema: Self.schemas[1])
    let bytes = Array("\(await server.execute(IntrospectionQuery.september2025.text))".utf8)
    var random = SeededRandom(seed: 7)
    var (errors, schemas) = (0, 0)
    for _ in 0..<400 {
      var damaged = bytes
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let position = Int.random(in: 0..<damaged.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: damaged.remove(at: position)
        case 1: damaged[position] = UInt8.random(in: 0x20..<0x7F, using: &random)
        case 2:
          damaged.insert(damaged[Int.random(in: 0..<damaged.count, using: &random)], at: position)
        default: damaged.removeSubrange(position..<min(position + 40, damaged.count))
        }
      }
      do throws(GenerationFinding) {
        let file = try SourceFile(
          path: "s.json", introspection: String(decoding: damaged, as: UTF8.self))
        let text = TypeSystem([file]).document.canonicalText
        #expect(text.isEmpty || (try? Document(parsing: text)) != nil)
        schemas += 1
      } catch {
        #expect(error.line == 1 && error.column > 0)
        errors += 1
      }
    }
    #expect(errors > 50 && schemas > 50)
  }

  private func expectRoundTrip(_ sdl: String) async throws {
    let direct = TypeSystem([try SourceFile(path: "schema.graphqls", parsing: sdl)])
    let response = try await LocalServer(schema: sdl).execute(IntrospectionQuery.september2025.text)
    #expect(response["errors"] == nil)
    let file = try SourceFile(path: "schema.json", introspection: "\(response)")
    let text = TypeSystem([file]).document.canonicalText
    #expect(text == direct.document.canonicalText)
    // The text is a schema by itself, and in its final order.
    let again = TypeSystem([try SourceFile(path: "again.graphqls", parsing: text)])
    #expect(again.document.canonicalText == text)
  }

  @Test("The response, its data, and its schema are accepted, and extended by other files (T2)")
  func forms() throws {
    let bare =
      #"{"queryType": {"name": "Query"}, "types": [{"kind": "OBJECT", "name": "Query", "#
      + #""fields": [{"name": "caf\u0065", "description": "\ud83d\ude00", "args": [], "type": {"kind": "SCALAR", "name": "Int"}}]}]}"#
    let expected = "type Query {\n  \"\"\"😀\"\"\"\n  cafe: Int\n  more: Int\n}"
    for text in [bare, "{\"__schema\": \(bare)}", "{\"data\": {\"__schema\": \(bare)}}"] {
      let json = try SourceFile(path: "schema.json", introspection: text)
      let extra = try SourceFile(path: "more.graphqls", parsing: "extend type Query { more: Int }")
      #expect(TypeSystem([extra, json]).document.canonicalText == expected)
    }
  }

  @Test("An empty description is none, in a schema from introspection and in generated code (T2)")
  func emptyDescription() throws {
    let json =
      #"{"queryType": {"name": "Query"}, "types": [{"kind": "OBJECT", "name": "Query", "#
      + #""description": "", "fields": [{"name": "a", "description": "", "args": [], "#
      + #""type": {"kind": "SCALAR", "name": "Int"}}]}]}"#
    let file = try SourceFile(path: "schema.json", introspection: json)
    #expect(TypeSystem([file]).document.canonicalText == "type Query {\n  a: Int\n}")
    let schema = #"type Query { "" a: E } "" enum E { "" X "Named" Y }"#
    let files = try Generator(schema, "query A { a }").files
    let comments = files.flatMap { $0.text.split(separator: "\n") }.filter { $0.contains("///") }
    #expect(comments.contains { $0.hasSuffix("/// Named") })
    #expect(!comments.contains { $0.hasSuffix("///") })
  }

  @Test(
    "A text that does not describe a schema is an error with its place (T2)",
    arguments: [
      (
        "{\n  \"types\": [{\"name\": \"A b\"}]}",
        "s.json:2:22: error: \"A b\" is not a name of GraphQL."
      ),
      ("[", "s.json:1:2: error: Expected a value."),
      (
        "{}",
        "s.json:1:1: error: Expected the result of an introspection query: an object with "
          + "\"data\", \"__schema\", or \"types\"."
      ),
      (
        #"{"errors": [{"message": "No."}]}"#,
        "s.json:1:1: error: The server answered with an error: No."
      ),
      (
        #"{"data": {"__schema": null}, "errors": [{"message": "No."}]}"#,
        "s.json:1:1: error: The server answered with an error: No."
      ),
      (
        #"{"data": {"__schema": {"types": []}}, "errors": [{"message": "No."}]}"#,
        "s.json:1:1: error: The server answered with an error: No."
      ),
      (
        #"{"types": [{"name": "A", "kind": "ENUM", "enumValues": [{"name": "null"}]}]}"#,
        "s.json:1:66: error: \"null\" cannot be the name of an enum value."
      ),
      (
        #"{"types": [{"name": "A", "kind": "LIST"}]}"#,
        "s.json:1:34: error: The kind of a type must be SCALAR, OBJECT, INTERFACE, UNION, ENUM, or "
          + "INPUT_OBJECT."
      ),
      (
        #"{"types": [{"name": "A", "kind": "OBJECT", "fields": [{"name": "f", "type": "#
          + #"{"kind": "LIST", "ofType": null}}]}]}"#,
        "s.json:1:77: error: A type is missing, or nests deeper than the introspection query asks "
          + "for."
      ),
      (
        #"{"types": [{"name": "A", "kind": "INPUT_OBJECT", "inputFields": [{"name": "f", "#
          + #""type": {"name": "Int", "kind": "SCALAR"}, "defaultValue": "$a"}]}]}"#,
        "s.json:1:139: error: The default value is not a constant of GraphQL: $a"
      ),
    ])
  func errors(text: String, message: String) {
    let error = #expect(throws: GenerationFinding.self) {
      try SourceFile(path: "s.json", introspection: text)
    }
    #expect(error?.description == message)
  }

  @Test("The local server answers __type, and leaves out deprecated fields unless asked (T2)")
  func type() async throws {
    let server = try LocalServer(
      schema: "type Query { a: Int b: [Int!] @deprecated } enum E { X Y @deprecated }")
    let response = await server.execute(
      """
      query ($all: Boolean!) {
        __type(name: "Query") { __typename name fields(includeDeprecated: $all) { name } }
        none: __type(name: "None") { name }
        e: __type(name: "E") { enumValues { name } inputFields { name } }
      }
      """, variables: ["all": false])
    #expect(
      "\(response)" == #"{"data":{"__type":{"__typename":"__Type","name":"Query","fields":"#
        + #"[{"name":"a"}]},"none":null,"e":{"enumValues":[{"name":"X"}],"inputFields":null}}}"#)
  }
}
