import Testing
import Weir
import WeirTesting

@Suite("Tags that resemble other names", .timeLimit(.minutes(10)))
struct TagTests {
  private static let posts = "query Posts { posts { id title } }"
  private static func server() -> (ScriptedExchange, Board<Bool>) {
    let isEmpty = Board(true)
    let fetches = Counter()
    let server = ScriptedExchange.immediate { operation in
      guard operation.kind == .query else { return updated }
      let number = fetches.next()
      return isEmpty.value
        ? .data(#"{"posts":[]}"#)
        : .data(#"{"posts":[{"id":"\#(number)","title":"t","__typename":"Post"}]}"#)
    }
    return (server, isEmpty)
  }

  /// The cache learns from any response what a field returns. A tag that is spelled like the field
  /// must not be confused with it.
  @Test("A tag counts whatever its name is (C2)", arguments: ["Query.posts", "", "*", "Post"])
  func tagNamedLikeField(tag: String) async {
    let (server, isEmpty) = Self.server()
    let client = GraphQLClient([.dedup, .documentCache, server])
    let tagged = GraphQLOperation(GraphQLDocument(Self.posts)).with {
      $0.additionalTypenames = [tag]
    }
    _ = await client.query(tagged)
    isEmpty.update { $0 = false }
    _ = await client.query(GraphQLOperation("query Other { posts { id title __typename } }"))
    _ = await client.query(GraphQLOperation("query More { posts { id } }"))
    client.invalidate(types: tag)
    #expect(client.peek(tagged) == nil)
    _ = await client.query(tagged)
    client.invalidate(types: tag)
    #expect(client.peek(tagged) == nil)
    // Slots are reused and hold the right entries.
    for id in 0..<8 { _ = await client.query(postQuery("\(id)")) }
    client.invalidate(types: tag)
    _ = await client.query(tagged)
    #expect(client.peek(tagged)?.data?["posts"]?.count == 1)
  }
}
