import GraphQLValidation
import Testing
import WeirGeneration

/// The redirects that `@fieldPolicy` of Apollo iOS declares in a schema (G9).
@Suite("Policies of fields in the schema")
struct FieldPolicyTests {
  private static let types = """
    type Query {
      todo(id: ID!, many: [ID!]): Todo node(by: NodeBy!): Node nodes(ids: [ID!]!): [Node!]! seat(row: ID, number: Int): Seat
      count(id: ID): Int seats(row: ID, numbers: [Int!], ids: [ID!]): [Seat!]
    }
    interface Node { id: ID! }
    type Todo implements Node { id: ID! }
    type Seat { row: ID! number: Int! next(number: Int!): Seat }
    input NodeBy { id: ID key: NodeKey }
    input NodeKey { value: ID! }

    """

  private static func generator(
    _ schema: String,
    document: String = "query A { todo(id: 1) { id } seat { row number } nodes(ids: []) { id } }",
    json: String = #"{"normalizedCache": true}"#
  ) throws -> Generator {
    Generator(
      schema: [try SourceFile(path: "schema.graphqls", parsing: types + schema)],
      documents: [try SourceFile(path: "a.graphql", parsing: document)],
      configuration: try GenerationConfiguration(parsing: json, path: "weir.json"))
  }

  /// The declarations of fields in the generated configuration, as text.
  private static func fields(_ generator: Generator) throws -> [String] {
    #expect(generator.findings == [])
    let file = try #require(generator.files.first { $0.name == "WeirCache.swift" })
    return file.text.split(separator: "\n").filter { $0.contains("configuration.fields") }
      .map { String($0.drop { $0 == " " }.dropFirst("configuration.fields".count)) }
  }

  @Test(
    "A field policy becomes a redirect (G9)",
    arguments: [
      (
        #"(forField: "todo", keyArgs: "id")"#,
        #"["Query.todo"] = .redirecting(to: "Todo", idFrom: "id")"#
      ),
      (
        #"(forField: "node", keyArgs: "by.id")"#,
        #"["Query.node"] = .redirecting(to: "Node", idFrom: "by.id")"#
      ),
      (
        #"(forField: "node", keyArgs: "by.key.value")"#,
        #"["Query.node"] = .redirecting(to: "Node", idFrom: "by.key.value")"#
      ),
      (
        #"(forField: "nodes", keyArgs: "ids")"#,
        #"["Query.nodes"] = .redirecting(to: "Node", idFrom: "ids")"#
      ),
      (
        #"(forField: "seat", keyArgs: "row number")"#,
        #"["Query.seat"] = .redirecting(to: "Seat", idsFrom: ["row", "number"])"#
      ),
    ])
  func redirects(_ policy: String, _ line: String) throws {
    #expect(try Self.fields(Self.generator("extend type Query @fieldPolicy\(policy)")) == [line])
  }

  @Test("Policies of several fields and types are declared, if documents use the type (G9)")
  func several() throws {
    let policies = #"""
      extend type Query @fieldPolicy(forField: "todo", keyArgs: "id")
      extend type Query @fieldPolicy(forField: "nodes", keyArgs: "ids")
      extend type Seat @fieldPolicy(forField: "next", keyArgs: "number")
      """#
    #expect(try Self.fields(Self.generator(policies)).count == 3)
    let todo = try Self.generator(policies, document: "query A { todo(id: 1) { id } }")
    #expect(try Self.fields(todo).count == 1)
    let plain = try Self.generator(policies, json: "{}")
    #expect(try Self.fields(plain) == [])
  }

  @Test(
    "A mistake in a field policy is an error at its place (G7)",
    arguments: [
      (
        #"(forField: "tdo", keyArgs: "id")"#,
        #"The type "Query" has no field "tdo" for its policy. Did you mean "todo"?"#
      ),
      (
        #"(forField: "todo", keyArgs: "ID")"#,
        #"The field "Query.todo" has no argument "ID". Did you mean "id"?"#
      ),
      (
        #"(forField: "node", keyArgs: "by.idd")"#,
        #"The input object "NodeBy" has no field "idd". Did you mean "id"?"#
      ),
    ])
  func mistakes(_ policy: String, _ message: String) throws {
    let policy = "extend type Query @fieldPolicy\(policy)"
    let findings = try Self.generator(policy).findings.map(\.description)
    #expect(findings == ["schema.graphqls:10:19: error: \(message)"])
    #expect(try Self.generator(policy, json: "{}").findings.isEmpty)
  }

  @Test(
    "A policy that does not fit is a warning, and becomes no redirect (G7, G9)",
    arguments: [
      (#"(forField: "node", keyArgs: "by")"#, #"The value of "by" is not read as a key"#),
      (#"(forField: "node", keyArgs: "by.id.x")"#, #"The path "by.id.x" leads through"#),
      (#"(forField: "count", keyArgs: "id")"#, #"The field "Query.count" is not redirected"#),
      (#"(forField: "seats", keyArgs: "row numbers")"#, #"The value of "numbers" is not read"#),
      (#"(forField: "seats", keyArgs: "row")"#, #"The value of "row" is not read as a key"#),
      (#"(forField: "seat", keyArgs: "row")"#, nil),
      (#"(forField: "todo", keyArgs: "many")"#, #"The value of "many" is not read as a key"#),
    ])
  func unfit(_ policy: String, _ message: String?) throws {
    let generator = try Self.generator("extend type Query @fieldPolicy\(policy)")
    let findings = generator.findings.map(\.description)
    #expect(findings.count == (message == nil ? 0 : 1))
    if let message {
      #expect(findings.first?.hasPrefix("schema.graphqls:10:19: warning: \(message)") == true)
    }
    let file = generator.files.first { $0.name == "WeirCache.swift" }
    #expect(file?.text.contains(".redirecting") == (message == nil))
  }

  @Test("An argument of a policy that is not read is a warning at its place (G7)")
  func unread() throws {
    let policies = #"""
      extend type Query @fieldPolicy(forField: "nodes", paginationMode: "cursor")
      extend type Seat @typePolicy(keyFields: "row number", connectionFields: "next")
      """#
    let findings = try Self.generator(policies).findings.map(\.description)
    #expect(
      findings == [
        #"schema.graphqls:10:19: warning: The argument "paginationMode" of "@fieldPolicy" is not read. Declare pages in Swift: configuration.fields["Query.nodes"] = .connection()"#,
        #"schema.graphqls:11:18: warning: The argument "connectionFields" of "@typePolicy" is not read. Declare pages in Swift: configuration.fields["Seat.next"] = .connection()"#,
      ])
    #expect(try Self.generator(policies, json: "{}").findings.isEmpty)
  }
}
