import Testing
import Weir
import WeirNormalized
import WeirTesting

/// A field that is null because of an error is missing, or is returned with its error on request
/// (N2.4).
@Suite(
  .timeLimit(.minutes(10)), .overStorages,
  .not(.file, because: "known errors are kept in memory only"))
struct KnownErrorTests {
  typealias Path = [GraphQLError.PathElement]

  let store = StoreKind.store()
  let server: ScriptedExchange
  let client: GraphQLClient

  init() {
    server = ScriptedExchange.immediate { operation in
      switch operation.name {
      case "Fields":
        .data(
          #"{"t":{"__typename":"T","id":"1","x":1,"y":null,"z":null}}"#,
          errors: [
            GraphQLError(
              message: "no y", path: [.key("t"), .key("y")], extensions: ["code": 7],
              otherMembers: ["type": "NONE"]),
            GraphQLError(message: "no z", path: [.key("t"), .key("z")]),
          ])
      case "Propagated":
        .data(
          #"{"u":null,"l":[{"__typename":"M","x":1},null],"m":null}"#,
          errors: [
            GraphQLError(message: "no u", path: [.key("u"), .key("x"), .key("y")]),
            GraphQLError(message: "no l", path: [.key("l"), .index(1), .key("x")]),
            GraphQLError(message: "no m", path: [.key("m"), .index(0), .key("x")]),
          ])
      case "Argument":
        .data(
          #"{"e":{"__typename":"E","y":null}}"#,
          errors: [GraphQLError(message: "no y", path: [.key("e"), .key("y")])])
      default: .failure("asked")
      }
    }
    client = GraphQLClient([.cache(store), server])
  }

  private func ask(_ text: String, showsErrors: Bool = true, partial: Bool = false) async
    -> OperationResult
  {
    await client.query(
      GraphQLOperation(GraphQLDocument(text)).with {
        $0.showsKnownErrors = showsErrors
        $0.allowsPartialData = partial
      })
  }

  @Test("A failed field is shown with its error, under the path of the query that reads it (N2.4)")
  func shown() async {
    _ = await client.query(GraphQLOperation("query Fields { t { id x y z } }"))
    let result = await ask("{ again: t { x why: y } }")
    #expect(result.outcome == .hit)
    #expect(result.data?["again"]?["x"]?.int == 1)
    #expect(result.data?["again"]?["why"]?.isNull == true)
    #expect(
      result.error?.graphQLErrors == [
        GraphQLError(
          message: "no y", path: [.key("again"), .key("why")], extensions: ["code": 7],
          otherMembers: ["type": "NONE"])
      ])
    #expect(result.missingPaths.isEmpty)
    #expect(server.operations.count == 1)
    #expect(await ask("{ t { x y } }", showsErrors: false).error?.message == "asked")
  }

  @Test("Errors that nullified a parent, a list or an element are shown there (N2.4)")
  func propagated() async {
    let text = "query Propagated { u { x { y } } l { x } m { x } }"
    let first = await ask(text)
    let again = await ask("{ u { x { y } } l { x } m { x } }")
    #expect(again.data == first.data)
    #expect(again.error?.graphQLErrors == first.error?.graphQLErrors)
    #expect(server.operations.count == 1)
  }

  @Test("A list of scalars with an element that failed is missing, or shown with its error (N2.4)")
  func scalarLists() async {
    let error = GraphQLError(
      message: "no tag", path: [.key("t"), .key("tags"), .index(1)])
    let server = ScriptedExchange.immediate { operation in
      let hasFailed = operation.name == "Failed"
      let tags = hasFailed ? #"["a",null]"# : #"["a","b"]"#
      return .data(
        #"{"t":{"__typename":"T","id":"1","tags":\#(tags)}}"#, errors: hasFailed ? [error] : [])
    }
    let client = GraphQLClient([.cache(store), server])
    let (failed, tags) = (GraphQLOperation("query Failed { t { id tags } }"), "{ t { id tags } }")
    let result = await client.query(failed)
    #expect(result.data?["t"]?["tags"]?.elements.map(\.isNull) == [false, true])
    #expect(store.read(GraphQLOperation(GraphQLDocument(tags))) == nil)
    let shown = await client.query(failed.with { $0.showsKnownErrors = true })
    #expect(shown.data?["t"]?["tags"]?.isNull == true)
    #expect(shown.error?.graphQLErrors == [error])
    #expect(server.operations.count == 1)
    _ = await client.query(GraphQLOperation(GraphQLDocument(tags)))
    _ = await client.query(failed.with { $0.requestPolicy = .networkOnly })
    let kept = store.read(GraphQLOperation(GraphQLDocument(tags)))?["t"]?["tags"]
    #expect(kept?.elements.map { $0.string } == ["a", "b"])
  }

  @Test("An event about the elements of a list that failed ends its error (N2.4, N5.3)")
  func event() async {
    var configuration = NormalizedCacheConfiguration()
    configuration.memberships = [ListMembership(of: "Todo", in: "Query.todos") { _, _ in true }]
    let server = ScriptedExchange.immediate { operation in
      operation.kind == .subscription
        ? .data(#"{"added":{"__typename":"Todo","id":"1","text":"new"}}"#)
        : .data(
          #"{"todos":null}"#, errors: [GraphQLError(message: "no todos", path: [.key("todos")])])
    }
    let client = GraphQLClient([.cache(StoreKind.store(configuration)), server])
    let todos = GraphQLOperation("{ todos { id text } }").with { $0.showsKnownErrors = true }
    for _ in 0..<2 { _ = await client.query(todos) }
    #expect(server.operations.count == 1)
    for await _ in client.subscribe(GraphQLOperation("subscription { added { id text } }")) {}
    _ = await client.query(todos)
    #expect(server.operations.count == 3)
  }

  @Test("With partial data, only fields without a known error are missing (N2.4)")
  func partial() async {
    _ = await client.query(GraphQLOperation("query Fields { t { id x y z } }"))
    let result = await ask("{ t { x y w } }", partial: true)
    #expect(result.outcome == .partial)
    #expect(result.missingPaths == [[.key("t"), .key("w")]])
    #expect(result.error?.graphQLErrors.map(\.message) == ["no y"])
    #expect(await ask("{ t { x y w } }").error?.message == "asked")
  }

  enum End: CaseIterable {
    case write, removal, invalidation, typeInvalidation, answer, clearing, collection
    case invalidationOfField, invalidationOfPrefix, invalidationOfType
  }

  @Test(
    "A known error is dropped when its field is written, removed or invalidated (N2.4)",
    arguments: End.allCases)
  func forgotten(end: End) async throws {
    let fields = GraphQLOperation("query Fields { t { id x y z } }")
    _ = await client.query(fields)
    let entity = Entity("T", id: "1")
    switch end {
    case .write:
      let data: JSONValue = ["t": ["__typename": "T", "id": "1", "x": 1, "y": 2]]
      let operation = GraphQLOperation("{ t { id x y } }")
      try store.write(data, for: operation)
      try store.update { $0.remove(.field("y", of: entity)) }
    case .removal: try store.update { $0.remove(.entity(entity)) }
    case .invalidation, .invalidationOfField, .invalidationOfPrefix, .invalidationOfType,
      .typeInvalidation:
      try invalidate(entity, by: end)
    case .answer:
      let answer: JSONValue = ["t": ["__typename": "T", "id": "1", "x": 1, "y": 2]]
      try store.write(answer, for: GraphQLOperation("{ t { id x y } }"))
      #expect(await ask("{ t { y } }").data?["t"]?["y"]?.int == 2)
      try store.update { $0.remove(.field("y", of: entity)) }
    case .clearing: client.clear()
    case .collection:
      try store.update { $0.remove(.field("t")) }
      #expect(store.collect() > 0)
      // The next record reuses the row of the collected one.
      let other: JSONValue = ["t": ["__typename": "T", "id": "2", "x": 1]]
      try store.write(other, for: GraphQLOperation("{ t { id x } }"))
    }
    #expect(await ask("{ t { y } }").error?.message == "asked")
  }

  private func invalidate(_ entity: Entity, by end: End) throws {
    if end == .typeInvalidation { return client.invalidate(types: "T") }
    try store.update { transaction in
      switch end {
      case .invalidationOfField: transaction.invalidate(.field("y", of: entity))
      case .invalidationOfPrefix: transaction.invalidate(.prefix("T:"))
      case .invalidationOfType: transaction.invalidate(.type("T"))
      default: transaction.invalidate(.entity(entity))
      }
    }
  }

  @Test(
    "A watch that shows a known error asks again when it is invalidated (N2.4, N4.1)",
    arguments: [
      .invalidation, .invalidationOfField, .invalidationOfPrefix, .invalidationOfType,
      .typeInvalidation,
    ] as [End])
  func watch(end: End) async throws {
    _ = await client.query(GraphQLOperation("query Fields { t { id x y z } }"))
    let operation = GraphQLOperation("{ t { y } }").with { $0.showsKnownErrors = true }
    var watch = client.watch(operation).makeAsyncIterator()
    let shown = await watch.next()
    #expect(shown?.error?.message.contains("no y") == true)
    async let woken = watch.next()
    try invalidate(Entity("T", id: "1"), by: end)
    #expect(await woken?.isStale == true)
  }

  @Test("An invalidated type also drops the errors of its fields with arguments (N2.4)")
  func arguments() async {
    _ = await client.query(GraphQLOperation("query Argument { e { y(n: 1) } }"))
    #expect(await ask("{ e { y(n: 1) } }").outcome == .hit)
    client.invalidate(types: "E")
    #expect(await ask("{ e { y(n: 1) } }").error?.message == "asked")
  }

  @Test("Of the errors of thousands of fields, the last are kept (N2.4)")
  func bounded() async {
    let requested = Locked(0..<0)
    let server = ScriptedExchange.immediate { _ in
      let ids = requested.withLock(\.self)
      return .data(
        "{\(ids.map { "\"t\($0)\":null" }.joined(separator: ","))}",
        errors: ids.map { GraphQLError(message: "no t", path: [.key("t\($0)")]) })
    }
    let client = GraphQLClient([.cache(store), server])
    func ask(_ ids: Range<Int>) async -> Bool {
      let before = server.operations.count
      requested.withLock { $0 = ids }
      let fields = ids.map { "t\($0): t(id: \($0)) { id }" }.joined(separator: " ")
      let operation = GraphQLOperation(GraphQLDocument("{ \(fields) }"))
      let result = await client.query(operation.with { $0.showsKnownErrors = true })
      #expect(result.error?.graphQLErrors.count == ids.count)
      return server.operations.count == before
    }
    for start in stride(from: 0, to: 5_000, by: 500) { _ = await ask(start..<start + 500) }
    #expect(await ask(4_999..<5_000))
    #expect(await !ask(0..<1))
  }

  @Test("Long errors are kept up to a number of bytes (N2.4)", arguments: [100_000, 2_000_000])
  func boundedBytes(length: Int) async {
    let server = ScriptedExchange.immediate { operation in
      let note = JSONValue.object(["note": .string(String(repeating: "x", count: length))])
      return .data(
        #"{"t":null}"#,
        errors: [GraphQLError(message: "no t", path: [.key("t")], extensions: note)])
    }
    let client = GraphQLClient([.cache(store), server])
    func ask(_ id: Int) async -> Bool {
      let before = server.operations.count
      let operation = GraphQLOperation(
        "query ($id: ID) { t(id: $id) { id } }", variables: ["id": .string("\(id)")])
      let result = await client.query(operation.with { $0.showsKnownErrors = true })
      #expect(result.error?.graphQLErrors.count == 1)
      return server.operations.count == before
    }
    for id in 0..<20 { _ = await ask(id) }
    #expect(await !ask(0))
    #expect(await ask(0) == (length < 1 << 20))
  }
}
