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
}
