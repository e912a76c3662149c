import TestSupport
import Testing
import Weir
import WeirNormalized
import WeirTesting

/// Changes that wake a watch, and the data that it finds then.
@Suite("Watches that wait for something", .timeLimit(.minutes(10)))
struct WokenWatchTests {
  private static let fragment = Result { try GraphQLFragment("fragment Text on Todo { id text }") }
  private static let todos = GraphQLOperation("{ todos { id text } }")
  private static let todo = Entity("Todo", id: "7")

  private static func data(_ text: String) -> JSONValue {
    ["todos": [["__typename": "Todo", "id": "7", "text": .string(text)]]]
  }

  /// A store with an optimistic layer that stays until the gate is opened.
  static func storeWithLayer(_ gate: Gate) async -> (NormalizedStore, Task<Void, Never>) {
    let store = NormalizedStore()
    let server = ScriptedExchange { _ in
      await gate.pass()
      return .failure("offline")
    }
    let client = GraphQLClient([.normalizedCache(store), server])
    let mutation = GraphQLOperation("mutation { like { id } }").with {
      $0.optimisticData = ["like": ["__typename": "Like", "id": "1"]]
    }
    let task = Task { _ = await client.mutate(mutation) }
    await server.received(1)
    return (store, task)
  }

  @Test("A removed entity that returns below an optimistic result wakes its watch (N4.1, N4.2)")
  func returning() async throws {
    let gate = Gate()
    let (store, mutation) = await Self.storeWithLayer(gate)
    try store.write(Self.data("old"), for: Self.todos)
    try store.update { $0.remove(.entity(Self.todo)) }
    var watch = try store.watch(Self.fragment.get(), of: Self.todo).makeAsyncIterator()
    #expect(await watch.next() == .some(nil))
    let next = Task { [watch] in
      var watch = watch
      return await watch.next()??["text"]?.string
    }
    try store.write(Self.data("new"), for: Self.todos)
    #expect(await next.value == "new")
    gate.open()
    await mutation.value
  }

  @Test("A page that gets a field with arguments, which it lacked, is shown (N4.1, N7)")
  func unseenPage() async throws {
    var configuration = NormalizedCacheConfiguration()
    configuration.fields["Query.todos"] = .offsetPages(offset: "skip")
    let store = NormalizedStore(configuration)
    func page(_ skip: Int64, _ selection: String) -> GraphQLOperation {
      let document = GraphQLDocument(
        "query ($skip: Int) { todos(skip: $skip, limit: 1) { \(selection) } }")
      return GraphQLOperation(document, variables: ["skip": .int(skip)])
    }
    func todo(_ id: String) -> JSONValue {
      ["todos": [["__typename": "Todo", "id": .string(id), "text": "t"]]]
    }
    let rich = #"id text(lang: "de")"#
    try store.write(todo("1"), for: page(0, rich))
    try store.write(todo("2"), for: page(1, "id"))
    var watch = store.watch(page(0, rich)).makeAsyncIterator()
    #expect(await watch.next()??["todos"]?.count == 1)
    let text = GraphQLOperation(#"{ todo { id text(lang: "de") } }"#)
    try store.write(["todo": ["__typename": "Todo", "id": "2", "text": "zwei"]], for: text)
    #expect(await watch.next()??["todos"]?.count == 2)
  }

  @Test("Collections leave the data that a woken watch is about to read (N8.2)")
  @MainActor
  func collected() async throws {
    let store = NormalizedStore()
    try store.write(Self.data("old"), for: Self.todos)
    let stream = try store.watch(Self.fragment.get(), of: Self.todo)
    var isWaiting = false
    let next = Task {
      var watch = stream.makeAsyncIterator()
      _ = await watch.next()
      isWaiting = true
      return await watch.next()??["text"]?.string
    }
    await eventually { isWaiting }
    // The watch cannot run before the main actor is free.
    try store.write(Self.data("new"), for: Self.todos)
    for number in 0..<100 {
      _ = store.read(GraphQLOperation(GraphQLDocument("{ other\(number) }")))
    }
    store.collect(.bytes(0))
    #expect(await next.value == "new")
  }

  @Test("Invalidating an operation that a redirect answers sends a request (N4.2)")
  func redirected() async throws {
    var configuration = NormalizedCacheConfiguration()
    configuration.fields["Query.todo"] = .redirecting(to: "Todo", idFrom: "id")
    let store = NormalizedStore(configuration)
    let one = GraphQLOperation(
      "query ($id: ID!) { todo(id: $id) { id text } }", variables: ["id": "7"])
    let server = ScriptedExchange.immediate { _ in
      .data(#"{"todo":{"__typename":"Todo","id":"7","text":"new"}}"#)
    }
    let client = GraphQLClient([.normalizedCache(store), server])
    try store.write(Self.data("old"), for: Self.todos)
    var watch = client.watch(one).makeAsyncIterator()
    #expect(await watch.next()?.data?["todo"]?["text"]?.string == "old")
    #expect(server.operations.isEmpty)
    client.invalidate(one)
    while let result = await watch.next() {
      if !result.isStale, result.data?["todo"]?["text"]?.string == "new" { break }
    }
    #expect(server.operations.count == 1)
    #expect(await client.query(one).outcome == .hit)
  }

  @Test("A field that fails again does not make each execution send two requests (P4)")
  func failing() async throws {
    let store = NormalizedStore()
    let city = GraphQLOperation("{ city { id weather } }")
    let server = ScriptedExchange.immediate { _ in
      OperationResult(
        data: try? JSON(parsing: #"{"city":{"__typename":"City","id":"1","weather":null}}"#),
        error: OperationError(graphQLErrors: [
          GraphQLError(message: "No weather.", path: [.key("city"), .key("weather")])
        ]))
    }
    let client = GraphQLClient([.normalizedCache(store), server])
    try store.write(["city": ["__typename": "City", "id": "1", "weather": "sun"]], for: city)
    client.invalidate(types: "City")
    for count in 1...3 {
      let result = await client.query(city)
      #expect(!result.isStale && result.error?.code == .graphQL)
      #expect(server.operations.count == count)
    }
  }
}
