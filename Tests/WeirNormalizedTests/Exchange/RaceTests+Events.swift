import Testing
import Weir
import WeirNormalized
import WeirTesting

/// Events of a membership's type while a list is requested. They may come faster than the server answers.
extension RaceTests {
  struct Event: CustomTestStringConvertible {
    let id: String
    var belongs: Bool? = true
    /// Nil for the first load.
    var cached: [String]? = ["1", "2"]
    let response: [String]
    let isRepeated: Bool

    var testDescription: String {
      "\(id) \(belongs.map { "\($0)" } ?? "nil") \(cached ?? []) \(response) \(isRepeated)"
    }
  }

  static let events: [Event] = [
    // The response agrees with the event.
    Event(id: "1", response: ["1", "2"], isRepeated: false),
    Event(id: "1", response: ["2", "1", "3"], isRepeated: false),
    Event(id: "8", belongs: false, response: ["1", "2"], isRepeated: false),
    // The response is newer than the cached list, and older than the event.
    Event(id: "1", response: ["2"], isRepeated: true),
    Event(id: "8", belongs: false, response: ["1", "2", "8"], isRepeated: true),
    // The event changes the cached list.
    Event(id: "9", response: ["1", "2"], isRepeated: true),
    Event(id: "1", belongs: false, response: ["1", "2"], isRepeated: true),
    Event(id: "1", belongs: nil, response: ["1", "2"], isRepeated: true),
    // There is no cached list.
    Event(id: "9", cached: nil, response: ["1"], isRepeated: true),
    Event(id: "1", belongs: false, cached: nil, response: ["1"], isRepeated: true),
  ]

  private static func event(_ item: JSONValue, _ number: Int = 1, of server: HeldServer) async {
    server.answer("Event", number, with: ["changed": item])
    let assignee = item["assignee"] == nil ? "" : "assignee"
    let event = GraphQLDocument("subscription Event { changed { id text \(assignee) } }")
    for await _ in server.client.subscribe(GraphQLOperation(event)) {}
  }

  @Test(
    "A list is requested again if it contradicts an event since its request (N5.3)",
    arguments: events, [false, true])
  func event(_ event: Event, isNews: Bool) async {
    var configuration = NormalizedCacheConfiguration()
    configuration.memberships = [
      ListMembership(of: "Todo", in: "Query.todos") { todo, _ in
        todo["text"] == "read" ? event.belongs : true
      }
    ]
    let server = HeldServer(StoreKind.store(configuration))
    func todos(_ ids: [String]) -> JSONValue { ["todos": .array(ids.map { Self.item($0) })] }
    if let cached = event.cached {
      server.answer("Todos", 1, with: todos(cached))
      _ = await server.client.query(Self.todos)
    }
    let number = event.cached == nil ? 1 : 2
    async let refetched = server.client.query(Self.todos.with { $0.requestPolicy = .networkOnly })
    await server.received("Todos", number)
    // Another query may have brought the same meanwhile, without a list.
    let known = ["1", "8", "9"].map { Self.item($0, isNews ? "text" : "read") }
    server.answer("Others", 1, with: ["others": .array(known)])
    _ = await server.client.query(Self.others)
    await Self.event(Self.item(event.id, "read"), of: server)
    server.answer("Todos", number + 1, with: todos(["1", "repeated"]))
    server.answer("Todos", number, with: todos(event.response))
    let ids = await Self.ids(refetched)
    #expect(ids == (event.isRepeated ? ["1", "repeated"] : event.response))
    #expect(server.count(of: "Todos") == (event.isRepeated ? number + 1 : number))
  }

  @Test(
    "The edges of a connection confirm its nodes only if they hold the same (N5.3)",
    arguments: [["2"], ["1", "2"]])
  func edgesAndNodes(response: [String]) async {
    var configuration = NormalizedCacheConfiguration()
    configuration.memberships = [ListMembership(of: "Todo", in: "Query.todos") { _, _ in true }]
    let server = HeldServer(StoreKind.store(configuration))
    func nodes(_ ids: [String]) -> JSONValue {
      ["todos": ["__typename": "Todos", "nodes": .array(ids.map { Self.item($0) })]]
    }
    let edges = ["1", "2"].map { id -> JSONValue in
      ["__typename": "TodoEdge", "node": Self.item(id)]
    }
    server.answer("Edges", 1, with: ["todos": ["__typename": "Todos", "edges": .array(edges)]])
    _ = await server.client.query(
      GraphQLOperation("query Edges { todos { edges { node { id text } } } }"))
    async let refetched = server.client.query(
      GraphQLOperation("query Todos { todos { nodes { id text } } }"))
    await server.received("Todos", 1)
    await Self.event(Self.item("1"), of: server)
    server.answer("Todos", 2, with: nodes(["1", "2"]))
    server.answer("Todos", 1, with: nodes(response))
    #expect(await refetched.data?["todos"]?["nodes"]?.count == 2)
    #expect(server.count(of: "Todos") == (response.count == 2 ? 1 : 2))
  }

  private static func query(_ text: String, _ variables: JSONValue) -> GraphQLOperation {
    GraphQLOperation(GraphQLDocument("query Todos\(text)"), variables: variables).with {
      $0.requestPolicy = .networkOnly
    }
  }

  enum Variant: CaseIterable { case argument, page, connection, owner }

  /// The configuration for a variant, and the queries for its two lists.
  private static func lists(
    _ variant: Variant
  ) -> (configuration: NormalizedCacheConfiguration, queries: [GraphQLOperation]) {
    var configuration = NormalizedCacheConfiguration()
    let belongs: @Sendable (JSONValue, JSONValue) -> Bool = { todo, arguments in
      todo["assignee"] == arguments["assignee"] ?? "ann"
    }
    configuration.memberships = [
      ListMembership(of: "Todo", in: "Query.todos") { belongs($0, $1) },
      ListMembership(of: "Todo", in: "Group.todos") { todo, _, group in
        todo["assignee"]?.string == group?.id
      },
    ]
    let fields = "{ id text assignee }"
    let queries: [GraphQLOperation]
    switch variant {
    case .argument:
      queries = ["ann", "carl"].map {
        query("($of: ID) { todos(assignee: $of) \(fields) }", ["of": .string($0)])
      }
    case .page:
      configuration.fields["Query.todos"] = .offsetPages()
      queries = [0, 1].map {
        query("($at: Int) { todos(offset: $at, limit: 1) \(fields) }", ["at": .int($0)])
      }
    case .connection:
      queries = ["ann", "carl"].map {
        query("($of: ID) { todos(assignee: $of) { nodes \(fields) } }", ["of": .string($0)])
      }
    case .owner:
      queries = ["ann", "carl"].map {
        query("($of: ID) { group(id: $of) { id todos \(fields) } }", ["of": .string($0)])
      }
    }
    return (configuration, queries)
  }

  private static func todo(_ id: String, _ assignee: String, _ text: String = "") -> JSONValue {
    [
      "__typename": "Todo", "id": .string(id), "text": .string(text),
      "assignee": .string(assignee),
    ]
  }

  private static func data(
    _ variant: Variant, _ list: Int, _ todos: [JSONValue]
  ) -> JSONValue {
    switch variant {
    case .argument, .page: ["todos": .array(todos)]
    case .connection: ["todos": ["__typename": "Todos", "nodes": .array(todos)]]
    case .owner:
      [
        "group": [
          "__typename": "Group", "id": list == 0 ? "ann" : "carl", "todos": .array(todos),
        ]
      ]
    }
  }

  private static func ids(_ data: JSON?) -> [String]? {
    let list = data?["todos"]?["nodes"] ?? data?["todos"] ?? data?["group"]?["todos"]
    return list?.elements.compactMap { $0["id"]?.string }
  }

  @Test(
    "A list that was not cached when an event came is requested again (N5.3)",
    arguments: Variant.allCases, [false, true])
  func otherVariant(_ variant: Variant, belongs: Bool) async {
    let (configuration, queries) = Self.lists(variant)
    let server = HeldServer(StoreKind.store(configuration))
    server.answer("Todos", 1, with: Self.data(variant, 0, [Self.todo("2", "ann")]))
    _ = await server.client.query(queries[0])
    async let second = server.client.query(queries[1])
    await server.received("Todos", 2)
    // It does not concern Ann's list, or the first page.
    let todo = Self.todo("1", belongs && variant != .page ? "carl" : "bob")
    server.answer("Others", 1, with: ["others": [todo]])
    _ = await server.client.query(
      GraphQLOperation("query Others { others { id text assignee } }"))
    await Self.event(todo, of: server)
    server.answer("Todos", 3, with: Self.data(variant, 1, []))
    server.answer("Todos", 2, with: Self.data(variant, 1, belongs ? [] : [Self.todo("1", "carl")]))
    _ = await second
    #expect(server.count(of: "Todos") == 3)
  }

  @Test(
    "Many events about entities whose place is undisputed repeat no request (N5.3)",
    arguments: Variant.allCases)
  func undisputed(_ variant: Variant) async {
    let (configuration, queries) = Self.lists(variant)
    let server = HeldServer(StoreKind.store(configuration))
    let (ann, carl) = (Self.todo("1", "ann"), Self.todo("2", "carl"))
    for (list, todos) in [[ann], variant == .page ? [] : [carl]].enumerated() {
      server.answer("Todos", list + 1, with: Self.data(variant, list, todos))
      _ = await server.client.query(queries[list])
    }
    server.answer("Others", 1, with: ["others": [Self.todo("3", "bob")]])
    _ = await server.client.query(
      GraphQLOperation("query Others { others { id text assignee } }"))
    async let refetched = server.client.query(queries[0])
    await server.received("Todos", 3)
    for number in 1...40 {
      let text = "\(number)"
      let todo = [
        Self.todo("1", "ann", text), Self.todo("2", variant == .page ? "bob" : "carl", text),
        Self.todo("3", "bob", text),
      ][number % 3]
      await Self.event(todo, number, of: server)
    }
    server.answer("Todos", 4, with: Self.data(variant, 0, []))
    server.answer("Todos", 3, with: Self.data(variant, 0, [ann]))
    #expect(await Self.ids(refetched.data) == ["1"])
    #expect(server.count(of: "Todos") == 3)
    #expect(
      server.client.peek(queries[0].with { $0.requestPolicy = .cacheFirst })?.isStale == false)
  }

  @Test("A watch under a stream of events repeats its first request once (N5.3, W4)")
  func watchUnderEvents() async {
    var configuration = NormalizedCacheConfiguration()
    configuration.memberships = [ListMembership(of: "Todo", in: "Query.todos") { _, _ in true }]
    let server = HeldServer(StoreKind.store(configuration))
    let watch = Task {
      for await result in server.client.watch(Self.todos) where !result.isStale { return result }
      return OperationResult()
    }
    server.answer("Todos", 3, with: Self.list("1", "2"))
    var number = 0
    for request in 1...2 {
      await server.received("Todos", request)
      for _ in 1...20 {
        number += 1
        await Self.event(Self.item("1", "\(number)"), number, of: server)
      }
      server.answer("Todos", request, with: Self.list("1", "2"))
    }
    #expect(await watch.value.data?["todos"]?[0]?["text"]?.string == "40")
    #expect(server.count(of: "Todos") == 2)
  }
}
