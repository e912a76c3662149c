import Testing
import Weir
import WeirNormalized
import WeirTesting

/// An update through one page of a list that shows several. A page whose elements are the same as before
/// does not count as written (N5.1, N7).
@Suite(.timeLimit(.minutes(10)), .overStorages)
struct UnchangedPageTests {
  private static let pages: [GraphQLOperation] = [0, 2].map {
    PageTests.page(["skip": .int($0), "limit": 2])
  }

  private static func store() throws -> NormalizedStore {
    var configuration = NormalizedCacheConfiguration()
    configuration.fields["Query.todos"] = .offsetPages(offset: "skip")
    let store = StoreKind.store(configuration)
    try store.write(PageTests.data([1, 2]), for: pages[0])
    try store.write(PageTests.data([3, 4]), for: pages[1])
    return store
  }

  private static func update(_ store: NormalizedStore, _ page: Int) throws {
    try store.update { try $0.update(pages[page]) { $0["todos"]?[0]?["rank"] = 7 } }
  }

  @Test(
    "A stale page stays stale if an update changes only its elements (N5.1)", arguments: [0, 1])
  func stale(_ page: Int) throws {
    let store = try Self.store()
    let client = GraphQLClient([.cache(store)])
    try store.update { $0.invalidate(.field("todos")) }
    try Self.update(store, page)
    #expect(store.read(Self.pages[page])?["todos"]?[0]?["rank"]?.int == 7)
    #expect(client.peek(Self.pages[page])?.isStale == true)
  }

  @Test("A response in flight replaces a page of which an update has changed an element (N5.1)")
  func inFlight() async throws {
    let store = try Self.store()
    let gate = Gate()
    let server = ScriptedExchange { _ in
      await gate.pass()
      return OperationResult(data: PageTests.data([1, 5]))
    }
    let client = GraphQLClient([.cache(store), server])
    async let result = client.query(Self.pages[0].with { $0.requestPolicy = .networkOnly })
    await server.received(1)
    try Self.update(store, 0)
    gate.open()
    _ = await result
    #expect(PageTests.shown(store, ["skip": 0, "limit": 2]) == ["1", "5", "3", "4"])
    #expect(store.read(Self.pages[0])?["todos"]?[0]?["rank"]?.int == 7)
  }

  @Test("The log of changes does not name a list whose element alone has changed (N4.2)")
  func log() async throws {
    let store = try Self.store()
    var changes = store.changes().makeAsyncIterator()
    try Self.update(store, 0)
    #expect(await changes.next()?.fields == [Entity("Todo", id: "1"): ["rank"]])
  }
}
