import Testing
import Weir
import WeirSupport
import WeirTesting

@Suite("weir schema fetch", .timeLimit(.minutes(10)))
struct SchemaFetchTests {
  private static let sdl = """
    directive @owner(name: String) repeatable on OBJECT
    type Query { b(old: Int @deprecated, by: By): Url a: Int }
    scalar Url @specifiedBy(url: "https://example.com")
    input By @oneOf { id: ID name: String }
    """
  private static let sorted = """
    directive @owner(name: String) repeatable on OBJECT

    input By @oneOf {
      id: ID
      name: String
    }

    type Query {
      a: Int
      b(old: Int @deprecated, by: By): Url
    }

    scalar Url @specifiedBy(url: "https://example.com")
    """

  /// A server that does not know some words of an introspection query.
  private struct OldServer: HTTPTransport {
    let server: LocalServer
    let unknown: [String]
    let seen = Locked([HTTPRequest]())

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
      seen.withLock { $0.append(request) }
      let text = String(decoding: request.body, as: UTF8.self).replacing(/\\n */, with: " ")
      if unknown.contains(where: text.contains) {
        return HTTPResponse(
          status: 400, headers: ["content-type": "application/graphql-response+json"],
          body: HTTPBody(Array(#"{"errors":[{"message":"Cannot query field."}]}"#.utf8)))
      }
      return try await server.send(request)
    }
  }

  @Test("The schema of a server is written sorted, with the headers in the request only (T4)")
  func fetch() async throws {
    let workspace = try Workspace()
    let transport = OldServer(server: try LocalServer(schema: Self.sdl), unknown: [])
    let run = await workspace.run(
      "schema", "fetch", "https://user:word@example.com/graphql?key=hidden", "--header",
      "X-Team: blue", "--header-env", "Authorization=TOKEN", "-o", "schema.graphqls",
      variables: ["TOKEN": "Bearer secret"], transport: transport)
    #expect(run.code == 0)
    #expect(run.output == [] && run.diagnostics == [])
    #expect(workspace["schema.graphqls"] == Self.sorted + "\n")
    let requests = transport.seen.withLock { $0 }
    #expect(requests.count == 1)
    #expect(requests.first?.headers["x-team"] == "blue")
    #expect(requests.first?.headers["authorization"] == "Bearer secret")
  }

  private static let url = " @specifiedBy(url: \"https://example.com\")"
  private static let deprecated = "old: Int @deprecated, "

  @Test(
    "An older server is asked with an older query, for all that it knows (T4)",
    arguments: [
      (["isOneOf"], 2, []), (["isOneOf", "locations args(includeDeprecated"], 3, []),
      (["isOneOf", "specifiedByURL"], 4, [url]),
      (["isOneOf", "args(includeDeprecated"], 5, [deprecated]),
      (["isOneOf", "args(includeDeprecated", "specifiedByURL"], 6, [deprecated, url]),
      (["isOneOf", "isRepeatable"], 7, [deprecated, url, " repeatable"]),
    ])
  func older(unknown: [String], count: Int, lost: [String]) async throws {
    let workspace = try Workspace()
    let transport = OldServer(server: try LocalServer(schema: Self.sdl), unknown: unknown)
    let run = await workspace.run(
      "schema", "fetch", "https://example.com/graphql", transport: transport)
    #expect(run.code == 0)
    #expect(transport.seen.withLock { $0.count } == count)
    let expected = (lost + [" @oneOf"]).reduce(Self.sorted) { $0.replacing($1, with: "") }
    #expect(run.output == [expected])
  }

  @Test("A failure names the server, the reason, and no secret (T4)")
  func failures() async throws {
    let workspace = try Workspace()
    let server = try LocalServer(schema: Self.sdl)
    server.fail(.status(401), times: 1)
    let run = await workspace.run(
      "schema", "fetch", "https://user:word@example.com/graphql?key=hidden", "--header-env",
      "Authorization=TOKEN", variables: ["TOKEN": "Bearer secret"], transport: server)
    #expect(run.code == 3)
    #expect(server.requestCount == 1)
    #expect(run.diagnostics.count == 1)
    #expect(run.diagnostics[0].hasPrefix("example.com: error: The schema cannot be fetched. "))
    for secret in ["word", "hidden", "secret"] {
      #expect(!run.diagnostics[0].contains(secret))
    }
  }

  @Test("A schema that the server answered in part, with errors, is not written (T4)")
  func partial() async throws {
    struct PartialServer: HTTPTransport {
      func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        let text = """
          {"data": {"__schema": {"queryType": {"name": "Query"}, "types": [
            {"kind": "OBJECT", "name": "Query", "fields": [
              {"name": "book", "args": [], "type": {"kind": "OBJECT", "name": "Book"}}]},
            {"kind": "OBJECT", "name": "Book", "fields": null}]}},
            "errors": [{"message": "Timed out", "path": ["__schema", "types", 1, "fields"]}]}
          """
        return HTTPResponse(
          status: 200, headers: ["content-type": "application/json"],
          body: HTTPBody(Array(text.utf8)))
      }
    }
    let workspace = try Workspace(["schema.graphqls": Self.sdl])
    let run = await workspace.run(
      "schema", "fetch", "https://example.com/graphql", "-o", "schema.graphqls",
      transport: PartialServer())
    #expect(run.code == 3)
    #expect(run.diagnostics.count == 1)
    #expect(run.diagnostics.first?.contains("Timed out") == true)
    #expect(workspace["schema.graphqls"] == Self.sdl)
  }

  @Test(
    "Wrong arguments are errors that do not repeat a header (T4)",
    arguments: [
      (["--header", "Bearer secret"], "error: Write --header 'NAME: VALUE'."),
      (["--header-env", "A=MISSING"], "error: The environment variable MISSING is not set."),
    ])
  func arguments(options: [String], message: String) async throws {
    let run = try await Workspace().run(
      "schema", "fetch", "https://example.com", options[0], options[1])
    #expect(run.code == 2)
    #expect(run.diagnostics == [message])
    #expect(try await Workspace().run("schema", "fetch", "example.com").code == 2)
  }
}
