import Foundation
import TestSupport
import Testing
import Weir
import WeirCurl

@Suite("graphql-transport-ws against a real server", .timeLimit(.minutes(10)))
struct WebSocketTests {
  private static func transport(
    _ space: Space, subprotocol: String = "graphql-transport-ws",
    _ configure: (inout WebSocketConfiguration) -> Void = { _ in }
  ) -> WebSocketTransport {
    var configuration = WebSocketConfiguration()
    // Other tests may keep this machine busy, so a slow server must not count as a silent one.
    configuration.acknowledgementTimeout = .seconds(600)
    configure(&configuration)
    return WebSocketTransport(configuration) { _ in
      let url = try #require(space.view("socket").asWebSocket)
      return try await CurlTransport.shared.openSocket(to: url, subprotocol: subprotocol)
    }
  }

  /// A client that sends these kinds of operations over the socket, and the others over HTTP.
  private func client(
    _ space: Space, kinds: Set<GraphQLOperation.Kind> = [.subscription],
    _ configure: (inout WebSocketConfiguration) -> Void = { _ in }
  ) -> GraphQLClient {
    var reconnection = Reconnection()
    reconnection.initialDelay = .milliseconds(2)
    reconnection.maximumDelay = .milliseconds(50)
    // A server may take minutes to start again on a busy machine.
    reconnection.maximumAttempts = .max
    return GraphQLClient([
      .dedup, .documentCache,
      .subscription(
        Self.transport(space, configure), kinds: kinds, reconnection: reconnection),
      .fetch(space.graphQL, .patient),
    ])
  }

  private let everything: Set<GraphQLOperation.Kind> = [.query, .mutation, .subscription]

  private func count(to number: Int, interval: Int = 0) -> GraphQLOperation {
    GraphQLOperation(
      "subscription Count($to: Int!, $ms: Int!) { count(to: $to, intervalMs: $ms) }",
      variables: ["to": .int(Int64(number)), "ms": .int(Int64(interval))])
  }

  /// The numbers of the events; for an event with an error, the error's description.
  private func collect(_ stream: ResultStream, _ field: String = "count") async -> [String] {
    var found: [String] = []
    for await result in stream {
      if let number = result.data?[field]?.int { found.append(String(number)) }
      if let error = result.error { found.append("\(error)") }
    }
    return found
  }

  @Test("Subscriptions, queries and mutations run over one socket, with errors of each kind (H6)")
  func kinds() async throws {
    let space = try await Space()
    // No pause of a busy machine may close the connection between two operations.
    let client = client(space, kinds: everything) { $0.idleTimeout = .seconds(600) }
    #expect(await collect(client.subscribe(count(to: 3))) == ["1", "2", "3"])
    let hello = await client.query(
      GraphQLOperation(
        "query Hello($n: String!) { hello(name: $n) }", variables: ["n": "é\u{0}😀"]))
    #expect(hello.data?["hello"]?.string == "Hello, é\u{0}😀!")
    let created = await client.mutate(
      GraphQLOperation("mutation { createTodo(text: \"x\") { id text } }"))
    #expect(created.data?["createTodo"]?["id"]?.string == "11")
    let long = String(repeating: "0123456789", count: 20_000)
    let echo = await client.query(
      GraphQLOperation(
        "query Hello($n: String!) { hello(name: $n) }", variables: ["n": .string(long)])
    )
    #expect(echo.data?["hello"]?.string == "Hello, \(long)!")
    // A validation error, an execution error, and an error in mid-stream.
    #expect(
      await collect(client.subscribe(GraphQLOperation("subscription { nope }")))
        == ["graphQL: Cannot query field 'nope' on type 'Subscription'."])
    let boom = await client.query(GraphQLOperation("{ hello boom }"))
    #expect(boom.data?["hello"]?.string == "Hello, world!")
    #expect(boom.error?.graphQLErrors.first?.extensions == ["code": "INTERNAL_SERVER_ERROR"])
    #expect(
      await collect(
        client.subscribe(GraphQLOperation("subscription { failsAfter(events: 2) }")), "failsAfter"
      )
        == ["0", "1", "graphQL: The source failed"])
    let stats = try await space.stats()
    #expect(stats.socketsOpened == 1)
    #expect(stats.total == 0, "nothing is sent over HTTP")
  }

  @Test("Incremental delivery over this protocol is refused with a clear error (H6)")
  func incremental() async throws {
    let space = try await Space()
    let result = await client(space, kinds: everything).query(
      GraphQLOperation("{ hello post(id: \"p1\") { id ... @defer { slowBody } } }"))
    #expect(
      result.error?.message == "Incremental delivery is not supported over graphql-transport-ws")
  }

  @Test("Many subscriptions share one connection, and each gets its own events (H6)")
  func many() async throws {
    let space = try await Space()
    let client = client(space)
    await withTaskGroup { group in
      for number in 1...200 {
        group.addTask {
          let found = await collect(client.subscribe(count(to: number % 7 + 1)))
          #expect(found == (1...(number % 7 + 1)).map(String.init))
        }
      }
    }
    #expect(try await space.stats().socketsOpened == 1)
  }

  @Test("Leaving a subscription ends it on the server; others on the connection go on (H9)")
  func leaving() async throws {
    let space = try await Space()
    let client = client(space)
    let leaving = Task { await collect(client.subscribe(todoEvents)) }
    var staying = client.subscribe(todoEvents).makeAsyncIterator()
    async let event = staying.next()
    _ = try await space.stats(when: "subscribers", reaches: 2)
    leaving.cancel()
    #expect(try await space.stats(when: "unsubscribed", reaches: 1).subscribers == 1)
    #expect(await leaving.value == [])
    _ = await client.mutate(GraphQLOperation("mutation { deleteTodo(id: \"3\") { id } }"))
    #expect(await event?.data?["todoEvents"]?["kind"]?.string == "deleted")
    #expect(try await space.stats().sockets == 1)
  }

  @Test("Equal subscriptions that share one are one at the server, to the last loop (D7, H9)")
  func shared() async throws {
    let space = try await Space()
    let client = GraphQLClient([
      .sharedSubscriptions, .dedup, .documentCache, .subscription(Self.transport(space)),
      .fetch(space.graphQL, .patient),
    ])
    let (joined, join) = AsyncStream.makeStream(of: Void.self)
    let noting = todoEvents.with { $0.onConnectionChange { _ in join.yield() } }
    let loops = (0..<5).map { _ in
      Task { await client.subscribe(noting).first { _ in true }?.data?["todoEvents"]?["kind"] }
    }
    for await _ in joined.prefix(5) {}
    #expect(try await space.stats(when: "subscribers", reaches: 1).subscribers == 1)
    _ = await client.mutate(GraphQLOperation("mutation { deleteTodo(id: \"3\") { id } }"))
    for loop in loops { #expect(await loop.value?.string == "deleted") }
    #expect(try await space.stats(when: "unsubscribed", reaches: 1).subscribers == 0)
  }

  @Test("A refused client gets the server's close code, and connects with a new token (H6)")
  func forbidden() async throws {
    let space = try await Space()
    let tokens = Locked(["bad", "good"])
    let client = client(space) {
      $0.connectionParameters = { _ in
        ["token": .string(tokens.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] })]
      }
    }
    var refused: [SocketClosure?] = []
    for await result in client.subscribe(count(to: 1)) {
      refused.append(result.error?.underlying as? SocketClosure)
    }
    #expect(refused == [SocketClosure(code: 4403, reason: "Forbidden")])
    #expect(await collect(client.subscribe(count(to: 1))) == ["1"])
  }

  @Test("The server refuses an unknown subprotocol with code 4406 (H6)")
  func subprotocol() async throws {
    let space = try await Space()
    let client = GraphQLClient([
      .subscription(Self.transport(space, subprotocol: "nope-ws"))
    ])
    #expect(
      await collect(client.subscribe(count(to: 1)))
        == ["transport: The connection was closed (4406: Subprotocol not acceptable)."])
  }

  @Test("An idle connection is closed, and opened again when an operation needs it (H6)")
  func lazy() async throws {
    let space = try await Space()
    var client: GraphQLClient? = client(space) { $0.idleTimeout = .zero }
    #expect(try await space.stats().socketsOpened == 0)
    for number in 1...2 {
      #expect(await collect(try #require(client).subscribe(count(to: 2))) == ["1", "2"])
      let stats = try await space.stats(when: "socketsClosed", reaches: number)
      #expect(stats.closingCodes == Array(repeating: 1000, count: number))
      #expect(stats.socketsOpened == number)
    }
    // Releasing the client closes the connection immediately.
    client = self.client(space) { $0.idleTimeout = .seconds(1000) }
    #expect(await collect(try #require(client).subscribe(count(to: 1))) == ["1"])
    #expect(try await space.stats().sockets == 1)
    client = nil
    #expect(
      try await space.stats(when: "socketsClosed", reaches: 3).closingCodes == [1000, 1000, 1000])
  }

  private let todoEvents = GraphQLOperation("subscription { todoEvents { kind } }")

  /// The `kind` of each event, in order.
  private func kinds(of stream: ResultStream) -> AsyncStream<String> {
    AsyncStream { kinds in
      let task = Task {
        for await result in stream {
          kinds.yield(
            result.data?["todoEvents"]?["kind"]?.string ?? "\(result.error.debugDescription)")
        }
        kinds.finish()
      }
      kinds.onTermination = { _ in task.cancel() }
    }
  }

  @Test(
    "After the server kills the connection, the client resubscribes and refetches watches (H6)",
    arguments: [4499, 1012, 0])
  func killed(code: Int) async throws {
    let space = try await Space()
    let client = client(space)
    var shown = client.watch(GraphQLOperation("{ post(id: \"p1\") { id title } }"))
      .makeAsyncIterator()
    #expect(await shown.next()?.data?["post"]?["title"]?.string == "Post 1")
    var events = kinds(of: client.subscribe(todoEvents)).makeAsyncIterator()
    _ = try await space.stats(when: "subscribers", reaches: 1)
    // Another client changes the post, and no event reports it.
    let other = GraphQLClient([.fetch(space.graphQL, .patient)])
    let renaming = GraphQLOperation(
      "mutation { updatePost(id: \"p1\", title: \"Changed\") { id } }")
    #expect(await other.mutate(renaming).error == nil)
    code == 0 ? try await space.abortSockets() : try await space.closeSockets(code: code)
    let changed = await reach(
      { await shown.next() }, until: { $0.data?["post"]?["title"]?.string == "Changed" })
    #expect(changed != nil)
    let stats = try await space.stats(when: "subscribers", reaches: 1)
    #expect(stats.socketsOpened == 2)
    _ = await other.mutate(GraphQLOperation("mutation { deleteTodo(id: \"3\") { id } }"))
    #expect(await events.next() == "deleted", "the subscription did not resume")
  }

  @Test("Header fields that come after a switch open no connection for an older operation (S5)")
  func lateHeaders() async throws {
    let space = try await Space()
    let asked = AsyncStream.makeStream(of: Void.self)
    let answer = AsyncStream.makeStream(of: Void.self)
    let url = try #require(space.view("socket").asWebSocket)
    var configuration = WebSocketConfiguration()
    configuration.acknowledgementTimeout = .seconds(600)
    let transport = try WebSocketTransport(
      url: url, socket: .curl,
      headers: {
        asked.continuation.yield()
        for await _ in answer.stream { break }
        return ["authorization": "bob"]
      }, configuration: configuration)
    let told = AsyncStream.makeStream(of: OperationResult.self)
    let client = GraphQLClient([
      MapExchange(result: { _, result in
        told.continuation.yield(result)
        return result
      }), .subscription(transport, kinds: everything),
    ])
    let mutation = GraphQLOperation("mutation { deleteTodo(id: \"3\") { id } }")
    let old = Task { await client.mutate(mutation) }
    for await _ in asked.stream { break }
    client.switchSession()
    #expect(await old.value.error?.code == .cancelled)
    answer.continuation.finish()
    var outcomes = told.stream.makeAsyncIterator()
    #expect(await outcomes.next()?.error?.code == .cancelled)
    #expect(try await space.stats().socketsOpened == 0)
  }

  @Test("After a server restart, the client resubscribes and refetches what is watched (H6)")
  func restarted() async throws {
    let first = try await IntegrationServer.own()
    let space = Space(on: first)
    let client = client(space)
    let watching = Task {
      for await _ in client.watch(GraphQLOperation("query Watched { requests }")) {}
    }
    var events = kinds(of: client.subscribe(todoEvents)).makeAsyncIterator()
    _ = try await space.stats(when: "subscribers", reaches: 1)
    _ = try await space.stats(when: "total", reaches: 1)
    try await first.end()
    let second = try await IntegrationServer.own(port: first.graphQLPort)
    _ = try await space.stats(when: "subscribers", reaches: 1)
    #expect(try await space.stats(when: "total", reaches: 1).operations["Watched"] == 1)
    _ = await client.mutate(GraphQLOperation("mutation { deleteTodo(id: \"3\") { id } }"))
    #expect(await events.next() == "deleted", "the subscription did not resume")
    watching.cancel()
    try await second.end()
  }
}
