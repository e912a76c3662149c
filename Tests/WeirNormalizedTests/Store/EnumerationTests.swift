import Testing
import Weir
import WeirNormalized
import WeirTesting

/// The entities of a type that a store has.
@Suite(.timeLimit(.minutes(10)), .overStorages)
struct EnumerationTests {
  private static func store() async throws -> NormalizedStore {
    var configuration = NormalizedCacheConfiguration()
    configuration.possibleTypes["Person"] = ["Author", "Reader"]
    configuration.possibleTypes["Text"] = ["Draft", "Post", "Person"]
    configuration.groups = ["Draft": "Article", "Post": "Article"]
    let store = StoreKind.store(configuration)
    try store.write(
      [
        "all": [
          ["__typename": "Author", "id": "1", "name": "Ada"],
          ["__typename": "Author", "id": "2", "name": "Beth"],
          ["__typename": "Reader", "id": "1", "name": "Cleo"],
          ["__typename": "Draft", "id": "1", "name": "d"],
          ["__typename": "Post", "id": "2", "name": "p"],
          ["__typename": "Author", "name": "without a key"],
        ]
      ], for: GraphQLOperation("{ all { id name } }"))
    await store.load()
    return store
  }

  private static func keys(_ store: NormalizedStore, _ typename: String) -> [String] {
    store.entities(ofType: typename).map(\.description).sorted()
  }

  @Test("The entities of a type, an interface, or a type of a group can be listed")
  func listed() async throws {
    let store = try await Self.store()
    #expect(Self.keys(store, "Author") == ["Author:1", "Author:2"])
    #expect(Self.keys(store, "Person") == ["Author:1", "Author:2", "Reader:1"])
    #expect(Self.keys(store, "Draft") == ["Draft:1"])
    #expect(Self.keys(store, "Text") == ["Draft:1", "Post:2"])
    #expect(Self.keys(store, "Nothing") == [])
    #expect(Self.keys(store, "Query") == [])
    let name = try GraphQLFragment("fragment Name on Person { name }")
    let found = store.entities(ofType: "Person")
      .compactMap { store.read(name, of: $0)?["name"]?.string }
    #expect(found.sorted() == ["Ada", "Beth", "Cleo"])
  }

  @Test("A removed entity is not listed, one of an optimistic result is")
  func changed() async throws {
    let store = try await Self.store()
    try store.update { $0.remove(.entity(Entity("Author", id: "1"))) }
    #expect(Self.keys(store, "Author") == ["Author:2"])
    let gate = Gate()
    let server = ScriptedExchange { _ in
      await gate.pass()
      return .failure("no")
    }
    let client = GraphQLClient([.cache(store), server])
    async let result = client.mutate(
      GraphQLOperation("mutation { add { id name } }").with {
        $0.optimisticData = ["add": ["__typename": "Author", "id": "3", "name": "Dora"]]
      })
    await server.received(1)
    #expect(Self.keys(store, "Author") == ["Author:2", "Author:3"])
    gate.open()
    #expect(await result.error != nil)
    #expect(Self.keys(store, "Author") == ["Author:2"])
  }
}
