import Testing
import Weir
@testable import WeirNormalized
@testable import WeirRecords
import WeirTesting

/// Data that seems to show that a type condition does not hold, although it does.
@Suite("Type conditions that data seems to refute", .timeLimit(.minutes(10)), .overStorages)
struct RefutedConditionTests {
  private static let feed = GraphQLOperation("{ feed { id ... on Closable @defer { isClosed } } }")
  private static let part = #"{"feed":[{"__typename":"Note","id":"1"}]}"#
  private static let data = #"{"feed":[{"__typename":"Note","id":"1","isClosed":true}]}"#

  private static func isClosed(_ data: JSON?) -> Bool? { data?["feed"]?[0]?["isClosed"]?.bool }

  @Test(
    "A deferred part that never comes shows no type condition to be wrong (N3.2, N6.3)",
    arguments: [OperationError.Code.transport, .graphQL])
  func interrupted(_ code: OperationError.Code) async {
    let isFirst = Locked(true)
    let server = ScriptedExchange(streaming: { _ in
      guard isFirst.withLock({ $0.take() }) else { return .just(.data(Self.data)) }
      return ResultStream { yield in
        yield(.data(Self.part, hasNext: true))
        var last = OperationResult.data(Self.part)
        last.error = OperationError(code: code, message: "The rest did not come.")
        yield(last)
      }
    })
    let client = GraphQLClient([.cache(StoreKind.store()), server])
    #expect(Self.isClosed(await client.query(Self.feed).data) == nil)
    #expect(Self.isClosed(await client.query(Self.feed).data) == true)
  }

  @Test("A response corrects what data written by hand seemed to show about a condition (N3.2)")
  func handWritten() async throws {
    let part = try JSON(parsing: Self.part)
    let writes: [(NormalizedStore) throws -> Void] = [
      { try $0.write(part, for: Self.feed) },
      { try $0.update { try $0.write(part, for: Self.feed) } },
    ]
    for write in writes {
      let store = StoreKind.store()
      try write(store)
      let client = GraphQLClient([
        .cache(store), ScriptedExchange.immediate { _ in .data(Self.data) },
      ])
      let feed = Self.feed.with { $0.requestPolicy = .networkOnly }
      #expect(Self.isClosed(await client.query(feed).data) == true)
      #expect(Self.isClosed(store.read(Self.feed)) == true)
    }
  }

  /// A client whose server gives the type `Note` an interface after its first answer.
  private static func client(
    _ store: NormalizedStore, first: String = part, then second: String = data
  ) -> GraphQLClient {
    let isFirst = Locked(true)
    return GraphQLClient([
      .cache(store),
      ScriptedExchange.immediate { _ in .data(isFirst.withLock { $0.take() } ? first : second) },
    ])
  }

  @Test("A member that a condition selects shows the condition to hold after all (N3.2)")
  func relearned() async throws {
    let store = StoreKind.store()
    let client = Self.client(store)
    let feed = Self.feed.with { $0.requestPolicy = .networkOnly }
    _ = await client.query(feed)
    #expect(Self.isClosed(store.read(Self.feed)) == nil)
    for _ in 0..<2 {
      #expect(Self.isClosed(await client.query(feed).data) == true)
      #expect(Self.isClosed(store.read(Self.feed)) == true)
    }
  }

  @Test("Keys and groups within such a member are found before the lock is taken (N1.2, N3.2)")
  func closures() async throws {
    let part = #"{"feed":[{"__typename":"Note","id":"1"}]}"#
    let whole = """
      {"feed":[{"__typename":"Note","id":"1","closedBy":{"__typename":"Person","code":"Ann"}}]}
      """
    let feed = GraphQLOperation("{ feed { id ... on Closable { closedBy { code } } } }")
    let used = Locked<NormalizedStore?>(nil)
    var configuration = NormalizedCacheConfiguration()
    configuration.keys["Person"] = .computed { $0["code"]?.string?.lowercased() }
    configuration.groupOfType = { _ in
      // Waits for ever if the store is locked.
      _ = used.withLock { $0 }?.pin(Self.feed)
      return nil
    }
    let store = StoreKind.store(configuration)
    used.withLock { $0 = store }
    let client = Self.client(store, first: part, then: whole)
    for _ in 0..<2 { _ = await client.query(feed.with { $0.requestPolicy = .networkOnly }) }
    let person = try GraphQLFragment("fragment P on Person { code }")
    #expect(store.read(person, of: Entity("Person", id: "ann"))?["code"]?.string == "Ann")
    used.withLock { $0 = nil }
  }

  @Test("Operations that have left a field out show it when the condition holds (N3.2, N4.1)")
  func others() async throws {
    let store = StoreKind.store()
    let client = Self.client(
      store, first: #"{"notes":[{"__typename":"Note","id":"1"},{"__typename":"Note","id":"2"}]}"#)
    let notes = GraphQLOperation("{ notes { id ... on Closable { isClosed } } }")
    var watch = store.watch(notes).makeAsyncIterator()
    _ = await client.query(notes)
    #expect(await watch.next()??["notes"]?.count == 2)
    let next = Task { [watch] in
      var watch = watch
      return await watch.next()
    }
    #expect(store.read(notes) != nil)
    _ = await client.query(Self.feed)
    #expect(Self.isClosed(store.read(Self.feed)) == true)
    // Whether the second note is closed is unknown.
    #expect(store.read(notes) == nil)
    #expect(await next.value == .some(nil))
  }

  @Test("A condition within another one is learned again, and so is one on a nested object (N3.2)")
  func nested() async throws {
    let store = StoreKind.store()
    let document = GraphQLOperation(
      "{ feed { id ... on Node { ... on Closable { isClosed } } o { id ... on I { a { b } } } } }")
    func note(_ own: String, _ inner: String) -> String {
      """
      {"feed":[{"__typename":"Note","id":"1"\(own),"o":{"__typename":"O","id":"1"\(inner)}},
      {"__typename":"Note","id":"2"\(own),"o":{"__typename":"O","id":"2"\(inner)}}]}
      """
    }
    let whole = note(#","isClosed":true"#, #","a":{"__typename":"A","b":3}"#)
    let client = Self.client(store, first: note("", ""), then: whole)
    for _ in 0..<3 { _ = await client.query(document.with { $0.requestPolicy = .networkOnly }) }
    #expect(store.read(document)?["feed"]?[1]?["isClosed"]?.bool == true)
    #expect(store.read(document)?["feed"]?[1]?["o"]?["a"]?["b"]?.int == 3)
  }

  @Test("An interface's name, written by hand as a type, does not hide its fields (N3.2)")
  func interfaceAsType() async throws {
    let store = StoreKind.store()
    try store.write(
      ["feed": [["__typename": "Closable", "id": "9"]]], for: GraphQLOperation("{ feed { id } }"))
    let client = Self.client(store, first: Self.data)
    #expect(Self.isClosed(await client.query(Self.feed).data) == true)
    #expect(Self.isClosed(store.read(Self.feed)) == true)
  }

  @Test("A condition that selects nothing of its own assumes nothing (N3.2)")
  func selectingNothing() async throws {
    let store = StoreKind.store()
    let todos = GraphQLOperation(
      "{ todos { id o { a } ... on Node { id } ... on Item { o { a } } ... on Task { t } } }")
    let todo = #"{"__typename":"Todo","id":"1","o":{"__typename":"O","a":1}}"#
    let client = Self.client(store, first: "{\"todos\":[\(todo)]}")
    _ = await client.query(todos)
    #expect(store.read(todos) != nil)
    let bindings = todos.bindings(store.catalog)
    let root = bindings.shape(bindings.plan.root, RootType.query.type, isRoot: true)
    let node = try #require(root.fields[0].child)
    let shape = bindings.shape(node, try #require(store.catalog.knownType(named: "Todo")))
    #expect(shape.assumptions == nil && shape.assumedVersion == nil)
  }
}

extension Bool {
  /// Returns the value, and makes it false.
  fileprivate mutating func take() -> Bool {
    defer { self = false }
    return self
  }
}
