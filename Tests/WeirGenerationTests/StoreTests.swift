import Testing
import Weir
import WeirNormalized
import WeirTesting

@Suite("Generated types and a normalized store", .timeLimit(.minutes(10)))
struct StoreTests {
  private let store = NormalizedStore()
  private let all = Posts(withAuthor: true)

  private func client() throws -> GraphQLClient {
    GraphQLClient([.dedup, .normalizedCache(store), .fetch(from: try blogServer())])
  }

  @Test("A fragment reads and changes one entity (G5)")
  func fragment() async throws {
    let client = try client()
    _ = try await client.query(all).get()
    let post = Entity("Post", id: "1")
    #expect(try store.read(PostRow.self, of: post)?.title == "Hello")
    try store.update(PostRow.self, of: post) { $0.title = "X" }
    let data = try #require(client.peek(all)?.data)
    #expect(data.posts.map(\.postRow.title) == ["X", "Exchanges"])
    #expect(data.posts[0].byline?.title == "X")
    #expect(try store.read(PostRow.self, of: Entity("Post", id: "9")) == nil)
  }

  @Test(
    "If fragments show the same field, changing one of them is enough, and both are an error (G5)")
  func overlap() async throws {
    let client = try client()
    _ = try await client.query(all).get()
    try store.update(all) { $0.posts[0].byline?.title = "Y" }
    #expect(try store.read(all)?.posts.map(\.postRow.title) == ["Y", "Exchanges"])
    let error = #expect(throws: StoreError.self) {
      try store.update(all) {
        $0.posts[0].byline?.title = "A"
        $0.posts[0].postRow.title = "B"
      }
    }
    #expect(error?.code == .conflictingParts)
    #expect(try store.read(all)?.posts[0].postRow.title == "Y")
  }

  @Test("An update adds and removes elements without help for the names of types (G5)")
  func lists() async throws {
    let client = try client()
    _ = try await client.query(all).get()
    try store.update { transaction in
      try transaction.update(all) { data in
        data.posts.removeLast()
        data.posts.append(
          .init(
            postRow: .init(id: "3", title: "New", genre: .fiction), tags: ["c"],
            byline: .init(title: "New")))
      }
    }
    #expect(try store.read(all)?.posts.map(\.postRow.id) == ["1", "3"])
    #expect(client.peek(all)?.data?.posts.count == 2)
  }

  @Test("An optimistic result of a generated type is shown until the server's arrives (G5)")
  func optimistic() async throws {
    let gate = Gate()
    let server = try blogServer()
    let held = InlineExchange { operation, forward in
      guard operation.kind == .mutation else { return forward(operation) }
      return ResultStream { yield in
        await gate.pass()
        await yield.all(forward(operation))
      }
    }
    let client = GraphQLClient([.normalizedCache(store), held, .fetch(from: server)])
    _ = try await client.query(all).get()
    var watch = store.watch(all).makeAsyncIterator()
    #expect(try await watch.next()??.posts[0].postRow.title == "Hello")
    async let renamed = client.mutate(
      Rename(id: "1", title: "Real"),
      optimistic: .init(rename: .init(id: "1", title: "Soon", genre: .fiction)))
    #expect(try await watch.next()??.posts[0].postRow.title == "Soon")
    gate.open()
    #expect(await renamed.data?.rename?.title == "Real")
    #expect(try await watch.next()??.posts[0].postRow.title == "Real")
  }
}
