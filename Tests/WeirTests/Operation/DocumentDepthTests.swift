import Testing
import Weir
import WeirTesting

/// Documents whose fragments spread one another (K7).
@Suite("Fragments in fragments", .timeLimit(.minutes(10)))
struct DocumentDepthTests {
  private static func chain(_ count: Int, _ spread: (Int) -> String) -> GraphQLDocument {
    let fragments = (1..<count).map { "fragment F\($0) on Post { \(spread($0 + 1)) }" }
    return GraphQLDocument(
      "{ post { id ...F1 } } \(fragments.joined(separator: " ")) fragment F\(count) on Post { title }",
      maximumTokens: nil)
  }

  @Test("A chain of fragments of any length is executed or refused (K7)", arguments: [240, 8_000])
  func chain(count: Int) async {
    let operation = GraphQLOperation(Self.chain(count) { "...F\($0)" })
    let result = await GraphQLClient([.dedup, .documentCache, postServer()]).query(operation)
    #expect(result.title == (count < 250 ? "title 1" : nil))
    #expect(
      result.error?.message.contains("more than 250 levels deep") == (count < 250 ? nil : true))
  }

  @Test("A cycle of fragments of any length is refused (K7)", arguments: [1, 2, 200, 8_000])
  func cycle(count: Int) async {
    let fragments = (1...count).map { "fragment F\($0) on Post { ...F\($0 % count + 1) }" }
    let operation = GraphQLOperation(
      GraphQLDocument(
        "{ post { ...F1 } } " + fragments.joined(separator: " "), maximumTokens: nil))
    let result = await GraphQLClient([.dedup, .documentCache, postServer()]).query(operation)
    #expect(result.error?.code == .document)
  }

  @Test("Work grows with the document, however often fragments spread each other (K7)")
  func doubling() async {
    let operation = GraphQLOperation(
      Self.chain(60) { "...F\($0) ... on Post { ...F\($0) } ...F\($0) @include(if: true)" })
    let client = GraphQLClient([.dedup, .documentCache, postServer()])
    #expect(await client.query(operation).title == "title 1")
    #expect(client.peek(operation)?.title == "title 1")
  }

  @Test("Selections that a short document repeats very often are refused (K7)")
  func repetitions() async throws {
    let operation = GraphQLOperation(
      Self.tree(depth: 8, "x: b " + String(repeating: "x: c ", count: 4_000)))
    let client = GraphQLClient([.dedup, .documentCache, postServer()])
    let error = try #require(await client.query(operation).error)
    #expect(error.code == .document)
    #expect(error.message.contains("more than 1000000 selections"))
    #expect(GraphQLOperation(Self.tree(depth: 8, "x: b x: c x: c")).defect == nil)
  }

  /// A document whose selections are a binary tree with the same leaves everywhere.
  private static func tree(depth: Int, _ leaves: String) -> GraphQLDocument {
    let fragments = (0..<depth).map {
      "fragment E\($0) on T { a { ...E\($0 + 1) } b { ...E\($0 + 1) } }"
    }
    return GraphQLDocument(
      "{ ...E0 } \(fragments.joined(separator: " ")) fragment E\(depth) on T { \(leaves) }")
  }
}
