import Testing
import Weir
import WeirTesting

extension DocumentCacheTests {
  // MARK: - Responses that are overtaken (C5)

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

  @Test("Further results of an execution reach the watches that show the first one (W3)")
  func furtherResults() async {
    let gates = [Gate(), Gate()]
    let server = ScriptedExchange(streaming: { _ in
      ResultStream { yield in
        yield(post("first"))
        await gates[0].pass()
        yield(post("second"))
        await gates[1].pass()
        yield(post("third"))
      }
    })
    let client = GraphQLClient([.dedup, .documentCache, server])
    let first = Watcher(client.watch(postQuery()))
    #expect(await first.next(1) == ["first"])
    let second = Watcher(client.watch(postQuery()))
    #expect(await second.next(1) == ["first"])
    for (gate, title) in zip(gates, ["second", "third"]) {
      gate.open()
      #expect(await first.next(1) == [title])
      #expect(await second.next(1) == [title])
    }
    #expect(client.peek(postQuery())?.title == "third")
    #expect(server.operations.count == 1)
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
}
