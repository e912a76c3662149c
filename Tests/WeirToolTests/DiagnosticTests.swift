import Testing
import Weir
import WeirTesting

@Suite("The form of diagnostics", .timeLimit(.minutes(10)))
struct DiagnosticTests {
  @Test("A text of the schema begins no line of its own, and does not control the terminal (T1)")
  func oneLine() async throws {
    let reason = #""old\n/src/Main.swift:1:1: error: injected \u001b[31mred""#
    let workspace = try Workspace([
      "s.graphqls": "type Query { a: Int @deprecated(reason: \(reason)) }",
      "A.graphql": "query A { a }",
    ])
    let run = await workspace.run("validate")
    #expect(
      run.diagnostics == [
        #"A.graphql:1:11: warning: The field Query.a is deprecated. old\n/src/Main.swift:1:1: error: "#
          + #"injected \u001b[31mred [deprecated]"#
      ])
    let strict = await workspace.run("validate", "--strict")
    #expect(strict.diagnostics == run.diagnostics)
    let json = await workspace.run("validate", "--diagnostics", "json")
    #expect(json.diagnostics.first?.contains(#"old\n/src"#) == true)
  }

  @Test("A place that belongs to a finding still has a line of its own (T1)")
  func related() async throws {
    let workspace = try Workspace.project(["Z.graphql": "query Titles { books { id } }"])
    let run = await workspace.run("validate")
    #expect(run.code == 1)
    #expect(run.diagnostics.joined().contains("\nZ.graphql:1:7: note: See also here."))
  }

  @Test("Columns are bytes in text and UTF-16 code units in JSON, whoever finds the mistake (V5)")
  func columns() async throws {
    let workspace = try Workspace([
      "s.graphqls": "type Query { a(b: String): Int }",
      "A.graphql": #"query A { a(b: "é😀") } query A { a }"#,
    ])
    func last(_ arguments: String...) async -> String {
      await workspace.run(["validate"] + arguments).diagnostics.last ?? ""
    }
    #expect(await last().hasPrefix("A.graphql:1:28: error: The Swift type"))
    #expect(await last("--diagnostics", "json").contains("\"column\":25,"))
    try workspace.write(#"query A { a(b: "é😀") ! }"#, to: "A.graphql")
    #expect(await last() == #"A.graphql:1:26: error: Expected Name, found "!"."#)
    #expect(await last("--diagnostics", "json").contains("\"column\":23,"))
  }

  @Test("A text of a server begins no line of its own (T4)")
  func server() async throws {
    let workspace = try Workspace()
    let run = await workspace.run(
      "schema", "fetch", "https://example.com", transport: Refusing())
    #expect(run.code == 3)
    #expect(run.diagnostics.count == 1)
    #expect(run.diagnostics[0].contains(#"no\nA.swift:1:1: error: injected\u009b"#))
  }

  /// A server whose error has control characters.
  private struct Refusing: HTTPTransport {
    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
      let text = #"{"errors":[{"message":"no\nA.swift:1:1: error: injected\u009b"}]}"#
      return HTTPResponse(
        status: 200, headers: ["content-type": "application/graphql-response+json"],
        body: HTTPBody(Array(text.utf8)))
    }
  }

  @Test("A quiet run shows no warnings beside an error either (T1)")
  func quiet() async throws {
    let workspace = try Workspace.project([
      "Feed/Old.graphql": "query Old { books { genre } }", "Feed/Wrong.graphql": "query W { no }",
    ])
    let loud = await workspace.run("generate")
    #expect(loud.diagnostics.contains { $0.contains(": warning: ") })
    let run = await workspace.run("generate", "--quiet")
    #expect(run.code == 1)
    #expect(run.diagnostics.count == 1)
    #expect(run.diagnostics.first?.hasPrefix("Feed/Wrong.graphql:1:11: error: ") == true)
  }

  @Test(
    "An empty value is a mistake in the arguments, not the current folder (T8)",
    arguments: [
      (["generate", "--output", ""], "error: --output needs a value: --output DIR."),
      (["generate", "--output="], "error: --output needs a value: --output DIR."),
      (["validate", "--root", ""], "error: --root needs a value: --root DIR."),
      (["manifest", "-o", ""], "error: -o needs a value: -o FILE."),
      (["format", ""], "error: An argument is empty."),
      (["format", "--", ""], "error: An argument is empty."),
    ])
  func empty(arguments: [String], message: String) async throws {
    let run = try await Workspace.project().run(arguments)
    #expect(run.code == 2)
    #expect(run.diagnostics == [message])
  }
}
