import Testing
import Weir
import WeirNormalized
import WeirTesting

/// Probable mistakes of the server or the configuration.
@Suite(.timeLimit(.minutes(10)), .overStorages)
struct DiagnosticTests {
  @Test(
    "A deleting mutation that fails removes nothing, even without an error path (N5.4)",
    arguments: [
      (#"{"delete":null}"#, [GraphQLError.PathElement.key("delete")], ["a", "b"]),
      (#"{"delete":null}"#, [], ["a", "b"]), (#"{"delete":true}"#, [], ["b"]),
      (#"{"delete":null}"#, [.key("other")], ["b"]),
    ])
  func failedDeletion(
    _ data: String, _ path: [GraphQLError.PathElement], _ texts: [String]
  ) async {
    var configuration = NormalizedCacheConfiguration()
    configuration.mutations["delete"] = .removing("Todo", idFrom: "id")
    let (client, store, _) = await OptimisticTests.setUp(configuration) { _ in
      .data(data, errors: [GraphQLError(message: "no", path: path)])
    }
    let result = await client.mutate(GraphQLOperation("mutation { delete(id: 1) }"))
    #expect(result.error != nil)
    #expect(OptimisticTests.texts(store) == texts)
  }

  @Test(
    "A deleting mutation names the entity by a string or a number of any size (N5.4)",
    arguments: [
      "1", "-1", "9223372036854775808", "12345678901234567890", "123456789012345678901234567890",
    ])
  func numbers(_ id: String) async throws {
    var configuration = NormalizedCacheConfiguration()
    configuration.mutations["delete"] = .removing("Todo", idFrom: "id")
    let server = ScriptedExchange.immediate { _ in .data(#"{"delete":true}"#) }
    let delete: GraphQLDocument = "mutation Delete($id: ID!) { delete(id: $id) }"
    for operation in [
      GraphQLOperation(GraphQLDocument("mutation { delete(id: \(id)) }")),
      GraphQLOperation(GraphQLDocument("mutation { delete(id: \"\(id)\") }")),
      GraphQLOperation(delete, variables: ["id": .string(id)]),
      GraphQLOperation(delete, variables: ["id": try JSONValue(parsing: id)]),
    ] {
      // A `Double` in variables is sent with the digits that it has.
      if id.count > 20, operation.text.contains("$id") { continue }
      let store = StoreKind.store(configuration)
      let todo = #"{"__typename":"Todo","id":\#(id),"text":"a"}"#
      try store.write(try JSON(parsing: "{\"todos\":[\(todo)]}"), for: OptimisticTests.todos)
      #expect(OptimisticTests.texts(store) == ["a"])
      _ = await GraphQLClient([.cache(store), server]).mutate(operation)
      #expect(OptimisticTests.texts(store) == [], "\(operation.text)")
    }
  }

  @Test("An object without a key, and one without a type, are reported once (N1.6)")
  func diagnostics() async {
    let told = Locked<[StoreDiagnostic]>([])
    var configuration = NormalizedCacheConfiguration()
    configuration.onDiagnostic = { diagnostic in told.withLock { $0.append(diagnostic) } }
    configuration.keys["Money"] = .embedded
    let store = StoreKind.store(configuration)
    let server = ScriptedExchange { _ in
      .data(#"{"a":{"__typename":"Box","x":1},"b":{"y":2},"c":{"__typename":"Money","z":3}}"#)
    }
    let client = GraphQLClient([.cache(store), server])
    let operation = GraphQLOperation("{ a { x } b { y } c { z } }")
    for _ in 0..<3 { _ = await client.query(operation.with { $0.requestPolicy = .networkOnly }) }
    #expect(told.withLock { $0.map(\.code) } == [.noKey, .noTypename])
  }

  @Test("A type without fields for a key in the schema, also a generated one, needs none (N1.6)")
  func typesWithoutKey() throws {
    let told = Told()
    var configuration = NormalizedCacheConfiguration()
    configuration.onDiagnostic = told.add
    configuration.keys["Code"] = .fields(["code"])
    configuration.schema = GraphQLSchema(
      generated: """
        type Query{size:Size book:Book code:Code other:Other}type Size{width:Int}
        type Book{id:ID width:Int}type Code{code:ID width:Int}
        """)
    let store = StoreKind.store(configuration)
    let members = ["Size", "Book", "Code", "Other"].map { type in
      "\"\(type.lowercased())\":{\"__typename\":\"\(type)\",\"width\":1}"
    }
    try store.write(
      try JSON(parsing: "{\(members.joined(separator: ","))}"),
      for: GraphQLOperation(
        "{ size { width } book { width } code { width } other { width } }"))
    #expect(
      told.all.filter { $0.code == .noKey }.map(\.message) == [
        "Query.book has an object of the type Book without a key.",
        "Query.code has an object of the type Code without a key.",
        "Query.other has an object of the type Other without a key.",
      ])
  }

  @Test(
    "Of many members that are not selected, some are reported, with a part of a long name (N1.6)")
  func unknownMembers() async throws {
    let told = Told()
    var configuration = NormalizedCacheConfiguration()
    configuration.onDiagnostic = told.add
    let store = StoreKind.store(configuration)
    let long = "title" + String(repeating: "x", count: 10_000)
    let names = ["titel", long] + (0..<5_000).map { "member\($0)" }
    let members = names.map { #""\#($0)":1"# }.joined(separator: ",")
    let server = ScriptedExchange.immediate { _ in
      .data(#"{"t":{"__typename":"T","id":"1","title":"a",\#(members)},\#(members)}"#)
    }
    let client = GraphQLClient([.cache(store), server])
    let query = GraphQLOperation(
      GraphQLDocument("{ t { id title \(long.prefix(70)) } }"))
    #expect(await client.query(query).data?["t"]?["title"]?.string == "a")
    let messages = told.all.filter { $0.code == .unknownMember }.map(\.message)
    #expect(messages.count == 100)
    #expect(messages.allSatisfy { $0.utf8.count < 250 })
    #expect(
      messages.contains { $0.hasPrefix("T has a member titel ") && $0.hasSuffix("mean title?") })
    let cut = messages.filter { $0.contains(" titlexxx") }
    #expect(
      cut.count == 2 && cut.allSatisfy { $0.contains("xxx… that") && $0.hasSuffix("ignored.") })
  }
}
