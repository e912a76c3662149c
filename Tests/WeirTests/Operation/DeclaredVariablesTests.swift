import Testing
import WeirTesting

@testable import Weir

@Suite("Declared and given variables", .timeLimit(.minutes(10)))
struct DeclaredVariablesTests {
  private let diagnostics = Locked<[ClientDiagnostic]>([])
  private let server = ScriptedExchange.immediate { _ in .data(#"{"a":1}"#) }

  private var client: GraphQLClient {
    var configuration = ClientConfiguration()
    configuration.onDiagnostic = { [diagnostics] diagnostic in
      diagnostics.withLock { $0.append(diagnostic) }
    }
    return GraphQLClient([.dedup, .documentCache, server], configuration: configuration)
  }

  private let document: GraphQLDocument =
    "query Search($text: String!, $first: Int! = 10, $tags: [String!]) { a }"

  @Test(
    "An operation without a required variable fails before it is sent (Q1)",
    arguments: [JSONValue.object([:]), ["first": 5, "tags": ["text"]], ["nested": ["text": "a"]]])
  func absent(_ variables: JSONValue) async throws {
    let operation = GraphQLOperation(document, variables: variables)
    let error = try #require(await client.query(operation).error)
    #expect(error.code == .variables)
    #expect(
      error.message
        == "The query Search requires a value for $text of type String!. It was not sent.")
    #expect(client.peek(operation) == nil)
    #expect(server.operations.isEmpty)
  }

  @Test("Mutations and subscriptions without a required variable fail, too (Q1)")
  func otherKinds() async throws {
    let add = GraphQLOperation("mutation ($a: ID!, $b: [Int!]!) { a }", variables: ["c": 1])
    #expect(
      await client.mutate(add).error?.message
        == "The mutation requires a value for $a of type ID!, $b of type [Int!]!. It was not sent.")
    let changes = GraphQLOperation("subscription Changes($a: ID!) { a }")
    #expect(await client.subscribe(changes).all() == ["error"])
    #expect(server.operations.isEmpty)
  }

  @Test("Null, a default value and an optional type are not absent (Q1)")
  func present() async {
    let variables: [JSONValue] = [["text": nil], ["text": "}\",\\\"{"], ["tags": [], "text": "a"]]
    for variables in variables {
      #expect(await client.query(GraphQLOperation(document, variables: variables)).error == nil)
    }
    #expect(server.operations.count == 3)
    #expect(diagnostics.withLock { $0.isEmpty })
  }

  @Test("Undeclared variables are left out of key and request, and reported once (Q1)")
  func undeclared() async {
    let client = client
    let plain = GraphQLOperation(document, variables: ["text": "a", "first": 1])
    for extra: JSONValue in ["x", ["text": ["}", 1]], nil] {
      let operation = GraphQLOperation(
        document, variables: ["text": "a", "first": 1, "more": extra, "a\"b": extra])
      #expect(operation.key == plain.key && operation.variables == plain.variables)
      #expect(await client.query(operation).error == nil)
    }
    #expect(server.operations.count == 1)
    #expect(server.operations.first?.variables == plain.variables)
    let found = diagnostics.withLock { $0 }
    #expect(found.map(\.code) == [.variables])
    #expect(found.first?.message.hasPrefix("The query Search does not declare") == true)
  }

  @Test("A message about undeclared variables is short (Q1)")
  func manyUndeclared() async throws {
    var variables = JSONObject()
    for number in 0..<10_000 { variables["v\(number)"] = .int(Int64(number)) }
    variables[String(repeating: "a", count: 10_000)] = nil as JSONValue
    let operation = GraphQLOperation("{ a }", variables: .object(variables))
    #expect(await client.query(operation).error == nil)
    let message = try #require(diagnostics.withLock { $0.first?.message })
    #expect(message.utf8.count < 2_000)
    #expect(message.contains("and 9991 more. They"))
  }

  @Test(
    "Time grows with the declared and the given variables, not with their product (Q1)",
    .timeLimit(.minutes(10)))
  func manyDeclared() {
    let count = 50_000
    let declared = (0..<count).map { "$d\($0): Int" }.joined(separator: " ")
    let document = GraphQLDocument("query Many(\(declared)) { a }", maximumTokens: nil)
    var variables = JSONObject()
    for number in 0..<count { variables["d\(number)"] = 1 }
    let known = GraphQLOperation(document, variables: .object(variables))
    for number in 0..<count { variables["x\(number)"] = 2 }
    let operation = GraphQLOperation(document, variables: .object(variables))
    #expect(operation.key == known.key && operation.variables == known.variables)
  }

  @Test("Variables of a type of one's own are compared, too, and so are files (Q1)")
  func encoded() {
    struct Variables: Encodable, Sendable {
      var first: Int?
      var text: String?
      var other = 1
    }
    let operation = GraphQLOperation(document, variables: Variables(first: 1, text: "a"))
    #expect(String(decoding: operation.variables, as: UTF8.self) == #"{"first":1,"text":"a"}"#)
    let none = GraphQLOperation("{ a }", variables: Variables(first: 1))
    #expect(none.variables == GraphQLOperation("{ a }").variables)
    #expect(none.key == GraphQLOperation("{ a }").key)
    let file = GraphQLOperation("{ a }", uploads: ["file": Upload(bytes: [1], filename: "a")])
    #expect(file.key == none.key && file.uploads.isEmpty)
  }
}
