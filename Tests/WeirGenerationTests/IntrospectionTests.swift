import GraphQLLanguage
import GraphQLValidation
import Testing
import Weir
import WeirGeneration
import WeirTesting

@Suite("Schemas from introspection")
struct IntrospectionTests {
  /// The query of a client for servers of the specification of September 2025.
  private static let query = """
    query { __schema { description queryType { name } mutationType { name } subscriptionType { name }
      types { ...Full } directives { name description isRepeatable locations
        args(includeDeprecated: true) { ...Input } } } }
    fragment Full on __Type { kind name description specifiedByURL isOneOf
      fields(includeDeprecated: true) { name description args(includeDeprecated: true) { ...Input }
        type { ...Ref } isDeprecated deprecationReason }
      inputFields(includeDeprecated: true) { ...Input } interfaces { name }
      enumValues(includeDeprecated: true) { name description isDeprecated deprecationReason }
      possibleTypes { name } }
    fragment Input on __InputValue { name description type { ...Ref } defaultValue isDeprecated
      deprecationReason }
    fragment Ref on __Type { kind name ofType { kind name ofType { kind name ofType { kind name
      ofType { kind name ofType { kind name } } } } } }
    """

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

  private func expectRoundTrip(_ sdl: String) async throws {
    let direct = TypeSystem([try SourceFile(path: "schema.graphqls", parsing: sdl)])
    let response = try await LocalServer(schema: sdl).execute(Self.query)
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
