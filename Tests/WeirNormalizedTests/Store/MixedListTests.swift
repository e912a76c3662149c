import Testing
import Weir
@testable import WeirNormalized
@testable import WeirRecords
import WeirTesting

/// Lists with elements of several types.
@Suite(.timeLimit(.minutes(10)), .overStorages)
struct MixedListTests {
  private static let lists = GraphQLOperation(
    """
    { feed { id } rows { id } found { edges { node { id } } } pinned { entry(as: CARD) { id } } }
    """)

  /// Issues precede everything else.
  private static func data(ending end: String = #",{"__typename":"Note","id":"2"}"#) -> String {
    let entities = #"{"__typename":"Issue","id":"1"}"# + end
    let edges = entities.replacing("{", with: #"{"__typename":"Edge","node":{"#)
      .replacing("}", with: "}}")
    return #"""
      {"feed":[null,\#(entities)],"rows":[[null],[\#(entities)]],
       "found":{"__typename":"Found","edges":[{"__typename":"Edge","node":null},\#(edges)]},
       "pinned":[\#(edges.replacing("node", with: "entry").replacing("Edge", with: "Pin"))]}
      """#
  }

  @Test("An entity is removed from all lists, whatever else they contain (N5.3)")
  func removed() throws {
    let store = StoreKind.store()
    try store.write(try JSON(parsing: Self.data()), for: Self.lists)
    try store.update { $0.removeFromLists(Entity("Note", id: "2")) }
    #expect(try store.read(Self.lists) == JSON(parsing: Self.data(ending: "")))
  }

  @Test("A new entity makes all lists of its type stale, whatever else they contain (N5.4)")
  func added() async throws {
    let store = StoreKind.store()
    try store.write(try JSON(parsing: Self.data()), for: Self.lists)
    let client = GraphQLClient([
      .cache(store),
      ScriptedExchange.immediate { _ in .data(#"{"add":{"__typename":"Note","id":"3"}}"#) },
    ])
    _ = await client.mutate(GraphQLOperation("mutation { add { id } }"))
    #expect(
      store.explain(Self.lists).description == """
        stale
        feed is expired
        rows is expired
        found.edges is expired
        pinned is expired
        """)
  }

  @Test("Lists within objects of several types are found in a storage (N9.1)")
  func stored() async throws {
    let storage = TemporaryStorage()
    let page = GraphQLOperation(
      "{ blocks { ... on Hero { title } ... on Shelf { items { id } } } }")
    let first = NormalizedStore(storage: storage)
    try first.write(
      [
        "blocks": [
          nil, ["__typename": "Hero", "title": "a"],
          ["__typename": "Shelf", "items": [["__typename": "Note", "id": "1"]]],
        ]
      ], for: page)
    try await first.flush()
    let second = NormalizedStore(storage: storage)
    let client = GraphQLClient([
      .normalizedCache(second),
      ScriptedExchange.immediate { _ in .data(#"{"add":{"__typename":"Note","id":"2"}}"#) },
    ])
    _ = await client.mutate(GraphQLOperation("mutation { add { id } }"))
    await second.load(page)
    #expect(second.explain(page).description == "stale\nblocks.2.items is expired")
  }
}
