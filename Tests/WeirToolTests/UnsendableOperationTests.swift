import Testing

@Suite("weir validate: operations that the client refuses", .timeLimit(.minutes(10)))
struct UnsendableOperationTests {
  /// A selection of `a` within `a`, and so on, around another one.
  private static func nested(_ levels: Int, around inner: String) -> String {
    String(repeating: "a { ", count: levels) + inner + String(repeating: " }", count: levels)
  }

  private static func workspace(levels: Int) throws -> Workspace {
    try Workspace([
      "s.graphqls": "type Query { a: A! } type A { id: ID! a: A! }",
      "A.graphql": "query Short { a { id } }\n\nquery Deep { a { ...First } }\n",
      "F.graphql": """
      fragment First on A { \(nested(levels, around: "...Second")) }
      fragment Second on A { \(nested(levels, around: "...Third")) }
      fragment Third on A { \(nested(levels, around: "id")) }
      """,
    ])
  }

  @Test("An operation that nests too deeply with its fragments is an error at its place (T7)")
  func depth() async throws {
    #expect(await (try Self.workspace(levels: 60)).run("validate").code == 0)
    let run = await (try Self.workspace(levels: 70)).run("validate")
    #expect(run.code == 1)
    #expect(run.diagnostics.count == 1)
    #expect(
      run.diagnostics.first?.hasPrefix("A.graphql:3:1: error: The operation cannot be sent: ")
        == true, "\(run.diagnostics)")
  }
}
