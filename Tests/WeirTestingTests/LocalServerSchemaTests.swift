import TestSupport
import Testing
import Weir
import WeirTesting

@Suite("A local server without a schema, and mistakes in one", .timeLimit(.minutes(10)))
struct LocalServerSchemaTests {
  @Test(
    "Without a schema, the form of the data decides",
    arguments: [
      (
        "{ post(id: 3) { id __typename ... on User { name } } }",
        #"{"data":{"post":{"id":3,"__typename":"Post"}}}"#
      ),
      (
        "{ things { a __typename } }",
        #"{"data":{"things":[{"a":1,"__typename":null},{"a":null,"__typename":null},null]}}"#
      ),
      ("{ things }", #"{"data":{"things":[{"a":1},{},null]}}"#),
      (
        "{ ...Feed } fragment Feed on query_root { post(id: 3) { id } __typename }",
        #"{"data":{"post":{"id":3},"__typename":"Query"}}"#
      ),
      (
        "{ nope }",
        #"{"errors":[{"message":"Cannot query field \"nope\" on type \"Query\".","locations":[{"line":1,"column":3}]}]}"#
      ),
    ])
  func schemaless(query: String, answer: String) async {
    let server = LocalServer {
      $0.query("post") { .object("Post", ["id": .value($0["id"]), "name": "hidden"]) }
      $0.query("things") { _ in [["a": 1], [:], nil] }
    }
    #expect(await server.answer(query) == answer)
  }

  @Test("Without a schema, a fragment may name the root of a subscription as it likes")
  func subscriptionRoot() async {
    let server = LocalServer {
      $0.subscription("counted") { _ in
        AsyncStream { continuation in
          continuation.yield(["number": 1] as JSONValue)
          continuation.finish()
        }
      }
    }
    let client = GraphQLClient([.fetch(from: server)])
    let operation = GraphQLOperation(
      "subscription S { ...C } fragment C on subscription_root { counted { number } }")
    var numbers: [Int64?] = []
    for await result in client.results(of: operation) {
      numbers.append(result.data?["counted"]?["number"]?.int)
    }
    #expect(numbers == [1])
  }

  @Test(
    "Introspection contains the scalars of the specification that the schema uses, and no other")
  func scalars() async throws {
    func names(_ sdl: String) async throws -> [String?] {
      let answer = try await LocalServer(schema: sdl).execute(
        "{ __schema { types { name kind } } }")
      let types = answer["data"]?["__schema"]?["types"]
      return (types?.elements.filter { $0["kind"]?.string == "SCALAR" } ?? []).map {
        $0["name"]?.string
      }
    }
    #expect(try await names("type Query { a: String }") == ["Boolean", "String"])
    #expect(
      try await names("type Query { a(b: [ID!]): String } scalar Url") == [
        "Url", "Boolean", "ID", "String",
      ])
    #expect(
      try await names(
        "type Query { a(b: B): Url } scalar Url input B { c: Float } directive @d(e: Int) on FIELD")
        == ["Url", "Boolean", "Float", "Int", "String"])
    let server = try LocalServer(schema: "type Query { a: String }")
    #expect(
      await server.answer(
        #"{ a: __type(name: "Float") { name } b: __type(name: "Boolean") { name } }"#)
        == #"{"data":{"a":null,"b":{"name":"Boolean"}}}"#)
  }

  @Test(
    "An invalid schema or a resolver for a missing field is an error at once",
    arguments: [
      ("type Query {", "line 1, column 13"),
      ("type Query { a: Nope }", #"schema:1:17: error: Unknown type "Nope"."#),
      ("type Thing { a: Int }", "Query root type must be provided"),
      ("type Query { a(x: Query): Int }", "Query.a(x:)"),
      ("type Query { b: Int }", "Query.a"),
      ("type Query { a(x: A = {}): Int } input A { b: A = {} }", "default value"),
      ("{ a }", "an operation"),
    ])
  func badSchema(sdl: String, message: String) {
    let error = #expect(throws: LocalServerError.self) {
      try LocalServer(schema: sdl) { $0.query("a") { _ in 1 } }
    }
    #expect(error?.message.contains(message) == true)
  }

  @Test("The objects of a resolver that is replaced are released without a lock")
  func releasedResolver() throws {
    let notes = Locked<[Bool]>([])
    let server = LocalServer { _ in }
    try server.update {
      let probe = ReleaseProbe {
        _ = server.requestCount
      } note: { isFree in
        notes.withLock { $0.append(isFree) }
      }
      $0.query("a") { _ in withExtendedLifetime(probe) { 1 } }
    }
    #expect(notes.withLock(\.self) == [])
    try server.update { $0.query("a") { _ in 2 } }
    #expect(notes.withLock(\.self) == [true])
  }

  @Test("Resolvers can be replaced at run time, root types renamed, and types extended")
  func update() async throws {
    let server = try LocalServer(
      schema: "schema { query: Root } type Root { a: Int } extend type Root { b: Int }"
    ) { $0.query("b") { _ in 1 } }
    #expect(await server.answer("{ b __typename }") == #"{"data":{"b":1,"__typename":"Root"}}"#)
    try server.update { $0.query("b") { _ in 2 } }
    #expect(await server.answer("{ b }") == #"{"data":{"b":2}}"#)
    #expect(throws: LocalServerError.self) { try server.update { $0.query("c") { _ in 2 } } }
    #expect(await server.answer("mutation { c }").contains("has no mutation type"))
  }
}
