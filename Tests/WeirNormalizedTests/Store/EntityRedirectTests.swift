import Testing
import Weir
import WeirNormalized
import WeirTesting

/// Fields whose arguments name the entities that they return (N1.2).
@Suite(.timeLimit(.minutes(10)), .overStorages)
struct EntityRedirectTests {
  private static func entities(_ typename: String, _ ids: [Int64]) -> JSONValue {
    .array(ids.map { ["__typename": .string(typename), "id": .int($0), "name": "a"] })
  }

  private static func store(
    _ configure: (inout NormalizedCacheConfiguration) -> Void
  ) throws -> NormalizedStore {
    var configuration = NormalizedCacheConfiguration()
    configure(&configuration)
    let store = StoreKind.store(configuration)
    try store.write(
      ["users": entities("User", [1, 2])], for: GraphQLOperation("{ users { id name } }"))
    return store
  }

  private static func ids(_ data: JSON?) -> [String?]? {
    data?["found"].map { $0.kind == .array ? $0.elements.map(text) : [text($0)] }
  }

  private static func text(_ entity: JSON) -> String? {
    entity["id"].map { "\(entity["__typename"]?.string ?? "") \($0.int ?? 0)" }
  }

  // MARK: - Paths

  /// The paths of a redirect, the arguments of a query with the variable `$id` of 2, and what is found.
  static let paths: [(FieldPolicy, String, [String?]?)] = [
    (.redirecting(to: "User", idFrom: "where.id"), "where: { id: 1 }", ["User 1"]),
    (.redirecting(to: "User", idFrom: "where.id"), "where: { id: $id }", ["User 2"]),
    (.redirecting(to: "User", idFrom: "where.id.eq"), "where: { id: { eq: $id } }", ["User 2"]),
    (
      .redirecting(to: "User", idFrom: "where.ids"), "where: { ids: [$id, 1] }",
      ["User 2", "User 1"]
    ),
    (.redirecting(to: "User", idFrom: "where.id"), "where: { id: null }", nil),
    (.redirecting(to: "User", idFrom: "where.id"), "where: { }", nil),
    (.redirecting(to: "User", idFrom: "where.id"), "where: [{ id: 1 }]", nil),
    (.redirecting(to: "User", idFrom: "where.id"), "id: 1", nil),
    (.redirecting(to: "User", idFrom: "where.id.eq"), "where: { id: 1 }", nil),
    (.redirecting(to: "User", idFrom: "where.id"), "where: { id: 3 }", nil),
  ]

  @Test("An id may be within an input object (N1.2)", arguments: paths.indices)
  func path(index: Int) throws {
    let (policy, arguments, ids) = Self.paths[index]
    let store = try Self.store { $0.fields["Query.found"] = policy }
    let query = GraphQLOperation(
      GraphQLDocument("query ($id: ID) { found(\(arguments)) { __typename id name } }"),
      variables: ["id": 2])
    #expect(Self.ids(store.read(query)) == ids)
  }

  @Test("The parts of a key may be within input objects (N1.2)")
  func pathsOfParts() throws {
    let store = try Self.store {
      $0.keys["Seat"] = .fields(["row", "number"])
      $0.fields["Query.found"] = .redirecting(to: "Seat", idsFrom: ["place.row", "number"])
    }
    try store.write(
      ["seats": [["__typename": "Seat", "row": "A", "number": 7, "isFree": true]]],
      for: GraphQLOperation("{ seats { row number isFree } }"))
    let seat = GraphQLOperation(#"{ found(number: 7, place: { row: "A" }) { isFree } }"#)
    #expect(store.read(seat)?["found"]?["isFree"]?.bool == true)
  }

  @Test("A later step of a path that the argument spells otherwise is reported (N1.7)")
  func misspelledStep() throws {
    let told = Told()
    let store = try Self.store {
      $0.onDiagnostic = told.add
      $0.fields["Query.found"] = .redirecting(to: "User", idFrom: "where.userID")
    }
    for arguments in ["where: { usrID: 1 }", "where: { userId: 1 }", "where: { userId: 1 }"] {
      try store.write(
        ["found": ["__typename": "User", "id": 1]],
        for: GraphQLOperation(GraphQLDocument("{ found(\(arguments)) { id } }")))
    }
    #expect(
      told.messages == ["The argument where.userID of Query.found has userId instead of userID."])
  }

  // MARK: - Interfaces

  private static let node = GraphQLOperation("{ found(id: 1) { __typename id name } }")
  private static let todos = GraphQLOperation("{ todos { id name } }")

  private static func nodeStore(
    _ configure: (inout NormalizedCacheConfiguration) -> Void = { _ in }
  ) throws -> NormalizedStore {
    try store {
      $0.possibleTypes = ["Node": ["User", "Todo", "Unseen"]]
      $0.fields["Query.found"] = .redirecting(to: "Node", idFrom: "id")
      configure(&$0)
    }
  }

  @Test("A redirect to an interface finds the entity of whichever type is there (N1.2)")
  func interface() throws {
    let told = Told()
    let store = try Self.nodeStore {
      $0.onDiagnostic = told.add
      $0.groups = ["Todo": "Things"]
    }
    try store.write(["todos": Self.entities("Todo", [3])], for: Self.todos)
    let list = GraphQLOperation("{ found(id: [3, 1]) { __typename id name } }")
    #expect(Self.ids(store.read(list)) == ["Todo 3", "User 1"])
    #expect(store.read(GraphQLOperation("{ found(id: 4) { id name } }")) == nil)
    try store.write(["found": ["__typename": "User", "id": 1, "name": "b"]], for: Self.node)
    #expect(!told.all.contains { $0.code == .unknownName })
  }

  @Test("A group that an interface belongs to has each of its entities once (N1.2)")
  func group() throws {
    let store = try Self.nodeStore { $0.groups = ["Node": "Nodes"] }
    #expect(Self.ids(store.read(Self.node)) == ["User 1"])
  }

  @Test("Ids that are unique across types need no list of types (N1.2)")
  func nodeForAll() throws {
    let store = try Self.store {
      $0.groupOfType = { _ in "Node" }
      $0.fields["Query.found"] = .redirecting(to: "Node", idFrom: "id")
    }
    #expect(Self.ids(store.read(Self.node)) == ["User 1"])
  }

  @Test("Two entities of an interface with the same id are not guessed between (N1.2)")
  func ambiguous() async throws {
    let store = try Self.nodeStore()
    var watch = store.watch(Self.node).makeAsyncIterator()
    #expect(Self.ids(await watch.next() ?? nil) == ["User 1"])
    async let second = watch.next()
    try store.write(["todos": Self.entities("Todo", [1])], for: Self.todos)
    #expect(await second == .some(nil))
    #expect(store.read(Self.node) == nil)
    try store.update { $0.remove(.entity(Entity("User", id: "1"))) }
    #expect(Self.ids(await watch.next() ?? nil) == ["Todo 1"])
    try store.update { $0.remove(.entity(Entity("Todo", id: "1"))) }
    #expect(await watch.next() == .some(nil))
  }

  @Test("A pin keeps what a redirect to an interface shows (N8.2)")
  func pinned() throws {
    let store = try Self.nodeStore()
    let pin = store.pin(Self.node)
    store.collect(.bytes(0))
    store.collect(.unreachable)
    #expect(Self.ids(store.read(Self.node)) == ["User 1"])
    pin.release()
  }
}
