import TestSupport
import Testing
import Weir
@testable import WeirNormalized
import WeirTesting

/// One object that a response shows with its id in one place, and without it in another (N2.3).
@Suite(.timeLimit(.minutes(10)))
struct MixedKeyTests {
  private static let author = #"{"__typename":"Author","id":"1","name":"x"}"#
  private static let keyless = #"{"__typename":"Author","name":"x","born":1990}"#

  private static func todo(_ members: String) -> String {
    #"{"__typename":"Todo","id":"1",\#(members)}"#
  }

  static let scripts: [Script] = [
    Script(
      "First with its id (N2.3)",
      [
        .write(
          "{ todo { id author { id name } } todos { id author { name born } } }",
          "{\"todo\":\(todo("\"author\":\(author)")),\"todos\":[\(todo("\"author\":\(keyless)"))]}"),
        .read(
          "{ todo { id author { id name } } todos { id author { name born } } }",
          #"{"todo":{"id":"1","author":{"id":"1","name":"x"}},"todos":[{"id":"1","author":{"name":"x","born":1990}}]}"#
        ),
        .write(
          "{ author { id name } }", #"{"author":{"__typename":"Author","id":"1","name":"y"}}"#),
        .read(
          "{ todos { author { name born } } }",
          #"{"todos":[{"author":{"name":"y","born":1990}}]}"#),
      ]),
    Script(
      "First without its id (N2.3)",
      [
        .write(
          "{ todos { id author { name born } } todo { id author { id name } } }",
          "{\"todos\":[\(todo("\"author\":\(keyless)"))],\"todo\":\(todo("\"author\":\(author)"))}"),
        .read(
          "{ todo { author { id name born } } }",
          #"{"todo":{"author":{"id":"1","name":"x","born":1990}}}"#),
      ]),
    Script(
      "In lists (N2.3)",
      [
        .write(
          "{ b { id l { born in { p } } } a { id l { id in { q } } } }",
          #"{"b":{"__typename":"T","id":"1","l":[null,{"__typename":"A","born":1,"in":{"__typename":"N","p":1}}]},"a":{"__typename":"T","id":"1","l":[null,{"__typename":"A","id":"7","in":{"__typename":"N","q":2}}]}}"#
        ),
        .read(
          "{ a { l { id born in { p q } } } }",
          #"{"a":{"l":[null,{"id":"7","born":1,"in":{"p":1,"q":2}}]}}"#),
        .write(
          "{ a { id l { id in { q } } } b { id l { born in { p } } } }",
          #"{"a":{"__typename":"T","id":"1","l":[{"__typename":"A","id":"8","in":{"__typename":"N","q":2}}]},"b":{"__typename":"T","id":"1","l":[{"__typename":"A","born":1,"in":{"__typename":"N","p":1}}]}}"#
        ),
        .read(
          "{ a { l { id born in { p q } } } }",
          #"{"a":{"l":[{"id":"8","born":1,"in":{"p":1,"q":2}}]}}"#),
      ]),
    Script(
      "Under an alias, before and after (N2.3)",
      [
        .write(
          "{ x: t { v } y: t { id } z: t { w } }",
          #"{"x":{"__typename":"T","v":1},"y":{"__typename":"T","id":"1"},"z":{"__typename":"T","w":2}}"#
        ),
        .read("{ t { id v w } }", #"{"t":{"id":"1","v":1,"w":2}}"#),
      ]),
    Script(
      "Within a nested object that is selected in both ways itself (N2.3)",
      [
        .write(
          "{ b { id o { v o { w } } } a { id o { id o { id } } } }",
          #"{"b":{"__typename":"T","id":"1","o":{"__typename":"T","v":1,"o":{"__typename":"T","w":2}}},"a":{"__typename":"T","id":"1","o":{"__typename":"T","id":"2","o":{"__typename":"T","id":"3"}}}}"#
        ),
        .read(
          "{ a { o { id v o { id w } } } }", #"{"a":{"o":{"id":"2","v":1,"o":{"id":"3","w":2}}}}"#),
      ]),
    Script(
      "Within its own field (N2.3)",
      [
        .answer(
          "{ a { id o { v b { id o { id } } } } }",
          #"{"a":{"__typename":"T","id":"1","o":{"__typename":"O","v":1,"b":{"__typename":"T","id":"1","o":{"__typename":"O","id":"2"}}}}}"#,
          nulled: []),
        .read("{ a { o { id v b { id } } } }", #"{"a":{"o":{"id":"2","v":1,"b":{"id":"1"}}}}"#),
      ]),
    Script(
      "A condition that does not hold selects the id (N2.3)",
      [
        .write(
          "{ a { id o { ... on S { id } v } } b { id o { id } } }",
          #"{"a":{"__typename":"T","id":"1","o":{"__typename":"O","v":1}},"b":{"__typename":"T","id":"1","o":{"__typename":"O","id":"2"}}}"#
        ),
        .read("{ a { o { id v } } }", #"{"a":{"o":{"id":"2","v":1}}}"#),
      ]),
    Script(
      "A key of another name (N2.3)",
      [
        .write(
          "{ a { id o { v } } b { id o { ...C } } } fragment C on O { x: code }",
          #"{"a":{"__typename":"T","id":"1","o":{"__typename":"O","v":1}},"b":{"__typename":"T","id":"1","o":{"__typename":"O","x":"2"}}}"#
        ),
        .read("{ a { o { code v } } }", #"{"a":{"o":{"code":"2","v":1}}}"#),
      ], configure: { $0.keys["O"] = .field("code") }),
    Script(
      "A key that a closure makes (N2.3)",
      [
        .write(
          "{ a { id o { v } } b { id o { code } } }",
          #"{"a":{"__typename":"T","id":"1","o":{"__typename":"O","v":1}},"b":{"__typename":"T","id":"1","o":{"__typename":"O","code":"2"}}}"#
        ),
        .read("{ a { o { code v } } }", #"{"a":{"o":{"code":"2","v":1}}}"#),
      ], configure: { $0.keys["O"] = .computed { $0["code"]?.string } }),
    Script(
      "A later response without the id may show another object (N1.6)",
      [
        .write(
          "{ a { id o { id v } } }",
          #"{"a":{"__typename":"T","id":"1","o":{"__typename":"O","id":"2","v":1}}}"#),
        .write(
          "{ a { id o { w } } }", #"{"a":{"__typename":"T","id":"1","o":{"__typename":"O","w":5}}}"#
        ),
        .miss("{ a { o { v } } }"), .miss("{ a { o { id } } }"),
        .read("{ a { o { w } } }", #"{"a":{"o":{"w":5}}}"#),
      ]),
  ]

  @Test("An object with and without its id in one response is one object", arguments: scripts)
  func mixed(_ script: Script) async throws { try await script.run() }

  @Test("Watches of an object with and without its id settle (N4.4)", arguments: [false, true])
  func watches(isReversed: Bool) async throws {
    let parts = [
      ("todo { id author { id name } }", "\"todo\":" + Self.todo("\"author\":\(Self.author)")),
      (
        "todos { id author { name born } }",
        "\"todos\":[" + Self.todo("\"author\":\(Self.keyless)") + "]"
      ),
    ]
    let (first, second) = isReversed ? (parts[1], parts[0]) : (parts[0], parts[1])
    let query = GraphQLOperation(GraphQLDocument("{ \(first.0) \(second.0) }"))
    let server = ScriptedExchange.immediate { _ in .data("{\(first.1),\(second.1)}") }
    let store = NormalizedStore()
    let client = GraphQLClient([.dedup, .normalizedCache(store), server])
    #expect(await client.query(query).outcome == .miss)
    #expect(await client.query(query).outcome == .hit)
    await Self.settle(client, query, store, server, within: 1)
    #expect(server.operations.count == 1)
  }

  @Test("Watches whose own responses leave them incomplete settle (N4.4)")
  func contradiction() async throws {
    // The server gives one object two types.
    let server = ScriptedExchange.immediate { _ in
      .data(
        #"{"a":{"__typename":"T","id":"1","o":{"__typename":"O","v":1}},"b":{"__typename":"T","id":"1","o":{"__typename":"P","w":2}}}"#
      )
    }
    let store = NormalizedStore()
    let client = GraphQLClient([.dedup, .normalizedCache(store), server])
    let query = GraphQLOperation("{ a { id o { v } } b { id o { w } } }")
    await Self.settle(client, query, store, server, within: 4)
    #expect(server.operations.count <= 4)
  }

  /// Watches a query twice, until both watches wait or have sent more requests than they may. Nothing
  /// wakes them then: only their own requests change the store.
  private static func settle(
    _ client: GraphQLClient, _ query: GraphQLOperation, _ store: NormalizedStore,
    _ server: ScriptedExchange, within requestCount: Int
  ) async {
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<2 {
        group.addTask { for await _ in client.watch(query) {} }
      }
      func waiterCount() -> Int {
        store.state.withLock { $0.results[query.identity]?.source.waiterCount } ?? 0
      }
      await eventually { waiterCount() >= 2 || server.operations.count > requestCount }
      group.cancelAll()
    }
  }
}
