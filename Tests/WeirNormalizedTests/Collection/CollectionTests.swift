import TestSupport
import Testing
import Weir
import WeirNormalized
import WeirTesting

/// Sizes, and what is evicted when the store is too large.
@Suite(.timeLimit(.minutes(10)), .overStorages)
struct CollectionTests {
  static let one: GraphQLDocument = "query One($id: ID!) { todo(id: $id) { id text } }"

  static func todo(_ id: Int) -> GraphQLOperation {
    GraphQLOperation(one, variables: ["id": .string("\(id)")])
  }

  static func data(_ id: Int, length: Int = 200) -> JSON {
    let text = String(repeating: "x", count: length)
    return ConnectionTests.json(
      #"{"todo":{"__typename":"Todo","id":"\#(id)","text":"\#(text)"}}"#)
  }

  static func store(bytes: Int) -> NormalizedStore {
    var configuration = NormalizedCacheConfiguration()
    configuration.maximumBytes = bytes
    return StoreKind.store(configuration)
  }

  @Test(
    "A store stays within its budget by evicting what was used least recently (N8.2)",
    .not(.file, because: "memory is reloaded from the file, so everything is equally recent"))
  func budget() throws {
    let store = Self.store(bytes: 40_000)
    let batch = 1_000
    let last = StoreKind.scaled(2_000, by: 8) - 1
    for id in 0...last {
      try store.write(Self.data(id), for: Self.todo(id))
      // The first one is used all the time.
      #expect(store.read(Self.todo(0)) != nil)
      #expect(store.statistics.bytes <= 40_000 + batch)
    }
    #expect(store.read(Self.todo(last)) != nil)
    #expect(store.read(Self.todo(last - 9)) != nil)
    #expect(store.read(Self.todo(last / 2)) == nil)
    #expect(store.statistics.collected > last / 2)
    #expect(store.statistics.bytes > 20_000)
  }

  @Test("The variables of kept results count as bytes (N8.2)")
  func variables() throws {
    let store = Self.store(bytes: 100_000)
    let document: GraphQLDocument =
      "query One($id: ID!, $note: String) { todo(id: $id) { id text } }"
    let note = String(repeating: "x", count: 10_000)
    for number in 0..<100 {
      let operation = GraphQLOperation(
        document, variables: ["id": "1", "note": .string("\(number)\(note)")])
      try store.write(Self.data(1), for: operation)
      #expect(store.read(operation) != nil)
    }
    #expect(store.statistics.results <= 10)
    #expect(store.statistics.bytes <= 100_000 + 11_000)
  }

  @Test("A result that shows an entity made only by an optimistic result can be collected (N8.2)")
  func onlyOptimistic() async {
    var configuration = NormalizedCacheConfiguration()
    configuration.memberships = [ListMembership(of: "Todo", in: "Query.todos") { _, _ in true }]
    let store = StoreKind.store(configuration)
    let gate = Gate()
    let server = ScriptedExchange { operation in
      guard operation.kind == .mutation else { return .data(#"{"todos":[]}"#) }
      await gate.pass()
      return .failure("no")
    }
    let client = GraphQLClient([.cache(store), server])
    let todos = GraphQLOperation("{ todos { id text } }")
    _ = await client.query(todos)
    async let added = client.mutate(
      GraphQLOperation("mutation { add { id text } }").with {
        $0.optimisticData = ["add": ["__typename": "Todo", "id": "new", "text": "guess"]]
      })
    await server.received(2)
    #expect(await client.query(todos).data?["todos"]?.count == 1)
    store.collect(.bytes(0))
    gate.open()
    #expect(await added.error != nil)
    #expect(await client.query(todos).data?["todos"]?.count == 0)
  }

  @Test("A store over its budget also follows data that a response left unchanged (N8.2)")
  func unchangedList() async throws {
    let todos = GraphQLOperation("{ todos { id text } }")
    @Sendable func data(_ text: String) -> JSON {
      ConnectionTests.json(#"{"todos":[{"__typename":"Todo","id":"1","text":"\#(text)"}]}"#)
    }
    let longer = String(repeating: "b", count: 100)
    let store = Self.store(bytes: 0)
    try store.write(data("a"), for: todos)
    let client = GraphQLClient([
      .cache(store), ScriptedExchange.immediate { _ in OperationResult(data: data(longer)) },
    ])
    var watch = client.watch(todos.with { $0.requestPolicy = .networkOnly }).makeAsyncIterator()
    #expect(await watch.next()?.data?["todos"]?[0]?["text"]?.string == longer)
    try store.write(
      ConnectionTests.json(#"{"todo":{"__typename":"Todo","id":"1","text":"c"}}"#),
      for: Self.todo(1))
    // Over a storage, the data may have to be loaded first, beside which the watch shows the old.
    var shown = await watch.next()
    while shown?.isStale == true { shown = await watch.next() }
    #expect(shown?.data?["todos"]?[0]?["text"]?.string == "c")
  }

  @Test(
    "Names of fields with arguments do not accumulate (N8.2)",
    .not(.file, because: "the names are in memory only, and the test needs thousands of them"))
  func names() throws {
    let store = Self.store(bytes: 20_000)
    var most = 0
    for id in 0..<StoreKind.scaled(5_000, by: 8) {
      try store.write(Self.data(id), for: Self.todo(id))
      most = max(most, store.statistics.fields)
    }
    #expect(most < 500)
    #expect(store.statistics.records < 500)
  }

  @Test("Arguments of mutations do not accumulate, whatever their texts (N8.2)")
  func mutationArguments() async {
    let store = StoreKind.store()
    let client = GraphQLClient([
      .cache(store), ScriptedExchange.immediate { _ in .data(#"{"say":true}"#) },
    ])
    for number in 0..<StoreKind.scaled(100) {
      let text = JSONValue.string("text \(number)")
      let operation = GraphQLOperation(
        "mutation($t: String) { say(text: $t) }", variables: ["t": text]
      ).with { $0.optimisticData = ["say": true] }
      #expect(await client.mutate(operation).data?["say"]?.bool == true)
    }
    #expect(store.statistics.fields < 5)
  }

  @Test("Pinned data and everything it refers to stay until the pin is released (N8.2)")
  func pins() throws {
    let store = Self.store(bytes: 40_000)
    let pin = store.pin(Self.todo(0))
    try store.write(Self.data(0), for: Self.todo(0))
    for id in 1..<StoreKind.scaled(1_000, by: 8) {
      try store.write(Self.data(id), for: Self.todo(id))
    }
    #expect(store.read(Self.todo(0)) != nil)
    #expect(store.statistics.pinned == 1)
    pin.release()
    pin.release()
    #expect(store.statistics.pinned == 0)
    for id in 1_000..<1_000 + StoreKind.scaled(1_000, by: 8) {
      try store.write(Self.data(id), for: Self.todo(id))
    }
    #expect(store.read(Self.todo(0)) == nil)
  }

  @Test("Watched data stays, however much else is written (N8.2)")
  func watched() async throws {
    let store = Self.store(bytes: 40_000)
    let server = ScriptedExchange.immediate { _ in OperationResult(data: Self.data(0)) }
    let client = GraphQLClient([.dedup, .cache(store), server])
    var results = client.watch(Self.todo(0)).makeAsyncIterator()
    #expect(await results.next()?.data != nil)
    async let next = results.next()
    await eventually { store.statistics.watched > 0 }
    for id in 1..<StoreKind.scaled(1_000, by: 8) {
      try store.write(Self.data(id), for: Self.todo(id))
    }
    #expect(store.read(Self.todo(0)) != nil)
    #expect(server.operations.count == 1)
    try store.write(Self.data(0, length: 10), for: Self.todo(0))
    #expect(await next?.data?["todo"]?["text"]?.string?.count == 10)
    #expect(server.operations.count == 1)
  }

  @Test(
    "A single batch is stored even if it is larger than the budget (N8.2)",
    .not(.memoryOverFile, .file, because: "memory evicts it once the file has it"))
  func largeBatch() throws {
    let store = Self.store(bytes: 1_000)
    try store.write(Self.data(1), for: Self.todo(1))
    try store.write(Self.data(2, length: 5_000), for: Self.todo(2))
    #expect(store.read(Self.todo(2)) != nil)
    try store.write(Self.data(3), for: Self.todo(3))
    #expect(store.read(Self.todo(3)) != nil)
    #expect(store.read(Self.todo(2)) == nil)
  }

  static let list = GraphQLOperation("{ todos { id author { id } } }")

  static func list(_ ids: Range<Int>) -> JSON {
    let todos = ids.map {
      #"""
      {"__typename":"Todo","id":"\#($0)","author":{"__typename":"Author","id":"\#($0 / 10)"}}
      """#
    }
    return ConnectionTests.json("{\"todos\":[\(todos.joined(separator: ","))]}")
  }

  @Test("Exactly the entities that no root field leads to are collected (N8.2)")
  func unreachable() throws {
    let store = StoreKind.store()
    try store.write(Self.list(0..<1_000), for: Self.list)
    try store.write(Self.data(5), for: Self.todo(5))
    #expect(store.statistics.records == 1_103)
    #expect(store.collect() == 0)
    try store.update { $0.remove(.field("todos")) }
    #expect(store.collect() == 1_098)
    #expect(store.read(Self.todo(5)) != nil)
    #expect(store.statistics.records == 5)
    // Rows and keys are reused.
    try store.write(Self.list(500..<1_500), for: Self.list)
    #expect(store.read(Self.list)?["todos"]?.count == 1_000)
    #expect(store.statistics.records == 1_105)
  }

  @Test("After everything has been collected, nothing is left and the store still works (N8.2)")
  func everything() throws {
    let store = StoreKind.store()
    for round in 0..<3 {
      try store.write(Self.list(0..<500), for: Self.list)
      #expect(store.read(Self.list)?["todos"]?.count == 500)
      #expect(store.collect(.bytes(0)) == 550, "round \(round)")
      #expect(store.statistics.records == 3)
      #expect(store.statistics.results == 0)
      #expect(store.statistics.resultBytes == 0)
      #expect(store.read(Self.list) == nil)
    }
  }

  @Test("Sizes and counts can be read (N8.3)")
  func statistics() throws {
    let store = StoreKind.store()
    #expect(store.statistics.records == 3)
    #expect(store.statistics.results == 0)
    let empty = store.statistics.bytes
    try store.write(Self.list(0..<100), for: Self.list)
    _ = store.read(Self.list)
    let full = store.statistics
    #expect(full.records == 113)
    #expect(full.results == 1)
    #expect(full.recordBytes > 5_000)
    #expect(full.resultBytes > 5_000)
    #expect(full.bytes > empty)
    #expect((full.watched, full.pinned, full.layers) == (0, 0, 0))
  }

  @Test("A pinned list reads the same whatever is collected (N8.2)", arguments: 0..<8)
  func law(_ seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let store = Self.store(bytes: 30_000)
    let pin = store.pin(Self.list)
    try store.write(Self.list(0..<50), for: Self.list)
    var expected = 50
    for _ in 0..<StoreKind.scaled(300, by: 20) {
      switch random.below(5) {
      case 0:
        expected = random.below(50)
        try store.write(Self.list(0..<expected), for: Self.list)
      case 1: store.collect(.bytes(random.below(30_000)))
      case 2: store.collect()
      default:
        let id = random.below(400)
        try store.write(Self.data(id), for: Self.todo(id))
        #expect(store.read(Self.todo(id)) != nil)
      }
      #expect(store.read(Self.list)?["todos"]?.count == expected)
    }
    pin.release()
  }
}

extension CollectionTests {
  @Test("Data that is pinned twice stays until both pins are released (N8.2)")
  func pinnedTwice() throws {
    let store = Self.store(bytes: 40_000)
    let (first, second) = (store.pin(Self.todo(0)), store.pin(Self.todo(0)))
    for id in 0...1 { try store.write(Self.data(id), for: Self.todo(id)) }
    first.release()
    #expect(store.statistics.pinned == 1)
    store.collect(.bytes(0))
    #expect(store.read(Self.todo(0)) == Self.data(0) && store.read(Self.todo(1)) == nil)
    second.release()
    #expect(store.statistics.pinned == 0)
    store.collect(.bytes(0))
    #expect(store.read(Self.todo(0)) == nil)
  }
}
