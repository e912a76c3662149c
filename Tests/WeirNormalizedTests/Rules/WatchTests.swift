import TestSupport
import Testing
import Weir
@testable import WeirNormalized
@testable import WeirRecords
import WeirTesting

/// Watches (N4) and the order of responses (N6.2) through the whole chain.
@Suite(.timeLimit(.minutes(10)), .overStorages)
struct WatchTests {
  private static func json(_ text: String) throws -> JSON { try JSON(parsing: text) }

  private static let named = GraphQLOperation("{ t { id name } }")

  private static func name(_ name: String) -> String {
    #"{"t":{"__typename":"T","id":"1","name":"\#(name)"}}"#
  }

  private static func shown(_ result: OperationResult?) -> String {
    guard let result else { return "end" }
    let data = result.data?["t"]?["name"]?.string ?? (result.data == nil ? "nothing" : "data")
    return data + (result.isStale ? " stale" : "") + (result.error == nil ? "" : " error")
  }

  @Test(
    "Removals, clear and writes by hand wake watches; equal data does not (N4.2, defects 5, 10)")
  func wakes() async throws {
    let store = StoreKind.store()
    let client = GraphQLClient([
      .dedup, .cache(store), ScriptedExchange.immediate { _ in .data(Self.name("a")) },
    ])
    var watch = client.watch(Self.named).makeAsyncIterator()
    #expect(Self.shown(await watch.next()) == "a")
    for _ in 0..<10 {
      _ = await client.query(Self.named.with { $0.requestPolicy = .networkOnly })
      try store.write(try Self.json(Self.name("a")), for: Self.named)
    }
    try store.write(try Self.json(Self.name("b")), for: Self.named)
    #expect(Self.shown(await watch.next()) == "b")
    try store.update { $0.remove(.entity(Entity("T", id: "1"))) }
    #expect(Self.shown(await watch.next()) == "b stale")
    #expect(Self.shown(await watch.next()) == "a")
    try store.write(try Self.json(Self.name("c")), for: Self.named)
    #expect(Self.shown(await watch.next()) == "c")
    client.clear()
    #expect(Self.shown(await watch.next()) == "c stale")
    #expect(Self.shown(await watch.next()) == "a")
  }

  @Test("A watch whose first fetch failed shows what another operation writes (N4.1, defect 5)")
  func failedFirst() async throws {
    let store = StoreKind.store()
    let client = GraphQLClient([
      .dedup, .cache(store), ScriptedExchange.immediate { _ in .failure("no") },
    ])
    var watch = client.watch(Self.named).makeAsyncIterator()
    #expect(Self.shown(await watch.next()) == "nothing error")
    try store.write(
      try Self.json(
        #"{"other":{"__typename":"T","id":"1","name":"x"},"t":{"__typename":"T","id":"1"}}"#),
      for: GraphQLOperation("{ other { id name } t { id } }"))
    #expect(Self.shown(await watch.next()) == "x")
  }

  @Test("A change of an object's type wakes its watches (N4.1)")
  func typeChange() async throws {
    var configuration = NormalizedCacheConfiguration()
    configuration.groups = ["A": "G", "B": "G"]
    let store = StoreKind.store(configuration)
    let operation = GraphQLOperation("{ t { id } }")
    try store.write(try Self.json(#"{"t":{"__typename":"A","id":"1"}}"#), for: operation)
    var watch = store.watch(operation).makeAsyncIterator()
    #expect(await watch.next()??["t"]?["__typename"]?.string == "A")
    async let next = watch.next()
    try store.write(
      try Self.json(#"{"u":{"__typename":"B","id":"1"}}"#), for: GraphQLOperation("{ u { id } }"))
    #expect(await next??["t"]?["__typename"]?.string == "B")
  }

  @Test(
    "Queries that overwrite each other's keyless list do not refetch forever (N4.4)",
    .not(.file, because: "after possible changes by another process both refetch"),
    arguments: [false, true])
  func keylessLists(isBelowLayer: Bool) async throws {
    let store = StoreKind.store()
    if isBelowLayer {
      _ = store.addLayer {
        try $0.write(["t": ["__typename": "T", "id": "1", "name": "guess"]], for: Self.named)
      }
    }
    // A client that is still requesting when the last write arrives gets the written value.
    let value = Locked(1)
    let server = ScriptedExchange.immediate { operation in
      let field = operation.text.contains("x") ? "x" : "y"
      return .data(#"{"l":[{"__typename":"M","\#(field)":\#(value.withLock(\.self))}]}"#)
    }
    let client = GraphQLClient([.dedup, .cache(store), server])
    // Each watch goes on until it shows the last write; before that they lose their data to each
    // other.
    let both = GraphQLOperation("{ l { x y } }")
    await withTaskGroup(of: Void.self) { group in
      let shown = ArrivalCount()
      for field in ["x", "y"] {
        group.addTask {
          for await result in client.watch(GraphQLOperation(GraphQLDocument("{ l { \(field) } }")))
          {
            let value = result.data?["l"]?[0]?[field]?.int
            if value == 1, !result.isStale { shown.add(1) }
            if value == 2 { return }
          }
        }
      }
      // Whether a watch emits again depends on which one is waiting when the other's data arrives.
      await shown.reaches(2)
      for _ in 0..<100 { await Task.yield() }
      value.withLock { $0 = 2 }
      if let data = try? Self.json(#"{"l":[{"__typename":"M","x":2,"y":2}]}"#) {
        #expect(throws: Never.self) { try store.write(data, for: both) }
      }
    }
    #expect(server.operations.count <= 8)
  }

  @Test("Ended watches leave no dependencies behind (N4.5)")
  func endedWatches() async throws {
    let store = StoreKind.store()
    let client = GraphQLClient([
      .cache(store), ScriptedExchange.immediate { _ in .data(#"{"f":1}"#) },
    ])
    // Dependencies of the last 64 uses are kept.
    let count = max(100, StoreKind.scaled(200))
    for number in 0..<count {
      let operation = GraphQLOperation(
        "query($n: Int) { f(n: $n) }", variables: ["n": .int(Int64(number))])
      var watch = client.watch(operation).makeAsyncIterator()
      _ = await watch.next()
      let waiting = Task { [watch] in
        var watch = watch
        return await watch.next()
      }
      await eventually { store.state.withLock { $0.results.dependencies.count } > 0 }
      waiting.cancel()
      _ = await waiting.value
      try store.write(try Self.json(#"{"g":\#(number)}"#), for: GraphQLOperation("{ g }"))
    }
    for number in 0..<count {
      try store.write(try Self.json(#"{"g":-\#(number)}"#), for: GraphQLOperation("{ g }"))
    }
    #expect(store.state.withLock { $0.results.dependencies.count } <= 64)
  }

  @Test("The later request wins, and mutations win over earlier requests (N6.2, defect 9)")
  func outOfOrder() async throws {
    let gates = (0..<3).map { _ in Gate() }
    let server = ScriptedExchange { operation in
      if operation.kind == .mutation {
        return .data(#"{"rename":{"__typename":"T","id":"1","name":"mutated"}}"#)
      }
      let number = operation.context.headers["x-request-id"].flatMap { Int($0) } ?? 0
      await gates[number].pass()
      return .data(Self.name("answer \(number)"))
    }
    let store = StoreKind.store()
    let client = GraphQLClient([.cache(store), server])
    func ask(_ number: Int) async -> String {
      Self.shown(
        await client.query(
          Self.named.with {
            $0.requestPolicy = .networkOnly
            $0.headers["x-request-id"] = "\(number)"
          }))
    }
    async let first = ask(0)
    await server.received(1)
    async let second = ask(1)
    await server.received(2)
    gates[1].open()
    #expect(await second == "answer 1")
    gates[0].open()
    #expect(await first == "answer 1")
    async let third = ask(2)
    await server.received(3)
    _ = await client.mutate(GraphQLOperation("mutation { rename { id name } }"))
    gates[2].open()
    #expect(await third == "mutated")
    #expect(store.read(Self.named)?["t"]?["name"]?.string == "mutated")
  }

  @Test("Subscription events wake watches, and are not replayed to the next one (N4.2, defect 8)")
  func subscription() async throws {
    let store = StoreKind.store()
    try store.write(try Self.json(Self.name("a")), for: Self.named)
    let events = #"{"changed":{"__typename":"T","id":"1","name":"event"}}"#
    let client = GraphQLClient([
      .dedup, .cache(store),
      ScriptedExchange.immediate {
        $0.text.contains("other") ? .data(#"{"other":1}"#) : .data(events)
      },
    ])
    var watch = client.watch(Self.named).makeAsyncIterator()
    #expect(Self.shown(await watch.next()) == "a")
    let operation = GraphQLOperation("subscription { changed { id name } }")
    var hasData: [Bool] = []
    for await event in client.subscribe(operation) { hasData.append(event.data != nil) }
    #expect(hasData == [true])
    #expect(Self.shown(await watch.next()) == "event")
    #expect(store.read(operation) == nil)
  }

  @Test("Data that only a layer has shown disappears with it (N6.1)")
  func layerRows() async throws {
    let store = StoreKind.store()
    let gate = Gate()
    let server = ScriptedExchange { _ in
      await gate.pass()
      return .failure("no")
    }
    let client = GraphQLClient([.cache(store), server])
    let mutation = GraphQLOperation("mutation { add { query { t { id name } } } }").with {
      $0.optimisticData = [
        "add": [
          "__typename": "Added",
          "query": [
            "__typename": "Query", "t": ["__typename": "T", "id": "1", "name": "soon"],
          ],
        ]
      ]
    }
    async let result = client.mutate(mutation)
    await server.received(1)
    #expect(store.read(Self.named)?["t"]?["name"]?.string == "soon")
    gate.open()
    #expect(await result.error != nil)
    #expect(store.read(Self.named) == nil)
  }
}
