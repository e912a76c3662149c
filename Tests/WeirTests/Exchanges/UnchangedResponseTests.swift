import Foundation
import Testing
@testable import Weir
import WeirTesting

/// A response with the text of the one that the cache has is not parsed and decoded again.
@Suite("Responses that have not changed", .serialized, .timeLimit(.minutes(10)))
struct UnchangedResponseTests {
  /// Decoded data that counts how often it was decoded.
  private struct Titles: Decodable, Sendable {
    static let count = Locked(0)
    let title: String

    private enum CodingKeys: CodingKey { case post }
    private enum PostKeys: CodingKey { case title }

    init(from decoder: any Decoder) throws {
      Self.count.withLock { $0 += 1 }
      title = try decoder.container(keyedBy: CodingKeys.self)
        .nestedContainer(keyedBy: PostKeys.self, forKey: .post).decode(String.self, forKey: .title)
    }
  }

  private let title = Board("one")
  private let clock = ManualClock()

  private func client(
    with exchanges: [any Exchange] = [.dedup],
    _ configure: (inout DocumentCacheConfiguration) -> Void = { _ in }
  ) throws -> GraphQLClient {
    var configuration = DocumentCacheConfiguration()
    configure(&configuration)
    let transport = ScriptedTransport { [title] request in
      let isQuery = String(decoding: request.body, as: UTF8.self).contains("query Post")
      let field = isQuery ? "post" : "updatePost"
      return HTTPResponse(
        status: 200, headers: ["content-type": "application/json"],
        body: HTTPBody(
          Array(
            #"{"data":{"\#(field)":{"id":"1","title":"\#(title.value)","__typename":"Post"}}}"#.utf8
          )))
    }
    let url = try #require(URL(string: "https://example.org/graphql"))
    return GraphQLClient(
      exchanges
        + [DocumentCacheExchange(configuration, clock: clock), .fetch(url, transport: transport)])
  }

  @Test(
    "An unchanged response is neither parsed nor decoded again (C14)", arguments: [true, false])
  func reused(hasDedup: Bool) async throws {
    let client = try client(with: hasDedup ? [.dedup] : [])
    let first = TypedResult<Titles>(decoding: await client.query(postQuery()))
    let decoded = Titles.count.withLock { $0 }
    let second = TypedResult<Titles>(
      decoding: await client.query(postQuery(policy: .networkOnly)))
    #expect(second.untyped.data?.document === first.untyped.data?.document)
    #expect(second.data?.title == "one" && second.outcome == .miss)
    #expect(second.timing != first.timing)
    #expect(Titles.count.withLock { $0 } == decoded)

    title.update { $0 = "two" }
    let third = TypedResult<Titles>(
      decoding: await client.query(postQuery(policy: .networkOnly)))
    #expect(third.data?.title == "two")
    #expect(TypedResult<Titles>(decoding: await client.query(postQuery())).data?.title == "two")
    #expect(Titles.count.withLock { $0 } == decoded + 1)
  }

  @Test("An unchanged response renews the age of the result (C14)")
  func age() async throws {
    let client = try client { $0.timeToLive = .seconds(60) }
    _ = await client.query(postQuery())
    clock.advance(by: .seconds(50))
    _ = await client.query(postQuery(policy: .networkOnly))
    clock.advance(by: .seconds(50))
    #expect(await client.query(postQuery()).outcome == .hit)
    clock.advance(by: .seconds(50))
    #expect(await client.query(postQuery()).outcome == .miss)
  }

  @Test("A watch whose data is the same after a mutation is stale, then fresh again (C4, C14)")
  func watched() async throws {
    let client = try client()
    let watcher = Watcher(client.watch(postQuery()))
    #expect(await watcher.next(1) == ["one"])
    _ = await client.mutate(updatePost)
    #expect(await watcher.next(2) == ["one stale", "one"])
    title.update { $0 = "two" }
    _ = await client.mutate(updatePost)
    #expect(await watcher.next(2) == ["one stale", "two"])
  }

  @Test("A response is never compared with one of another session (C10, C13)")
  func sessions() async throws {
    let client = try client()
    let first = await client.query(postQuery())
    client.switchSession()
    let second = await client.query(postQuery())
    #expect(second.data == first.data)
    #expect(second.data?.document !== first.data?.document)
  }

  @Test("The types of a large response that has not changed still invalidate it (C1, C5, C14)")
  func types() async throws {
    let item = #"{"id":"1","__typename":"Post","comments":[]}"#
    let posts = Array(repeating: item, count: 500).joined(separator: ",")
    let answers = [
      "Posts": #"{"posts":[\#(posts)]}"#,
      "One": #"{"post":{"comments":[{"id":"1","__typename":"Comment"}],"__typename":"Post"}}"#,
      "AddComment": #"{"addComment":{"id":"2","__typename":"Comment"}}"#,
      "AddPost": #"{"addPost":{"id":"2","__typename":"Post"}}"#,
    ]
    let transport = ScriptedTransport { request in
      let name = try JSON(parsing: request.body)["operationName"]?.string ?? ""
      return HTTPResponse(
        status: 200, headers: ["content-type": "application/json"],
        body: HTTPBody(Array(#"{"data":\#(answers[name] ?? "null")}"#.utf8)))
    }
    let url = try #require(URL(string: "https://example.org/graphql"))
    let client = GraphQLClient([.documentCache, .fetch(url, transport: transport)])
    let query = GraphQLOperation("query Posts { posts { id comments { id } } }")
    for mutation in ["AddPost { addPost { id } }", "AddComment { addComment { id } }"] {
      let first = await client.query(query)
      let again = await client.query(query.with { $0.requestPolicy = .networkOnly })
      #expect(again.data?.document === first.data?.document)
      // Teaches that the empty lists are of comments.
      _ = await client.query(GraphQLOperation("query One { post { comments { id } } }"))
      #expect(await client.query(query).outcome == .hit)
      _ = await client.mutate(GraphQLOperation(GraphQLDocument("mutation \(mutation)")))
      #expect(await client.query(query).outcome == .miss)
    }
  }
}
