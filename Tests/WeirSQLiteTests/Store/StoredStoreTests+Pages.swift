import Testing
import Weir
import WeirNormalized
import WeirTesting

extension StoredStoreTests {
  // MARK: - Pages (N7, N9.1)

  @Test("The newer page of a connection is known after a restart (N7)")
  func pageOrder() async throws {
    var configuration = NormalizedCacheConfiguration()
    configuration.fields["Query.items"] = .connection()
    func page(_ count: Int) -> GraphQLOperation {
      GraphQLOperation(
        "query ($n: Int) { items(first: $n) { total nodes { id } pageInfo { endCursor } } }",
        variables: ["n": .int(Int64(count))])
    }
    func data(_ count: Int, total: Int) -> JSONValue {
      let nodes = (1...count).map { number -> JSONValue in
        ["__typename": "Item", "id": .string("\(number)")]
      }
      return [
        "items": [
          "__typename": "Items", "total": .int(Int64(total)), "nodes": .array(nodes),
          "pageInfo": ["__typename": "PageInfo", "endCursor": .string("c\(count)")],
        ]
      ]
    }
    for order in [[1, 2, 3], [3, 2, 1], [2, 3, 1]] {
      let medium = try Place.file.medium()
      for count in order {
        // Each page is written in a separate run.
        let store = medium.store(configuration)
        try store.write(data(count, total: count), for: page(count))
        try await store.flush()
      }
      let store = medium.store(configuration)
      for count in 1...3 { _ = await store.load(page(count)) }
      #expect(store.read(page(1))?["items"]?["total"]?.int.map(Int.init) == order.last)
      // The pages keep their order when they are saved again with other data.
      try store.write(["other": 1], for: GraphQLOperation("{ other }"))
      try await store.flush()
      let copy = NormalizedStore(configuration)
      try copy.restore(store.extract())
      #expect(copy.read(page(1))?["items"]?["total"]?.int.map(Int.init) == order.last)
    }
  }

  @Test("Pages by token form one list after a restart, of which the newer ones are right (N7)")
  func tokenPages() async throws {
    var configuration = NormalizedCacheConfiguration()
    configuration.fields["Query.items"] = .tokenPages()
    func page(_ limit: Int64, _ token: JSONValue = .null) -> GraphQLOperation {
      GraphQLOperation(
        "query ($n: Int, $t: String) { items(limit: $n, nextToken: $t) { items { id } nextToken } }",
        variables: ["n": .int(limit), "t": token])
    }
    let pages: [(GraphQLOperation, [Int64], JSONValue)] = [
      (page(1), [1], "t1"), (page(1, "t1"), [], "t2"), (page(1, "t2"), [3], .null),
    ]
    let medium = try Place.file.medium()
    func write(_ page: GraphQLOperation, _ ids: [Int64], _ token: JSONValue) async throws {
      let store = medium.store(configuration)
      let items = ids.map { ["__typename": "Item", "id": .int($0)] as JSONValue }
      try store.write(
        ["items": ["__typename": "Items", "items": .array(items), "nextToken": token]], for: page)
      try await store.flush()
    }
    func check(_ ids: [Int64], _ pages: [GraphQLOperation]) async {
      for page in pages {
        let shown = await medium.store(configuration).load(page)?["items"]
        #expect(shown?["items"]?.elements.map { $0["id"]?.int } == ids)
        #expect(shown?["nextToken"]?.isNull == true)
      }
    }
    for (page, ids, token) in pages { try await write(page, ids, token) }
    await check([1, 3], pages.map(\.0))
    try await write(page(5), [1, 2, 3], .null)
    await check([1, 2, 3], pages.map(\.0) + [page(5)])
    // Pages that come again as they were are the newer ones.
    for (page, ids, token) in pages.reversed() { try await write(page, ids, token) }
    await check([1, 3], pages.map(\.0) + [page(5)])
  }

  @Test("Memory alone gives no result that lacks data in the storage (N9.1)")
  func wholeAnswers() async throws {
    var configuration = NormalizedCacheConfiguration()
    configuration.dropsDangling = true
    configuration.fields["Query.feed"] = .offsetPages()
    func page(_ offset: Int64) -> GraphQLOperation {
      GraphQLOperation(
        "query Page($offset: Int) { feed(offset: $offset, limit: 1) { id } }",
        variables: ["offset": .int(offset)])
    }
    let partly = GraphQLOperation("{ todos { id text } other }").with {
      $0.allowsPartialData = true
    }
    let server = ScriptedExchange.immediate { operation in
      operation.kind == .mutation
        ? .data(#"{"rename":{"__typename":"Todo","id":"1","text":"new"}}"#)
        : .data(#"{"feed":[{"__typename":"Todo","id":"1"}]}"#)
    }
    let medium = try Place.memory.medium()
    let first = medium.store(configuration)
    try first.write(Todos.data, for: Todos.all)
    for offset: Int64 in 0..<2 {
      try first.write(
        ["feed": [["__typename": "Todo", "id": .string("\(offset + 1)")]]], for: page(offset))
    }
    try await first.flush()
    let client = GraphQLClient([.normalizedCache(medium.store(configuration)), server])
    // It loads the list and one of its elements; the request brings one of the pages.
    _ = await client.mutate(GraphQLOperation("mutation { rename { id text } }"))
    _ = await client.query(page(0).with { $0.requestPolicy = .networkOnly })
    for _ in 0..<2 {
      #expect(await client.query(partly).data?["todos"]?.count == 3)
      let all = await client.query(Todos.all)
      #expect(Todos.texts(all.data) == ["new", "text 2", "text 3"])
      #expect(await client.query(page(0)).data?["feed"]?.count == 2)
      #expect(client.peek(page(0))?.data?["feed"]?.count == 2)
    }
    #expect(server.operations.count == 2)
  }

  @Test("A closure gets numbered pages in the same order after a restart (N7)")
  func numberedPages() async throws {
    var configuration = NormalizedCacheConfiguration()
    configuration.fields["Query.feed"] = .pages(arguments: ["page"]) { $0.existing + $0.incoming }
    func page(_ number: Int64) -> GraphQLOperation {
      GraphQLOperation(
        "query Page($page: Int) { feed(page: $page) { id } }", variables: ["page": .int(number)])
    }
    func shown(_ data: JSON?) -> [String]? {
      data?["feed"]?.elements.map { $0["id"]?.string ?? "" }
    }
    let medium = try Place.memory.medium()
    let store = medium.store(configuration)
    for number: Int64 in [1, 12, 2] {
      let todo: JSONValue = ["__typename": "Todo", "id": .string("\(number)")]
      try store.write(["feed": [todo]], for: page(number))
    }
    #expect(shown(store.read(page(1))) == ["1", "2", "12"])
    try await store.flush()
    #expect(shown(await medium.store(configuration).load(page(12))) == ["1", "2", "12"])
  }

  @Test("An update and a load get the elements that only the storage has (N9.1)")
  func danglingElements() async throws {
    var configuration = NormalizedCacheConfiguration()
    configuration.dropsDangling = true
    configuration.mutations["add"] = MutationPolicy { _, transaction in
      try transaction.update(Todos.all) { data in
        data["todos"] = .array((data["todos"]?.array ?? []) + [Todos.todo("4")])
      }
    }
    let server = ScriptedExchange.immediate { operation in
      operation.text.contains("add")
        ? .data(#"{"add":{"__typename":"Todo","id":"4","text":"text 4"}}"#)
        : .data(#"{"rename":{"__typename":"Todo","id":"1","text":"text 1"}}"#)
    }
    let medium = try Place.memory.medium()
    let first = medium.store(configuration)
    try first.write(Todos.data, for: Todos.all)
    try await first.flush()
    for (mutation, count) in [
      ("mutation { rename { id text } }", 3), ("mutation { add { id text } }", 4),
    ] {
      let store = medium.store(configuration)
      let client = GraphQLClient([.normalizedCache(store), server])
      _ = await client.mutate(GraphQLOperation(GraphQLDocument(mutation)))
      #expect(await store.load(Todos.all)?["todos"]?.count == count)
      try await store.flush()
    }
  }
}
