import Testing
import Weir
import WeirNormalized
import WeirTesting

/// Responses that lack something that is selected (N3.1).
@Suite("Incomplete responses", .timeLimit(.minutes(10)), .overStorages)
struct IncompleteResponseTests {
  private static let feed = GraphQLOperation("query Feed { posts { id picture } }")
  private static let complete = #"{"posts":[{"__typename":"Post","id":"1","picture":null}]}"#
  private static let incomplete = #"{"posts":[{"__typename":"Post","id":"1"}]}"#

  private static let list = #"{"a":1,"list":[{"__typename":"T","id":"1"}]}"#

  private static func configuration(_ told: Told) -> NormalizedCacheConfiguration {
    var configuration = NormalizedCacheConfiguration()
    configuration.onDiagnostic = told.add
    return configuration
  }

  private static func messages(_ told: Told) -> [String] {
    told.all.filter { $0.code == .incompleteResponse }.map(\.message)
  }

  @Test("A response that lacks a selected field is reported once for each query (N3.1)")
  func reported() async {
    let told = Told()
    let store = StoreKind.store(Self.configuration(told))
    let server = ScriptedExchange.immediate { operation in
      .data(operation.name == "Feed" ? Self.incomplete : Self.list)
    }
    let client = GraphQLClient([.cache(store), server])
    for _ in 0..<3 { _ = await client.query(Self.feed) }
    _ = await client.query(GraphQLOperation("{ a list { id b: c(d: 1) } }"))
    let messages = Self.messages(told)
    #expect(messages.count == 2)
    #expect(
      messages.first
        == "The operation Feed: the response lacks posts.picture, which is selected and not"
        + " cached, so executions send requests until another query has brought it. Does the server"
        + " leave out fields that are null?")
    let start = "The unnamed operation: the response lacks list.b, which"
    #expect(messages.last?.hasPrefix(start) == true)
  }

  static let others = [
    ("{ posts { id picture @skip(if: true) } }", incomplete),
    ("{ posts { id picture @include(if: false) } }", incomplete),
    ("{ posts { id ... on Video { length } } }", incomplete),
    ("{ posts { id picture } }", complete),
    ("{ posts { id picture { url } } }", complete),
    ("{ posts { id } }", #"{"posts":null}"#),
    ("{ posts { id } }", #"{"posts":[]}"#),
  ]

  @Test("A response that has what is selected is not reported (N3.1)", arguments: others)
  func whole(_ text: String, _ data: String) async {
    let told = Told()
    let store = StoreKind.store(Self.configuration(told))
    let server = ScriptedExchange.immediate { _ in .data(data) }
    let client = GraphQLClient([.cache(store), server])
    for _ in 0..<2 {
      _ = await client.query(GraphQLOperation(GraphQLDocument(text)).with(.networkOnly))
    }
    #expect(Self.messages(told) == [])
  }

  @Test("A response with errors, one in parts, and a partial read are not reported (N3.1)")
  func known() async {
    let told = Told()
    let store = StoreKind.store(Self.configuration(told))
    let server = ScriptedExchange(streaming: { operation in
      ResultStream { yield in
        switch operation.name {
        case "Deferred":
          yield(.data(Self.incomplete, hasNext: true))
          yield(.data(Self.complete))
        case "Failed":
          yield(.data(Self.incomplete, errors: [GraphQLError(message: "no")]))
        default: yield(.data(Self.incomplete))
        }
      }
    })
    let client = GraphQLClient([.cache(store), server])
    for await _ in client.results(
      of: GraphQLOperation("query Deferred { posts { id ... @defer { picture } } }"))
    {}
    _ = await client.query(GraphQLOperation("query Failed { posts { id image } }"))
    _ = await client.query(
      GraphQLOperation("query Partial { posts { id photo } }").with { $0.allowsPartialData = true })
    #expect(Self.messages(told) == [])
  }

  @Test("A removal while a request is in flight is not reported (N3.1)")
  func removed() async throws {
    let told = Told()
    let store = StoreKind.store(Self.configuration(told))
    let gate = Gate()
    let server = ScriptedExchange { _ in
      await gate.pass()
      return .data(Self.complete)
    }
    let client = GraphQLClient([.cache(store), server])
    try store.write(try JSON(parsing: Self.complete), for: Self.feed)
    async let result = client.query(Self.feed.with(.networkOnly))
    await server.received(1)
    try store.update { $0.remove(.entity(Entity("Post", id: "1"))) }
    gate.open()
    _ = await result
    #expect(Self.messages(told) == [])
  }

  @Test("Data that an optimistic result hides is not reported (N3.1, N6.1)")
  func hidden() async throws {
    let told = Told()
    await queryBesideDeletion(Self.configuration(told))
    #expect(Self.messages(told) == [])
  }

  /// Queries a post while the optimistic result of a mutation deletes it.
  private func queryBesideDeletion(
    _ configuration: NormalizedCacheConfiguration, policy: RequestPolicy = .cacheFirst,
    whileHidden check: () -> Void = {}
  ) async {
    var configuration = configuration
    var delete = MutationPolicy.removing("Post", idFrom: "id")
    delete.optimistic = { _, _ in true }
    configuration.mutations["deletePost"] = delete
    let store = StoreKind.store(configuration)
    let gate = Gate()
    let server = ScriptedExchange { operation in
      if operation.kind == .mutation { await gate.pass() }
      return .data(
        operation.kind == .mutation
          ? #"{"deletePost":true}"#
          : #"{"post":{"__typename":"Post","id":"1","picture":null}}"#)
    }
    let client = GraphQLClient([.cache(store), server])
    async let deleted = client.mutate(GraphQLOperation(#"mutation { deletePost(id: "1") }"#))
    await server.received(1)
    let post = GraphQLOperation("{ post { id picture } }")
    _ = await client.query(post.with(policy))
    #expect(store.read(post) == nil)
    check()
    gate.open()
    _ = await deleted
  }

  @Test("A field that the store has from before is not reported (N3.1)")
  func former() async throws {
    let told = Told()
    let store = StoreKind.store(Self.configuration(told))
    let server = ScriptedExchange.immediate { _ in .data(Self.incomplete) }
    let client = GraphQLClient([.cache(store), server])
    try store.write(try JSON(parsing: Self.complete), for: Self.feed)
    let result = await client.query(Self.feed.with(.networkOnly))
    #expect(result.data?["posts"]?[0]?["picture"]?.isNull == true)
    #expect(Self.messages(told) == [])
  }

  @Test("A response is not written twice because an optimistic result hides it (N3.1, N6.1)")
  func once() async {
    let told = Told()
    let calls = Locked(0)
    var configuration = Self.configuration(told)
    configuration.keys["Post"] = .computed { post in
      calls.withLock { $0 += 1 }
      return post["id"]?.string
    }
    await queryBesideDeletion(configuration, policy: .networkOnly) {
      #expect(calls.withLock { $0 } == 1)
    }
    #expect(Self.messages(told) == [])
  }
}
