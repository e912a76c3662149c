import Foundation
import Testing
import Weir
import WeirTesting

private struct Offline: Error {}

@Suite("Compose, fallback, context and local exchanges", .timeLimit(.minutes(10)))
struct ChainTests {
  @Test("Composed exchanges run in order, before the rest of the chain (A3)")
  func composeOrder() async {
    let passed = Locked([String]())
    let note: @Sendable (String) -> any Exchange = { name in
      MapExchange(
        operation: { operation in
          passed.withLock { $0.append("\(name)↓") }
          return operation
        },
        result: { _, result in
          passed.withLock { $0.append("\(name)↑") }
          return result
        })
    }
    let inner = ComposeExchange([note("b"), ComposeExchange([]), note("c")])
    let client = GraphQLClient([note("a"), inner, note("d"), postServer()])
    #expect(await client.query(postQuery()).title == "title 1")
    #expect(passed.withLock { $0 } == ["a↓", "b↓", "c↓", "d↓", "d↑", "c↑", "b↑", "a↑"])
  }

  @Test("Nested composed caches answer synchronously and receive invalidations (A3)")
  func composeState() async {
    let server = postServer()
    let caches = ComposeExchange([.dedup, ComposeExchange([.documentCache])])
    let client = GraphQLClient([caches, server])
    _ = await client.query(postQuery())
    #expect(client.peek(postQuery())?.title == "title 1")
    client.invalidate(types: "Post")
    #expect(client.peek(postQuery()) == nil)
    _ = await client.query(postQuery())
    client.switchSession()
    #expect(client.peek(postQuery()) == nil)
    #expect(await client.query(postQuery()).title == "title 3")
  }

  @Test("Invalidations reach composed exchanges from the end of the chain to its start (A3)")
  func composedOrder() {
    let told = Locked<[String]>([])
    func forgetful(_ name: String) -> Forgetful { Forgetful { told.withLock { $0.append(name) } } }
    let composed = ComposeExchange([forgetful("b"), forgetful("c")])
    GraphQLClient([forgetful("a"), composed, forgetful("d")]).clear()
    #expect(told.withLock { $0 } == ["d", "c", "b", "a"])
  }

  @Test("The fallback answers operations that reach it, and its error becomes the result (A3)")
  func fallback() async {
    let answering = GraphQLClient([.dedup, .documentCache, .fallback { _ in post("made up") }])
    #expect(await answering.query(postQuery()).title == "made up")
    #expect(await answering.mutate(updatePost).title == "made up")
    let failing = GraphQLClient([.fallback { _ in throw Offline() }])
    #expect(await failing.query(postQuery()).error?.underlying is Offline)
    let without = GraphQLClient([.dedup])
    #expect(await without.query(postQuery()).error?.code == .unhandled)
  }

  @Test("A context closure may suspend, and an error that it throws becomes the result (A3)")
  func context() async {
    let server = postServer()
    let client = GraphQLClient([
      .context { context, operation in
        await Task.yield()
        if operation.kind == .mutation { throw Offline() }
        context.headers["x-check"] = "passed"
      }, server,
    ])
    #expect(await client.query(postQuery()).title == "title 1")
    #expect(server.operations.first?.context.headers["x-check"] == "passed")
    #expect(await client.mutate(updatePost).error?.underlying is Offline)
    #expect(server.operations.count == 1)
  }

  @Test("Local operations are answered by name, and others pass through (A3)")
  func local() async {
    let server = postServer()
    let writes = Counter()
    let client = GraphQLClient([
      .dedup,
      .local([
        "Theme": .immediate { _ in ["theme": "dark"] },
        "SetTheme": .immediate { _ in ["count": .int(Int64(writes.next()))] },
        "Search": .asynchronous { operation in
          await Task.yield()
          return ["found": .string(String(decoding: operation.variables, as: UTF8.self))]
        },
        "Broken": .immediate { _ in throw Offline() },
        "Ticks": .stream { _ in .just([post("tick"), post("tock")]) },
      ]), .documentCache, server,
    ])
    let theme = GraphQLOperation("query Theme { theme }")
    #expect(client.peek(theme)?.data?["theme"]?.string == "dark")
    #expect(await client.query(theme).data?["theme"]?.string == "dark")
    let search = GraphQLOperation(
      "query Search($q: String) { found(q: $q) }", variables: ["q": "x"])
    #expect(await client.query(search).data?["found"]?.string == #"{"q":"x"}"#)
    let broken = await client.query(GraphQLOperation("query Broken { a }"))
    #expect(broken.error?.underlying is Offline)
    let ticks = GraphQLOperation("subscription Ticks { post { title } }")
    #expect(await client.subscribe(ticks).all() == ["tick", "tock"])
    #expect(await client.query(postQuery()).title == "title 1")
    #expect(server.operations.count == 1)
    // A mutation runs once.
    let write = GraphQLOperation("mutation SetTheme { count }")
    #expect(await client.mutate(write).data?["count"]?.int == 1)
  }

  @Test(
    "A local closure runs for a mutation or subscription only when its stream is iterated (A3)",
    arguments: ["mutation", "subscription"])
  func localEffects(kind: String) async {
    let calls = Locked([String]())
    let local = LocalExchange([
      "Change": .stream { operation in
        calls.withLock { $0.append(operation.name ?? "") }
        return .just(post("changed"))
      }
    ])
    let twice = InlineExchange { operation, forward in
      _ = forward(operation)
      return forward(operation)
    }
    let client = GraphQLClient([twice, local, postServer()])
    let operation = GraphQLOperation(GraphQLDocument(kind + " Change { post { title } }"))
    if operation.kind == .mutation {
      #expect(await client.mutate(operation).title == "changed")
    } else {
      #expect(await client.subscribe(operation).all() == ["changed"])
    }
    #expect(calls.withLock { $0 } == ["Change"])
  }

  @Test("A watch follows local state through a signal of its own (A3)")
  func localState() async {
    let theme = Locked("light")
    let changed = RefreshSource()
    let client = GraphQLClient([
      .dedup,
      .local([
        "Theme": .stream { _ in
          let signal = changed.signal
          return .just(post(theme.withLock { $0 }).refreshed(by: signal))
        }
      ]),
    ])
    let watcher = Watcher(client.watch(GraphQLOperation("query Theme { post { title } }")))
    #expect(await watcher.next(1) == ["light"])
    theme.withLock { $0 = "dark" }
    changed.fire()
    #expect(await watcher.next(1) == ["dark"])
  }

  @Test("An exchange adds to a result's extensions, and a watch still follows the result")
  func extensions() async throws {
    let trace = try JSON(parsing: Array(#"{"trace":"t1"}"#.utf8))
    let timing = ResultTiming(receivedAt: Date(timeIntervalSince1970: 7), duration: .seconds(2))
    let tracing = MapExchange(result: { _, result in
      var result = result
      result.extensions = trace
      result.timing = timing
      return result
    })
    let client = GraphQLClient([.dedup, tracing, .documentCache, postServer()])
    var results = client.watch(postQuery()).makeAsyncIterator()
    for title in ["title 1", "title 2"] {
      var result = await results.next()
      if result?.isStale == true { result = await results.next() }
      #expect(result?.title == title)
      #expect(result?.extensions == trace)
      #expect(result?.timing?.receivedAt == timing.receivedAt)
      client.invalidate(types: "Post")
    }
  }
}

/// Reports every invalidation that it receives.
private struct Forgetful: StatefulExchange {
  let tell: @Sendable () -> Void

  func execute(_ operation: GraphQLOperation, forward: Forward) -> ResultStream {
    forward(operation)
  }

  func invalidate(_ invalidation: Invalidation) { tell() }

  func switchSession(to session: Session) {}
}
