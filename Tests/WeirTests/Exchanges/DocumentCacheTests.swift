import Foundation
import Testing
import WeirTesting

@testable import Weir

@Suite("Document cache: complete results, invalidated by type", .timeLimit(.minutes(10)))
struct DocumentCacheTests {
  static let todos = GraphQLOperation("query Todos { todos { id author { id } } }")
  static let addTodo = GraphQLOperation("mutation Add { addTodo { id } }")

  /// A client whose server answers by operation name.
  func client(
    _ answers: [String: String], cache: DocumentCacheExchange = DocumentCacheExchange()
  ) -> (GraphQLClient, ScriptedExchange) {
    let server = ScriptedExchange { operation in
      answers[operation.name ?? ""].map { .data($0) } ?? .failure("no answer")
    }
    return (GraphQLClient([DedupExchange(), cache, server]), server)
  }

  // MARK: - Stored results (C1, C7)

  @Test(
    "Partial data with errors is stored only on request (C1)",
    arguments: [false, true])
  func partialData(stores: Bool) async {
    var configuration = DocumentCacheConfiguration()
    configuration.storesPartialResults = stores
    let server = ScriptedExchange { _ in
      .data(#"{"post":null}"#, errors: [GraphQLError(message: "no", path: [.key("post")])])
    }
    let client = GraphQLClient([.dedup, .documentCache(configuration), server])
    for _ in 0..<2 {
      let result = await client.query(postQuery())
      #expect(result.data != nil && result.error?.graphQLErrors.count == 1)
    }
    #expect(server.operations.count == (stores ? 1 : 2))
  }

  @Test("Incomplete results are not stored, and leaving a stream halfway stores nothing (C7)")
  func incomplete() async {
    let rest = Gate()
    let server = ScriptedExchange(streaming: { _ in
      ResultStream { yield in
        var half = post("half")
        half.hasNext = true
        yield(half)
        await rest.pass()
        yield(post("whole"))
      }
    })
    let client = GraphQLClient([.dedup, .documentCache, server])
    for await result in client.results(of: postQuery()) {
      #expect(result.summary == "half more")
      break
    }
    #expect(client.peek(postQuery()) == nil)
    rest.open()
    #expect(await client.results(of: postQuery()).all() == ["half more", "whole"])
    #expect(client.peek(postQuery())?.summary == "whole")
  }

  // MARK: - Types of a result (C2)

  @Test(
    "An empty list is invalidated by its element type once that type is known (C2)",
    arguments: ["schema", "learned before", "learned later", "unknown"])
  func emptyList(knowledge: String) async throws {
    var configuration = DocumentCacheConfiguration()
    if knowledge == "schema" {
      configuration.schema = try GraphQLSchema(
        sdl:
          "type Query { todos: [Todo!]! users: [User] } type Todo { id: ID author: User } type User { id: ID }"
      )
    }
    let cache = DocumentCacheExchange(configuration)
    let lists = Locked([#"{"todos":[]}"#])
    let full =
      #"{"todos":[{"id":"1","__typename":"Todo","author":{"id":"2","__typename":"User"}}]}"#
    let server = ScriptedExchange { operation in
      switch operation.name {
      case "Add": .data(#"{"addTodo":{"id":"1","__typename":"Todo"}}"#)
      case "Rename": .data(#"{"rename":{"id":"1","__typename":"Tag"}}"#)
      case "Other": .data(full)
      default: .data(lists.withLock { $0.popLast() ?? full })
      }
    }
    let client = GraphQLClient([DedupExchange(), cache, server])
    let other = GraphQLOperation("query Other { todos { id author { id } } }")
    let rename = GraphQLOperation("mutation Rename { rename { id } }")
    if knowledge == "learned before" { _ = await client.query(other) }
    _ = await client.query(Self.todos)
    if knowledge == "learned later" { _ = await client.query(other) }
    _ = await client.mutate(rename)
    // The type of the list is unknown, so every mutation may affect it.
    #expect((client.peek(Self.todos) == nil) == (knowledge == "unknown"))
    if knowledge == "unknown" {
      lists.withLock { $0 = [#"{"todos":[]}"#] }
      _ = await client.query(Self.todos)
    }
    _ = await client.mutate(Self.addTodo)
    #expect(client.peek(Self.todos) == nil)
  }

  @Test(
    "Fields of one key on different types keep their own types (C2)", arguments: [true, false])
  func sharedKeys(hasSchema: Bool) async throws {
    var configuration = DocumentCacheConfiguration()
    if hasSchema {
      configuration.schema = try GraphQLSchema(
        sdl: """
          type Query { owner: Owner org: Org } union Owner = User | Org
          type User { posts: [Post!]! } type Org { posts: [Post!]! members: [Member!]! }
          type Post { id: ID! } type Member { id: ID! } type Mutation { add: Member post: Post }
          """)
    }
    let owner = GraphQLOperation(
      "query Owner { owner { ... on User { all: posts { id } } ... on Org { all: members { id } } } }"
    )
    let posts = GraphQLOperation("query Posts { org { posts { id } } }")
    let (client, _) = client(
      [
        "Owner": #"{"owner":{"__typename":"Org","all":[]}}"#,
        "Posts": #"{"org":{"__typename":"Org","posts":[{"__typename":"Post","id":"1"}]}}"#,
        "Members": #"{"org":{"__typename":"Org","members":[{"__typename":"Member","id":"1"}]}}"#,
        "AddPost": #"{"post":{"__typename":"Post","id":"1"}}"#,
        "AddMember": #"{"add":{"__typename":"Member","id":"1"}}"#,
      ], cache: DocumentCacheExchange(configuration))
    _ = await client.query(posts)
    _ = await client.query(GraphQLOperation("query Members { org { members { id } } }"))
    _ = await client.query(owner)
    _ = await client.mutate(GraphQLOperation("mutation AddMember { add { id } }"))
    #expect(client.peek(owner) == nil)
    _ = await client.query(owner)
    _ = await client.mutate(GraphQLOperation("mutation AddPost { post { id } }"))
    // The schema allows the owner to be a user, and a user has posts.
    #expect((client.peek(owner) == nil) == hasSchema)
    #expect(client.peek(posts) == nil)
  }

  @Test(
    "Types of null fields, of fragments and of nested objects count for invalidation (C2)",
    arguments: [
      (
        "{ search { ... on Post { id } ... on User { id } } }",
        #"{"search":[{"id":"1","__typename":"User"}]}"#, "Post", true
      ),
      (
        "{ viewer { posts { id } } }",
        #"{"viewer":{"posts":[{"id":"1","__typename":"Post"}],"__typename":"User"}}"#, "Post", true
      ),
      (
        "{ viewer { posts { id } } }",
        #"{"viewer":{"posts":[{"id":"1","__typename":"Post"}],"__typename":"User"}}"#, "User", true
      ),
      (
        "{ viewer { posts { id } } }",
        #"{"viewer":{"posts":[{"id":"1","__typename":"Post"}],"__typename":"User"}}"#, "Tag", false
      ),
      ("{ grid { id } }", #"{"grid":[[{"id":"1","__typename":"Cell"}],[]]}"#, "Cell", true),
      (
        "{ a: user { id } b: user { id } }", #"{"a":null,"b":{"id":"1","__typename":"User"}}"#,
        "User", true
      ),
      (
        "{ settings }", #"{"settings":{"__typename":"Post","nested":[{"__typename":"Tag"}]}}"#,
        "Post", false
      ),
      ("{ viewer { id } }", #"{"viewer":null}"#, "Anything", true),
      ("{ viewer { id } }", #"{"viewer":{"id":"1"}}"#, "Anything", true),
    ])
  func types(text: String, data: String, invalidated: String, drops: Bool) async {
    let server = ScriptedExchange { operation in
      operation.kind == .query
        ? .data(data) : .data(#"{"change":{"id":"1","__typename":"\#(invalidated)"}}"#)
    }
    let client = GraphQLClient([.dedup, .documentCache, server])
    let query = GraphQLOperation(GraphQLDocument(text))
    _ = await client.query(query)
    #expect(client.peek(query) != nil)
    _ = await client.mutate(GraphQLOperation("mutation { change { id } }"))
    #expect((client.peek(query) == nil) == drops)
  }

  @Test("additionalTypenames work on queries, mutations and subscriptions; a hit adds them (C2)")
  func tags() async {
    let (client, server) = client([
      "Post": #"{"post":{"id":"1","__typename":"Post"}}"#, "Log": #"{"log":true}"#,
      "Events": #"{"event":1}"#,
    ])
    let tagged = postQuery().with { $0.additionalTypenames = ["Feed"] }
    let log = GraphQLOperation("mutation Log { log }")
    let events = GraphQLOperation("subscription Events { event }")
    for invalidating in [log, events] {
      // The result is stored without the tag, and the hit adds it.
      _ = await client.query(postQuery())
      _ = await client.query(tagged)
      _ = await client.mutate(log)
      #expect(client.peek(postQuery()) != nil)
      let operation = invalidating.with { $0.additionalTypenames = ["Feed"] }
      if operation.kind == .mutation {
        _ = await client.mutate(operation)
      } else {
        _ = await client.subscribe(operation).all()
      }
      #expect(client.peek(postQuery()) == nil)
    }
    #expect(server.operations.filter { $0.kind == .query }.count == 2)
  }

  // MARK: - Mutations and events (C3, C6)

  @Test(
    "A failed mutation invalidates nothing; with partial data, only the types in it (C3)",
    arguments: [
      (#"{"a":{"id":"1","__typename":"Post"}}"#, false, true),
      (#"{"a":{"id":"1","__typename":"Post"}}"#, true, true),
      (#"{"a":null}"#, true, false),
      ("null", true, false),
    ])
  func failedMutation(data: String, hasErrors: Bool, invalidates: Bool) async {
    let server = ScriptedExchange { operation in
      if operation.kind == .query { return post("title") }
      let error = OperationError(graphQLErrors: [GraphQLError(message: "no")])
      guard data != "null" else { return OperationResult(error: error) }
      return .data(data, errors: hasErrors ? error.graphQLErrors : [])
    }
    let client = GraphQLClient([.dedup, .documentCache, server])
    _ = await client.query(postQuery())
    _ = await client.mutate(
      GraphQLOperation("mutation { a { id } }").with {
        if data == "null" { $0.additionalTypenames = ["Post"] }
      })
    #expect((client.peek(postQuery()) == nil) == invalidates)
  }

  @Test(
    "Subscription events invalidate by their types only if configured to (C6)",
    arguments: [false, true])
  func events(byType: Bool) async {
    var configuration = DocumentCacheConfiguration()
    configuration.subscriptionsInvalidateByType = byType
    let server = ScriptedExchange { _ in post("title") }
    let client = GraphQLClient([.dedup, .documentCache(configuration), server])
    _ = await client.query(postQuery())
    _ = await client.subscribe(GraphQLOperation("subscription { post { id } }")).all()
    #expect((client.peek(postQuery()) == nil) == byType)
  }

  // MARK: - Active queries (C4, C5)

  @Test("A mutation drops inactive entries and refetches active ones once (C4)")
  func activeAndInactive() async {
    let cache = DocumentCacheExchange()
    let server = postServer()
    let client = GraphQLClient([DedupExchange(), cache, server])
    _ = await client.query(postQuery("2"))
    let watcher = Watcher(client.watch(postQuery("1")))
    #expect(await watcher.next(1) == ["title 2"])
    #expect(cache.statistics.entryCount == 2)
    _ = await client.mutate(updatePost)
    #expect(await watcher.next(2) == ["title 2 stale", "title 3"])
    #expect(cache.statistics.entryCount == 1 && cache.statistics.keyCount == 1)
  }

  @Test("After a mutation during its request, a query yields stale data, then newer data (C5)")
  func mutationDuringFlight() async {
    let gate = Gate()
    let server = postServer { operation in if operation.kind == .query { await gate.pass() } }
    let client = GraphQLClient([.dedup, .documentCache, server])
    async let results = client.results(of: postQuery()).all()
    await server.received(1)
    _ = await client.mutate(updatePost)
    gate.open()
    #expect(await results == ["title 1 stale", "title 2"])
    #expect(client.peek(postQuery())?.summary == "title 2")
    #expect(server.operations.count == 3)
  }

  @Test(
    "After mutations during a refetch, a watcher ends with data requested after the last one (C5)"
  )
  func mutationDuringRefetch() async {
    let gates = [Gate(isOpen: true), Gate(), Gate()]
    let fetches = Counter()
    let server = ScriptedExchange { operation in
      guard operation.kind == .query else { return updated }
      let number = fetches.next()
      await gates[min(number, 3) - 1].pass()
      return post("title \(number)")
    }
    let client = GraphQLClient([.dedup, .documentCache, server])
    let watcher = Watcher(client.watch(postQuery()))
    #expect(await watcher.next(1) == ["title 1"])
    _ = await client.mutate(updatePost)
    #expect(await watcher.next(1) == ["title 1 stale"])
    await server.received(3)
    _ = await client.mutate(updatePost)
    _ = await client.mutate(updatePost)
    gates[1].open()
    #expect(await watcher.next(1) == ["title 2 stale"])
    gates[2].open()
    #expect(await watcher.next(1) == ["title 3"])
    #expect(client.peek(postQuery())?.summary == "title 3")
  }

  @Test("A response that is superseded twice does not end the watch (C5, W4)")
  func overtakenTwice() async {
    let gates = [Gate(isOpen: true), Gate(), Gate(), Gate(isOpen: true)]
    let fetches = Counter()
    let server = ScriptedExchange { operation in
      guard operation.kind == .query else { return updated }
      let number = fetches.next()
      await gates[min(number, 4) - 1].pass()
      return post("title \(number)")
    }
    let client = GraphQLClient([.dedup, .documentCache, server])
    let watcher = Watcher(client.watch(postQuery()))
    #expect(await watcher.next(1) == ["title 1"])
    _ = await client.mutate(updatePost)
    #expect(await watcher.next(1) == ["title 1 stale"])
    for number in 2...3 {
      await server.received(2 * number - 1)
      _ = await client.mutate(updatePost)
      gates[number - 1].open()
      #expect(await watcher.next(1) == ["title \(number) stale"])
    }
    #expect(await watcher.next(1) == ["title 4"])
    #expect(client.peek(postQuery())?.summary == "title 4")
  }

  /// A server that answers each request when its gate opens. The request carries its number, because
  /// the task that answers it may start late.
  private func server(_ gates: [Gate]) -> ScriptedExchange {
    ScriptedExchange { operation in
      let number = operation.context.headers["x-request-id"].flatMap { Int($0) } ?? 0
      await gates[number - 1].pass()
      return post("title \(number)")
    }
  }

  private func query(_ number: Int, _ policy: RequestPolicy = .networkOnly) -> GraphQLOperation {
    postQuery(policy: policy).with { $0.headers["x-request-id"] = "\(number)" }
  }

  @Test("An older response does not replace a newer one (C5)")
  func olderResponse() async {
    let gates = [Gate(), Gate()]
    let server = server(gates)
    let client = GraphQLClient([.documentCache, server])
    func ask(_ number: Int) -> Task<String, Never> {
      Task { await client.query(query(number)).summary }
    }
    let slow = ask(1)
    await server.received(1)
    let quick = ask(2)
    await server.received(2)
    gates[1].open()
    #expect(await quick.value == "title 2")
    gates[0].open()
    #expect(await slow.value == "title 1")
    #expect(client.peek(postQuery())?.summary == "title 2")
  }

  @Test("A watch whose request was overtaken by a later one shows the newer response (C5)")
  func overtakenWatch() async {
    let gates = [Gate(), Gate()]
    let server = server(gates)
    let client = GraphQLClient([.documentCache, server])
    let shown = Task {
      await client.watch(query(1, .cacheFirst)).prefix(2).reduce(into: []) {
        $0.append($1.summary)
      }
    }
    await server.received(1)
    let quick = Task { await client.query(query(2)).summary }
    await server.received(2)
    gates[1].open()
    #expect(await quick.value == "title 2")
    gates[0].open()
    #expect(await shown.value == ["title 1", "title 2"])
  }

  @Test("Staleness belongs to an emission; outcome and timing belong to the result (C8, C11)")
  func emissions() async {
    let timing = ResultTiming(receivedAt: Date(timeIntervalSince1970: 1), duration: .seconds(2))
    let server = ScriptedExchange { _ in
      OperationResult(data: post("title").data, timing: timing)
    }
    let client = GraphQLClient([.dedup, .documentCache, server])
    #expect(await client.query(postQuery()).outcome == .miss)
    for await result in client.results(of: postQuery(policy: .cacheAndNetwork)) {
      #expect(result.outcome == (result.isStale ? .hit : .miss))
      break
    }
    let hit = await client.query(postQuery())
    #expect(!hit.isStale && hit.outcome == .hit && hit.timing == timing)
  }

  // MARK: - Bounds, invalidation and snapshots (C9)

  @Test("The least recently used entries are evicted first, and watched ones stay (C9)")
  func bounds() async {
    var configuration = DocumentCacheConfiguration()
    configuration.maximumCount = 3
    let cache = DocumentCacheExchange(configuration)
    let client = GraphQLClient([DedupExchange(), cache, postServer()])
    var watch = client.watch(postQuery("0")).makeAsyncIterator()
    _ = await watch.next()
    for id in 1...2 { _ = await client.query(postQuery("\(id)")) }
    _ = await client.query(postQuery("1"))
    for id in 3...4 { _ = await client.query(postQuery("\(id)")) }
    let held = (0...4).filter { client.peek(postQuery("\($0)")) != nil }
    #expect(held == [0, 3, 4])
    #expect(cache.statistics.evictions == 2)
    // This use keeps the watch alive until here.
    client.invalidate(postQuery("0"))
    #expect(await watch.next()?.isStale == true)
  }

  @Test("A cache without room stores nothing, but still wakes watches (C9)")
  func noRoom() async {
    var configuration = DocumentCacheConfiguration()
    configuration.maximumCount = 0
    let cache = DocumentCacheExchange(configuration)
    let client = GraphQLClient([DedupExchange(), cache, postServer()])
    let watcher = Watcher(client.watch(postQuery()))
    #expect(await watcher.next(1) == ["title 1"])
    #expect(await client.query(postQuery()).summary == "title 2")
    #expect(cache.statistics.entryCount == 0 && client.peek(postQuery()) == nil)
    _ = await client.mutate(updatePost)
    #expect(await watcher.next(2) == ["title 1 stale", "title 3"])
  }

  @Test("The bytes of the entries are bounded, and released when they are cleared (C9)")
  func bytes() async {
    var configuration = DocumentCacheConfiguration()
    configuration.maximumBytes = 100_000
    let cache = DocumentCacheExchange(configuration)
    let text = String(repeating: "x", count: 10_000)
    let server = ScriptedExchange { _ in post(text) }
    let client = GraphQLClient([DedupExchange(), cache, server])
    for id in 0..<100 { _ = await client.query(postQuery("\(id)")) }
    #expect((5...9).contains(cache.statistics.entryCount))
    #expect((50_000...100_000).contains(cache.statistics.bytes))
    client.clear()
    // The last execution may still be leaving dedup.
    while cache.statistics.keyCount > 0 { await Task.yield() }
    let after = cache.statistics
    #expect(after.bytes == 0 && after.entryCount == 0 && after.nameCount == 0)
  }

  @Test("Entries expire after their time to live, or after an execution's shorter maximum age (C9)")
  func timeToLive() async {
    let clock = ManualClock()
    var configuration = DocumentCacheConfiguration()
    configuration.timeToLive = .seconds(60)
    let client = GraphQLClient([
      DedupExchange(), DocumentCacheExchange(configuration, clock: clock), postServer(),
    ])
    _ = await client.query(postQuery())
    clock.advance(by: .seconds(59))
    #expect(client.peek(postQuery()) != nil)
    #expect(client.peek(postQuery().with { $0.maximumAge = .seconds(30) }) == nil)
    clock.advance(by: .seconds(1))
    #expect(client.peek(postQuery()) == nil)
    #expect(await client.query(postQuery()).summary == "title 2")
  }

  @Test(
    "Every way to invalidate wakes the watchers that it affects (C9)",
    arguments: ["type", "operation", "all"])
  func invalidations(way: String) async {
    let client = GraphQLClient([.dedup, .documentCache, postServer()])
    let watcher = Watcher(client.watch(postQuery()))
    #expect(await watcher.next(1) == ["title 1"])
    client.invalidate(types: "Other")
    client.invalidate(postQuery("2"))
    switch way {
    case "type": client.invalidate(types: "Post", "Other")
    case "operation": client.invalidate(postQuery())
    default: client.clear()
    }
    #expect(await watcher.next(2) == ["title 1 stale", "title 2"])
  }

  @Test(
    "Every way to invalidate supersedes a response in flight (C9)",
    arguments: ["type", "operation", "all"])
  func invalidationsInFlight(way: String) async {
    let gate = Gate()
    let server = postServer { _ in await gate.pass() }
    let cache = DocumentCacheExchange()
    let client = GraphQLClient([DedupExchange(), cache, server])
    async let results = client.results(of: postQuery()).all()
    await server.received(1)
    switch way {
    case "type": client.invalidate(types: "Post")
    case "operation": client.invalidate(postQuery())
    default: client.clear()
    }
    gate.open()
    #expect(await results == ["title 1 stale", "title 2"])
    #expect(cache.statistics.requestsInFlight == 0)
  }

  @Test("A snapshot restores results with their types (C9)")
  func snapshot() async throws {
    let first = DocumentCacheExchange()
    let (client, _) = client(
      [
        "Post": #"{"post":{"id":"1","title":"kept","__typename":"Post"}}"#,
        "Todos": #"{"todos":[]}"#,
      ],
      cache: first)
    _ = await client.query(postQuery())
    _ = await client.query(postQuery("2").with { $0.additionalTypenames = ["Feed"] })
    _ = await client.query(Self.todos)
    let bytes = try JSONEncoder().encode(first.snapshot())
    let snapshot = try JSONDecoder().decode(DocumentCacheSnapshot.self, from: bytes)
    #expect(snapshot.count == 3)

    let second = DocumentCacheExchange()
    let (restarted, server) = self.client(["Log": #"{"log":1}"#], cache: second)
    #expect(second.restore(snapshot) == 3)
    #expect(second.restore(snapshot) == 0)
    #expect(await restarted.query(postQuery()).title == "kept")
    restarted.invalidate(types: "Feed")
    #expect(restarted.peek(postQuery("2")) == nil && restarted.peek(postQuery()) != nil)
    // The element type of the list is still unknown.
    #expect(restarted.peek(Self.todos) == nil)
    restarted.invalidate(types: "Post")
    #expect(restarted.peek(postQuery()) == nil)
    #expect(server.operations.isEmpty)
  }

  @Test("Damaged snapshot entries are skipped, and extreme times are accepted (C9)")
  func damagedSnapshot() throws {
    func entry(_ text: String, _ more: String) -> String {
      #"{"text":"\#(text)","variables":"{}","names":[],"unknownFields":[],\#(more)}"#
    }
    let entries = [
      entry("a", #""data":"{""#), entry("b", #""data":"[1]""#),
      entry("c", #""data":"{}","receivedAt":-1e300,"duration":1e300"#),
      entry("d", #""data":"{}","receivedAt":1e300,"duration":-1e300"#),
    ]
    let text = #"{"entries":[\#(entries.joined(separator: ","))]}"#
    let snapshot = try JSONDecoder().decode(DocumentCacheSnapshot.self, from: Data(text.utf8))
    let cache = DocumentCacheExchange()
    #expect(cache.restore(snapshot) == 2)
    #expect(Set(cache.entries.map(\.text)) == ["c", "d"])
  }

  // MARK: - Sessions (C10)

  @Test("After a session switch no one sees the other user's data (C10)")
  func sessions() async {
    let gate = Gate(isOpen: true)
    let server = postServer { _ in await gate.pass() }
    let cache = DocumentCacheExchange()
    let client = GraphQLClient([DedupExchange(), cache, server])
    let watcher = Watcher(client.watch(postQuery()))
    #expect(await watcher.next(1) == ["title 1"])
    gate.close()
    async let old = client.query(postQuery("2"))
    async let oldMutation = client.mutate(updatePost)
    await server.received(3)
    client.switchSession()
    // Both return immediately, although the server has not answered.
    #expect(await old.error?.code == .cancelled)
    #expect(await oldMutation.error?.code == .cancelled)
    #expect(client.peek(postQuery()) == nil)
    gate.open()
    // The other user's data is not emitted as stale.
    #expect(await watcher.next(2) == ["stale", "title 3"])
    #expect(await client.query(postQuery("2")).summary == "title 4")
  }

  @Test("A client that shares a cache follows the other client's session (C10)")
  func followedSession() async {
    let cache = DocumentCacheExchange()
    let server = postServer()
    let client = GraphQLClient([DedupExchange(), cache, server])
    let follower = GraphQLClient([DedupExchange(), cache, server])
    let watcher = Watcher(follower.watch(postQuery()))
    #expect(await watcher.next(1) == ["title 1"])
    client.switchSession()
    #expect(follower.session < client.session)
    follower.switchSession(to: client.session)
    #expect(await watcher.next(2) == ["stale", "title 2"])
    #expect(await client.query(postQuery()).outcome == .hit)
    _ = await client.mutate(updatePost)
    #expect(await watcher.next(2) == ["title 2 stale", "title 3"])
    // A session that is older than the client's own is ignored.
    let newer = GraphQLClient([])
    newer.switchSession()
    client.switchSession(to: newer.session)
    client.switchSession(to: follower.session)
    #expect(client.session == newer.session)
  }

  @Test("Late responses of the old session write and invalidate nothing (C10)")
  func lateResponses() async {
    let gate = Gate()
    let done = Counter()
    let finished = Gate()
    let server = ScriptedExchange { operation in
      if operation.context[Late.self] { await gate.pass() }
      return operation.kind == .query ? post("title") : updated
    }
    let watchEnd = InlineExchange { operation, forward in
      forward(operation).map { result in
        if operation.context[Late.self], done.next() == 2 { finished.open() }
        return result
      }
    }
    let cache = DocumentCacheExchange()
    let client = GraphQLClient([watchEnd, cache, server])
    let query = Task { await client.query(postQuery("2").with { $0[Late.self] = true }) }
    let mutation = Task { await client.mutate(updatePost.with { $0[Late.self] = true }) }
    await server.received(2)
    client.switchSession()
    _ = await client.query(postQuery())
    gate.open()
    #expect(await query.value.error?.code == .cancelled)
    #expect(await mutation.value.error?.code == .cancelled)
    await finished.pass()
    #expect(client.peek(postQuery()) != nil)
    #expect(cache.statistics.entryCount == 1)
  }

  @Test("A cache without a client stores nothing for a session that has ended (C10)")
  func endedSession() async {
    let gate = Gate()
    let cache = DocumentCacheExchange()
    let chain = Forward([cache, postServer { _ in await gate.pass() }])
    let task = Task { await chain(postQuery()).all() }
    while cache.statistics.requestsInFlight == 0 { await Task.yield() }
    cache.switchSession(to: Session(number: 1))
    gate.open()
    #expect(await task.value == ["title 1"])
    #expect(cache.statistics.keyCount == 0 && cache.statistics.requestsInFlight == 0)
  }

  private enum Late: OperationContextKey { static let defaultValue = false }

  @Test("A subscription ends with its session (C10)")
  func subscriptions() async {
    let server = ScriptedExchange(streaming: { _ in
      ResultStream { yield in
        yield(.data(#"{"event":1}"#))
        await Gate().pass()
      }
    })
    let client = GraphQLClient([.dedup, .documentCache, server])
    let watcher = Watcher(client.subscribe(GraphQLOperation("subscription { event }")))
    #expect(await watcher.next(1) == ["data"])
    client.switchSession()
    #expect(await watcher.next(1) == ["error"])
  }
}

@Suite("Mutations", .timeLimit(.minutes(10)))
struct MutationTests {
  @Test("Cancelling the caller returns immediately, and the result still reaches the caches (M1)")
  func cancelledCaller() async {
    let gate = Gate()
    let server = postServer { operation in if operation.kind == .mutation { await gate.pass() } }
    let client = GraphQLClient([.dedup, .documentCache, server])
    let watcher = Watcher(client.watch(postQuery()))
    #expect(await watcher.next(1) == ["title 1"])
    let mutation = Task { await client.mutate(updatePost) }
    await server.received(2)
    mutation.cancel()
    #expect(await mutation.value.error?.code == .cancelled)
    gate.open()
    #expect(await watcher.next(2) == ["title 1 stale", "title 2"])
  }

  @Test("A mutation whose caller is already cancelled is not sent (M1)")
  func cancelledBefore() async {
    let server = postServer()
    let client = GraphQLClient([server])
    let progress = UploadProgress()
    let cancelled = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await client.mutate(updatePost.with { $0.uploadProgress = progress })
    }
    #expect(await cancelled.value.error == .cancelled)
    for await _ in progress {}
    for _ in 0..<100 { await Task.yield() }
    #expect(server.operations.isEmpty)
  }

  @Test("With abortsWhenCancelled, cancelling the caller cancels the request (M1)")
  func abort() async {
    let aborted = Gate()
    let server = ScriptedExchange { _ in
      await Gate().pass()
      aborted.open()
      return updated
    }
    let client = GraphQLClient([.dedup, .documentCache, server])
    let mutation = Task { await client.mutate(updatePost.with { $0.abortsWhenCancelled = true }) }
    await server.received(1)
    mutation.cancel()
    #expect(await mutation.value.error?.code == .cancelled)
    await aborted.pass()
  }
}

extension DocumentCacheTests {
  @Test("A response that is superseded each time is requested only once more (C5)")
  func overtakenEachTime() async {
    let holder = Locked<GraphQLClient?>(nil)
    let fetches = Counter()
    let server = ScriptedExchange { _ in
      let number = fetches.next()
      if number < 9 { holder.withLock { $0 }?.invalidate(types: "Post") }
      return post("title \(number)")
    }
    let client = GraphQLClient([.documentCache, server])
    holder.withLock { $0 = client }
    #expect(await client.results(of: postQuery()).all() == ["title 1 stale", "title 2 stale"])
    holder.withLock { $0 = nil }
  }

  @Test("Invalidating a key supersedes its response, even amid many other invalidations (C5)")
  func overtakenAmongMany() async {
    let gate = Gate()
    let server = postServer { operation in
      if operation.key == postQuery("held").key { await gate.pass() }
    }
    let client = GraphQLClient([.documentCache, server])
    async let held = client.results(of: postQuery("held")).all()
    await server.received(1)
    client.invalidate(postQuery("held"))
    for id in 1...200 { client.invalidate(postQuery("\(id)")) }
    // The cache discards what it no longer needs whenever a request ends.
    _ = await client.query(postQuery("other"))
    gate.open()
    #expect(await held == ["title 1 stale", "title 3"])
  }

  @Test("A restored result keeps its age (C9)")
  func restoredAge() async {
    let first = DocumentCacheExchange()
    _ = await GraphQLClient([first, postServer()]).query(postQuery())
    var snapshot = first.snapshot()
    snapshot.entries[0].receivedAt = Date(timeIntervalSinceNow: -3600)
    var configuration = DocumentCacheConfiguration()
    configuration.timeToLive = .seconds(7200)
    let clock = ManualClock()
    let second = DocumentCacheExchange(configuration, clock: clock)
    #expect(second.restore(snapshot) == 1)
    let client = GraphQLClient([second])
    #expect(client.peek(postQuery()) != nil)
    clock.advance(by: .seconds(4000))
    #expect(client.peek(postQuery()) == nil)
  }

  @Test("A snapshot omits results that were stored with errors (C9)")
  func snapshotOfPartialData() async {
    var configuration = DocumentCacheConfiguration()
    configuration.storesPartialResults = true
    let cache = DocumentCacheExchange(configuration)
    let server = ScriptedExchange { _ in
      .data(#"{"post":null}"#, errors: [GraphQLError(message: "no", path: [.key("post")])])
    }
    let client = GraphQLClient([cache, server])
    _ = await client.query(postQuery())
    #expect(client.peek(postQuery()) != nil)
    #expect(cache.snapshot().count == 0)
  }

  @Test("Missed events of an old session's subscription do not empty the new session's cache (C10)")
  func missedByOldSession() async {
    let missed = Locked<(@Sendable () -> Void)?>(nil)
    let server = ScriptedExchange { operation in
      guard operation.kind == .subscription else { return post("kept") }
      missed.withLock { $0 = operation.context.missedEvents }
      return .data(#"{"a":1}"#)
    }
    let client = GraphQLClient([.documentCache, server])
    _ = await client.subscribe(GraphQLOperation("subscription { a }")).all()
    _ = await client.query(postQuery())
    client.switchSession()
    _ = await client.query(postQuery())
    missed.withLock { $0 }?()
    #expect(client.peek(postQuery()) != nil)
  }
}
