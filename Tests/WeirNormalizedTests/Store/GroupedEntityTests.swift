import TestSupport
import Testing
import Weir
@testable import WeirNormalized
@testable import WeirRecords

/// Entities that share their ids and can be named by their group.
@Suite(.timeLimit(.minutes(10)), .overStorages)
struct GroupedEntityTests {
  struct Title: Codable, Sendable {
    var title: String
  }

  private static let draft = GraphQLOperation("{ draft { id title } }")
  private static let article = Entity("Article", id: "1")

  private static var configuration: NormalizedCacheConfiguration {
    var configuration = NormalizedCacheConfiguration()
    configuration.groups = ["Draft": "Article", "Post": "Article"]
    configuration.fields["Query.post"] = .redirecting(to: "Post", idFrom: "id")
    return configuration
  }

  private static func store() throws -> NormalizedStore {
    let store = StoreKind.store(configuration)
    try store.write(["draft": ["__typename": "Draft", "id": "1", "title": "a"]], for: draft)
    return store
  }

  private static func shown(_ store: NormalizedStore) -> [String?] {
    let draft = store.read(draft)?["draft"]
    return [draft?["__typename"]?.string, draft?["title"]?.string]
  }

  @Test("Writing to an entity that is named by its group keeps its type (N1.2)")
  func namedByGroup() throws {
    let fragment = try GraphQLFragment("fragment Title on Draft { title }")
    let store = try Self.store()
    try store.update { transaction in
      try transaction.update(fragment, of: Self.article) { $0["title"] = "b" }
    }
    #expect(Self.shown(store) == ["Draft", "b"])
    try store.update {
      try $0.write(JSON(parsing: #"{"title":"c"}"#), for: fragment, of: Self.article)
    }
    #expect(Self.shown(store) == ["Draft", "c"])
    try store.update(Fragment<Title>(fragment), of: Self.article) { $0.title = "d" }
    #expect(Self.shown(store) == ["Draft", "d"])
    try store.update { try $0.write(Title(title: "e"), for: Fragment(fragment), of: Self.article) }
    #expect(Self.shown(store) == ["Draft", "e"])
  }

  @Test("Data with another type of the group changes the entity's type (N1.2)")
  func changedType() throws {
    let fragment = try GraphQLFragment("fragment Title on Post { title }")
    let post = try JSON(parsing: #"{"__typename":"Post","title":"b"}"#)
    for name in ["Article", "Draft", "Post"] {
      let store = try Self.store()
      try store.update { try $0.write(post, for: fragment, of: Entity(name, id: "1")) }
      #expect(Self.shown(store) == ["Post", "b"], "\(name)")
    }
  }

  @Test("An update keeps an entity's type, whichever name is used (N1.2)")
  func keptType() throws {
    let fragment = try GraphQLFragment("fragment Title on Draft { title }")
    let store = try Self.store()
    try store.update { transaction in
      try transaction.update(fragment, of: Entity("Post", id: "1")) { $0["title"] = "b" }
    }
    #expect(Self.shown(store) == ["Draft", "b"])
    try store.update(Fragment<Title>(fragment), of: Entity("Post", id: "1")) { $0.title = "c" }
    #expect(Self.shown(store) == ["Draft", "c"])
  }

  @Test("A new entity that is named by its group gets the fragment's type (N1.2)")
  func new() throws {
    let store = try Self.store()
    let fragment = try GraphQLFragment("fragment Title on Post { title }")
    let entity = Entity("Article", id: "2")
    try store.update { try $0.write(JSON(parsing: #"{"title":"b"}"#), for: fragment, of: entity) }
    #expect(store.read(fragment, of: entity)?["__typename"]?.string == "Post")
    #expect(store.read(fragment, of: entity)?["title"]?.string == "b")
  }

  @Test(
    "A wait for an entity under one type of its group ends when another type arrives (N4.1)",
    arguments: [false, true])
  func awaited(isRedirect: Bool) async throws {
    let store = try Self.store()
    var watch =
      isRedirect
      ? store.watch(GraphQLOperation("{ post(id: 2) { title } }")).makeAsyncIterator()
      : store.watch(
        try GraphQLFragment("fragment Title on Post { title }"), of: Entity("Post", id: "2")
      ).makeAsyncIterator()
    #expect(await watch.next() == .some(nil))
    async let next = watch.next()
    await eventually { store.state.withLock { $0.results.dependencies.awaitsEntities } }
    try store.write(["draft": ["__typename": "Post", "id": "2", "title": "b"]], for: Self.draft)
    let shown = await next ?? nil
    #expect((isRedirect ? shown?["post"] : shown)?["title"]?.string == "b")
  }

  @Test("A storage finds and removes an entity under any type of its group (N9.1)")
  func stored() async throws {
    let storage = TemporaryStorage()
    let fragment = try GraphQLFragment("fragment Title on Draft { title }")
    let post = Entity("Post", id: "1")
    func store() -> NormalizedStore { NormalizedStore(Self.configuration, storage: storage) }
    let first = store()
    try first.write(["draft": ["__typename": "Draft", "id": "1", "title": "a"]], for: Self.draft)
    try await first.flush()
    #expect(await store().load(fragment, of: post)?["title"]?.string == "a")
    let redirected = GraphQLOperation("{ post(id: 1) { title } }")
    #expect(await store().load(redirected)?["post"]?["title"]?.string == "a")
    let last = store()
    try last.update { $0.remove(.entity(post)) }
    try await last.flush()
    #expect(await store().load(fragment, of: Self.article) == nil)
  }

  @Test("Invalidating a type that was not seen yet makes the lists of its group stale (N5.2)")
  func unseenType() throws {
    let store = try Self.store()
    let drafts = GraphQLOperation("{ drafts { id } }")
    try store.write(["drafts": [["__typename": "Draft", "id": "1"]]], for: drafts)
    GraphQLClient([.cache(store)]).invalidate(types: "Post")
    #expect(store.explain(drafts).status == .stale)
  }

  @Test("A closure for groups may use the store while a type is invalidated (N1.2)")
  func closure() throws {
    let place = Locked<NormalizedStore?>(nil)
    let asked = Locked<Set<String>>([])
    var configuration = NormalizedCacheConfiguration()
    configuration.groupOfType = { name in
      _ = place.withLock(\.self)?.statistics
      _ = asked.withLock { $0.insert(name) }
      return name == "Post" ? "Article" : nil
    }
    let store = StoreKind.store(configuration)
    place.withLock { $0 = store }
    GraphQLClient([.cache(store)]).invalidate(types: "Post")
    #expect(asked.withLock(\.self).contains("Post"))
    place.withLock { $0 = nil }
  }
}
