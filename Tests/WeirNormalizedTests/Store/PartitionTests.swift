import Foundation
import Testing
import Weir
import WeirTesting

@testable import WeirNormalized

/// Endpoints and headers keep the data of a store apart.
@Suite("Partitions of a store", .timeLimit(.minutes(10)), .overStorages)
struct PartitionTests {
  typealias Change = @Sendable (inout OperationContext) -> Void

  static let todo = GraphQLOperation(#"{ todo(id: "1") { id text } }"#)
  static let rename = GraphQLOperation("mutation { rename { id text } }")
  static let german: Change = { $0.headers["accept-language"] = "de" }
  static let all: [Change] = [
    german, { $0.headers["Accept-Language"] = "en" },
    { $0.endpoint = URL(string: "https://eu.example") },
    { $0.endpoint = URL(string: "https://us.example") },
  ]
  static let names = ["de", "en", "eu.example", "us.example"]

  static func name(of context: OperationContext) -> String {
    ["authorization", "accept-language"].compactMap { context.headers[$0] }.joined(separator: " ")
      + (context.endpoint?.host() ?? "")
  }

  static func server() -> ScriptedExchange {
    ScriptedExchange { operation in
      let text = name(of: operation.context)
      return operation.kind == .query
        ? .data(#"{"todo":{"__typename":"Todo","id":"1","text":"\#(text)"}}"#)
        : .data(#"{"rename":{"__typename":"Todo","id":"1","text":"\#(text) new"}}"#)
    }
  }

  static func text(_ data: JSON?) -> String? { data?["todo"]?["text"]?.string }

  static func context(_ change: Change) -> OperationContext {
    var context = OperationContext()
    change(&context)
    return context
  }

  @Test("German, English, and two endpoints get four answers with four requests (K3, K8)")
  func answers() async {
    let server = Self.server()
    let store = StoreKind.store()
    let client = GraphQLClient([.dedup, .cache(store), server])
    for _ in 0..<2 {
      for (change, name) in zip(Self.all, Self.names) {
        let operation = Self.todo.with(change)
        #expect(Self.text(await client.query(operation).data) == name)
        #expect(Self.text(client.peek(operation)?.data) == name)
        #expect(Self.text(store.read(operation)) == name)
      }
    }
    #expect(server.operations.count == 4)
    #expect(client.peek(Self.todo) == nil && store.read(Self.todo) == nil)
    #expect(Self.text(await client.query(Self.todo).data)?.isEmpty == true)
    #expect(Self.text(store.read(Self.todo.with { $0.headers["traceparent"] = "1" })) == "")
    #expect(store.statistics.results == 5)
  }

  @Test("A mutation writes into its own partition, and wakes the watches there (K8)")
  func mutation() async {
    let store = StoreKind.store()
    let client = GraphQLClient([.dedup, .cache(store), Self.server()])
    for change in Self.all { _ = await client.query(Self.todo.with(change)) }
    let watch = client.watch(Self.todo.with(Self.german)).makeAsyncIterator()
    let other = store.watch(Self.todo.with(Self.all[1])).makeAsyncIterator()
    var (german, english) = (watch, other)
    #expect(Self.text(await german.next()?.data) == "de")
    #expect(Self.text(await english.next() ?? nil) == "en")
    _ = await client.mutate(Self.rename.with(Self.german))
    #expect(Self.text(await german.next()?.data) == "de new")
    #expect(Self.text(store.read(Self.todo.with(Self.all[1]))) == "en")
    _ = await client.mutate(Self.rename.with(Self.all[1]))
    #expect(Self.text(await english.next() ?? nil) == "en new")
    #expect(Self.text(client.peek(Self.todo.with(Self.german))?.data) == "de new")
    #expect(Self.text(client.peek(Self.todo.with(Self.all[2]))?.data) == "eu.example")
  }

  @Test("An optimistic result is shown in its own partition (K8)")
  func optimistic() async {
    let gate = Gate()
    let server = ScriptedExchange { operation in
      if operation.kind == .mutation { await gate.pass() }
      return operation.kind == .query
        ? .data(#"{"todo":{"__typename":"Todo","id":"1","text":"old"}}"#) : .failure("no")
    }
    let client = GraphQLClient([.dedup, .cache(StoreKind.store()), server])
    _ = await client.query(Self.todo)
    _ = await client.query(Self.todo.with(Self.german))
    let mutation = Self.rename.with { context in
      Self.german(&context)
      context.optimisticData = ["rename": ["__typename": "Todo", "id": "1", "text": "soon"]]
    }
    async let renamed = client.mutate(mutation)
    await server.received(3)
    #expect(Self.text(client.peek(Self.todo.with(Self.german))?.data) == "soon")
    #expect(Self.text(client.peek(Self.todo)?.data) == "old")
    gate.open()
    #expect(await renamed.error != nil)
    #expect(Self.text(client.peek(Self.todo.with(Self.german))?.data) == "old")
  }

  @Test("Invalidation by type, of everything, and a new session reach all partitions (K8)")
  func invalidation() async {
    let server = Self.server()
    let store = StoreKind.store()
    let client = GraphQLClient([.dedup, .cache(store), server])
    let operations = Self.all.map { Self.todo.with($0) } + [Self.todo]
    let changes: [@Sendable () -> Void] = [
      { client.invalidate(types: "Todo") }, { client.clear() }, { client.switchSession() },
    ]
    for (round, change) in changes.enumerated() {
      for operation in operations { _ = await client.query(operation) }
      #expect(server.operations.count == (round + 1) * operations.count)
      change()
      for operation in operations { #expect(client.peek(operation)?.isStale ?? true) }
    }
    for operation in operations { #expect(store.read(operation) == nil) }
  }

  @Test("The invalidation of an operation concerns its own partition (K8)")
  func invalidationOfOperation() async {
    let server = Self.server()
    let client = GraphQLClient([.dedup, .cache(StoreKind.store()), server])
    for change in Self.all { _ = await client.query(Self.todo.with(change)) }
    client.invalidate(Self.todo.with(Self.german))
    for change in Self.all { _ = await client.query(Self.todo.with(change)) }
    #expect(server.operations.count == 5)
    #expect(server.operations.last?.context.headers["accept-language"] == "de")
  }

  @Test("Direct reads, writes and transactions choose a partition by a context (K8)")
  func direct() throws {
    let store = StoreKind.store()
    let german = store.partition(of: Self.context(Self.german))
    #expect(german === store.partition(of: Self.context { $0.headers["Accept-Language"] = "de" }))
    #expect(store.partition(of: OperationContext()) === store)
    try store.write(["todo": Self.object("plain")], for: Self.todo)
    try store.write(["todo": Self.object("de")], for: Self.todo.with(Self.german))
    #expect(Self.text(store.read(Self.todo)) == "plain")
    #expect(Self.text(german.read(Self.todo)) == "de")
    try german.update { transaction in
      try transaction.update(Self.todo) { $0["todo"]?["text"] = "neu" }
      try transaction.update(Self.todo.with(Self.german)) { $0["todo"]?["id"] = "1" }
    }
    #expect(Self.text(store.read(Self.todo.with(Self.german))) == "neu")
    #expect(Self.text(store.read(Self.todo)) == "plain")
    #expect(throws: StoreError.self) {
      try store.update { transaction in
        try transaction.write(["todo": Self.object("x")], for: Self.todo.with(Self.german))
      }
    }
    #expect(Self.text(store.read(Self.todo.with(Self.german))) == "neu")
  }

  static func object(_ text: String) -> JSONValue {
    ["__typename": "Todo", "id": "1", "text": .string(text)]
  }

  @Test("Two hundred users with tokens of their own never get each other's results (K8)")
  func users() async {
    let gate = Gate()
    let server = ScriptedExchange { operation in
      await gate.pass()
      let text = Self.name(of: operation.context)
      return .data(#"{"todo":{"__typename":"Todo","id":"1","text":"\#(text)"}}"#)
    }
    let client = GraphQLClient([.dedup, .cache(StoreKind.store()), server])
    let wrong = await withTaskGroup(of: Bool.self) { group in
      for number in 0..<400 {
        group.addTask {
          let token = "Bearer \(number % 200)"
          let operation = Self.todo.with { $0.headers["authorization"] = token }
          let first = Self.text(await client.query(operation).data)
          return first != token || Self.text(client.peek(operation)?.data) != token
        }
      }
      await server.received(200)
      gate.open()
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(wrong == 0)
    #expect(server.operations.count == 200)
  }

  @Test("All partitions together keep to the budget, and those in use stay (K8, N8.2)")
  func budget() async throws {
    var configuration = NormalizedCacheConfiguration()
    configuration.maximumBytes = 1 << 18
    let store = StoreKind.store(configuration)
    let client = GraphQLClient([.dedup, .cache(store), Self.server()])
    let kept = Self.todo.with { $0.headers["x-user"] = "kept" }
    var watch = client.watch(kept).makeAsyncIterator()
    _ = await watch.next()
    for number in 0..<100 {
      _ = await client.query(Self.todo.with { $0.headers["x-user"] = "\(number)" })
    }
    #expect(store.partitions.all.count < 25)
    #expect(client.peek(kept) != nil)
    #expect(store.collect(.bytes(0)) > 0)
  }
}
