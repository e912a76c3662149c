import TestSupport
import Testing
import Weir
import WeirNormalized
import WeirTesting

/// Watches of incomplete results that become complete although nothing that they show has changed (N4.1).
@Suite("Watches that what others bring makes complete", .timeLimit(.minutes(10)))
struct CompletedWatchTests {
  private static let operation = GraphQLOperation("{ item { id ... on Special { extra } } }")

  /// The second element of a watch, which waits for it when this returns.
  @MainActor
  private static func second(
    of operation: GraphQLOperation, in store: NormalizedStore, after first: (JSON?) -> Bool
  ) async -> Task<JSON?, Never> {
    let stream = store.watch(operation)
    var shown: JSON??
    let next = Task {
      var watch = stream.makeAsyncIterator()
      shown = await watch.next()
      // Nothing else runs on this actor before the watch waits.
      return await watch.next() ?? nil
    }
    await eventually { shown != nil }
    #expect(first(shown ?? nil))
    return next
  }

  private static func write(_ field: String, _ id: String, to store: NormalizedStore) throws {
    let data: JSONValue = .object([field: ["__typename": "Foo", "id": .string(id)]])
    let fields = field == "item" ? "id" : "id ... on Special { extra }"
    try store.write(data, for: GraphQLOperation(GraphQLDocument("{ \(field) { \(fields) } }")))
  }

  @Test("A watch wakes when a type condition turns out not to hold (N3.2, N4.1)")
  func refuted() async throws {
    let store = NormalizedStore()
    try Self.write("item", "1", to: store)
    let next = await Self.second(of: Self.operation, in: store) { $0 == nil }
    try Self.write("other", "2", to: store)
    #expect(await next.value?["item"]?["id"]?.string == "1")
  }

  @Test("A watch wakes when a response teaches a type condition below an optimistic result (N4.1)")
  func belowLayer() async throws {
    let gate = Gate()
    let (store, mutation) = await WokenWatchTests.storeWithLayer(gate)
    try Self.write("item", "1", to: store)
    let next = await Self.second(of: Self.operation, in: store) { $0 == nil }
    try Self.write("other", "2", to: store)
    #expect(await next.value?["item"]?["id"]?.string == "1")
    gate.open()
    await mutation.value
  }

  @Test("A watch wakes when an optimistic result teaches a type condition (N4.1, N6.1)")
  func fromLayer() async throws {
    let store = NormalizedStore()
    try Self.write("item", "1", to: store)
    let next = await Self.second(of: Self.operation, in: store) { $0 == nil }
    let gate = Gate()
    let server = ScriptedExchange { _ in
      await gate.pass()
      return .failure("offline")
    }
    let client = GraphQLClient([.normalizedCache(store), server])
    let add = GraphQLOperation("mutation { add { id } }").with {
      $0.optimisticData = ["add": ["__typename": "Special", "id": "9"]]
    }
    async let result = client.mutate(add)
    // No object has two types.
    #expect(await next.value?["item"]?["id"]?.string == "1")
    gate.open()
    _ = await result
  }

  @Test("A watch wakes when another operation's page information connects its pages (N4.1, N7)")
  func pageInformation() async throws {
    var configuration = NormalizedCacheConfiguration()
    configuration.fields["Query.todos"] = .connection()
    let store = NormalizedStore(configuration)
    let document: GraphQLDocument = """
      query ($first: Int, $after: String) {
        todos(first: $first, after: $after) { edges { node { id } } }
      }
      """
    func page(_ after: JSONValue?) -> GraphQLOperation {
      var variables: JSONValue = ["first": 2]
      variables["after"] = after
      return GraphQLOperation(document, variables: variables)
    }
    func data(_ ids: String...) -> JSONValue {
      let edges = ids.map { id -> JSONValue in
        ["__typename": "TodoEdge", "node": ["__typename": "Todo", "id": .string(id)]]
      }
      return ["todos": ["__typename": "TodoConnection", "edges": .array(edges)]]
    }
    func ids(_ data: JSON?) -> [String?]? {
      data?["todos"]?["edges"]?.elements.map { $0["node"]?["id"]?.string }
    }
    try store.write(data("1", "2"), for: page(nil))
    try store.write(data("3", "4"), for: page("c2"))
    let next = await Self.second(of: page(nil), in: store) { ids($0) == ["1", "2"] }
    for end in ["c9", "c2"] {
      let information: JSONValue = ["__typename": "PageInfo", "endCursor": .string(end)]
      try store.write(
        ["todos": ["__typename": "TodoConnection", "pageInfo": information]],
        for: GraphQLOperation("{ todos(first: 2) { pageInfo { endCursor } } }"))
    }
    #expect(ids(await next.value) == ["1", "2", "3", "4"])
  }

  @Test("A watch wakes even if another read of its operation was overtaken by a change (N4.1)")
  func overtaken() async throws {
    let writing = Locked<NormalizedStore?>(nil)
    let other = GraphQLOperation("{ todo { id other } }")
    var configuration = NormalizedCacheConfiguration()
    configuration.fields["Todo.loud", default: FieldPolicy()].computed = ComputedField(
      from: ["text"]
    ) { fields in
      let store = writing.withLock { store in
        defer { store = nil }
        return store
      }
      _ = try? store?.write(["todo": ["__typename": "Todo", "id": "1", "other": 1]], for: other)
      return fields["text"]?.value ?? .null
    }
    let store = NormalizedStore(configuration)
    func write(_ name: String) throws {
      let todo: JSONValue = .object(["__typename": "Todo", "id": "1", name: "x"])
      try store.write(
        ["todo": todo], for: GraphQLOperation(GraphQLDocument("{ todo { id \(name) } }")))
    }
    try write("text")
    let operation = GraphQLOperation("{ todo { id loud missing } }")
    let next = await Self.second(of: operation, in: store) { $0 == nil }
    writing.withLock { $0 = store }
    let client = GraphQLClient([.normalizedCache(store)])
    _ = client.peek(operation.with { $0.allowsPartialData = true })
    #expect(store.read(other) != nil)
    try write("missing")
    #expect(await next.value?["todo"]?["missing"]?.string == "x")
  }
  @Test("A watch wakes when another operation's token connects its pages (N4.1, N7)")
  func pageToken() async throws {
    let store = NormalizedStore(TokenPageTests.configuration())
    let plain = GraphQLOperation("{ listTodos(limit: 2) { items { id } } }")
    let items: JSONValue = [["__typename": "Todo", "id": "1"]]
    try store.write(["listTodos": ["__typename": "TodoConnection", "items": items]], for: plain)
    try store.write(
      TokenPageTests.data([2, 3], next: nil), for: TokenPageTests.page("t1"))
    let next = await Self.second(of: plain, in: store) {
      $0?["listTodos"]?["items"]?.count == 1
    }
    try store.write(
      ["listTodos": ["__typename": "TodoConnection", "nextToken": "t1"]],
      for: GraphQLOperation("{ listTodos(limit: 2) { nextToken } }"))
    #expect(await next.value?["listTodos"]?["items"]?.count == 3)
  }
}
