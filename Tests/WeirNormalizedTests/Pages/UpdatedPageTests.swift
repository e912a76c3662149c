import Testing
import Weir
import WeirNormalized
import WeirTesting

/// Updates through an operation that shows several pages as one list.
@Suite(.timeLimit(.minutes(10)), .overStorages)
struct UpdatedPageTests {
  /// Through which page a list of four is updated, and which element is removed.
  static let removals = [0, 1].flatMap { page in (0..<4).map { (page, $0) } }

  private static func withoutElement(at index: Int, _ list: JSONValue?) -> JSONValue {
    var elements = list?.array ?? []
    elements.remove(at: index)
    return .array(elements)
  }

  private static func rest(without index: Int) -> [String] {
    ["1", "2", "3", "4"].enumerated().filter { $0.offset != index }.map(\.element)
  }

  @Test(
    "An element that an update removes leaves a connection of two pages (N7)", arguments: removals)
  func connection(_ page: Int, _ index: Int) throws {
    let store = ConnectionTests.store()
    let pages = [
      ConnectionTests.page(["first": 2]), ConnectionTests.page(["first": 2, "after": "c2"]),
    ]
    try store.write(ConnectionTests.data([1, 2], next: true), for: pages[0])
    try store.write(ConnectionTests.data([3, 4], previous: true), for: pages[1])
    try store.update { transaction in
      try transaction.update(pages[page]) { data in
        let rest = Self.withoutElement(at: index, data["todos"]?["edges"])
        data["todos"]?["edges"] = rest
      }
    }
    for page in pages {
      let shown = store.read(page)?["todos"]?["edges"]?.elements.map { $0["node"]?["id"]?.string }
      #expect(shown == Self.rest(without: index))
    }
  }

  @Test(
    "An element that an update removes leaves a list of two pages (N7)", arguments: removals,
    ["Todo", "Note"])
  func offsets(_ removal: (page: Int, index: Int), _ typename: String) throws {
    var configuration = NormalizedCacheConfiguration()
    configuration.fields["Query.todos"] = .offsetPages(offset: "skip")
    // Objects of the one type are entities, and those of the other have no key.
    configuration.keys["Note"] = .embedded
    let store = StoreKind.store(configuration)
    let pages: [GraphQLOperation] = [0, 2].map {
      PageTests.page(["skip": .int($0), "limit": 2])
    }
    for (page, numbers) in zip(pages, [[1, 2], [3, 4]]) {
      let todos = numbers.map { number -> JSONValue in
        ["__typename": .string(typename), "id": .string("\(number)"), "rank": 1]
      }
      try store.write(["todos": .array(todos)], for: page)
    }
    try store.update { transaction in
      try transaction.update(pages[removal.page]) { data in
        let rest = Self.withoutElement(at: removal.index, data["todos"])
        data["todos"] = rest
      }
    }
    for page in pages {
      let shown = store.read(page)?["todos"]?.elements.map { $0["id"]?.string }
      #expect(shown == Self.rest(without: removal.index))
    }
  }

  @Test("A change of one element of a list without keys loses no element of another page (N7)")
  func unidentified() throws {
    var configuration = NormalizedCacheConfiguration()
    configuration.fields["Query.todos"] = .offsetPages(offset: "skip")
    configuration.keys["Note"] = .embedded
    let store = StoreKind.store(configuration)
    let pages: [GraphQLOperation] = [0, 2].map { PageTests.page(["skip": .int($0), "limit": 2]) }
    func notes(_ numbers: Int...) -> JSONValue {
      let notes = numbers.map { number -> JSONValue in
        ["__typename": "Note", "id": .string("\(number)"), "rank": 1]
      }
      return ["todos": .array(notes)]
    }
    try store.write(notes(1, 2), for: pages[0])
    try store.write(notes(3, 4), for: pages[1])
    try store.update { try $0.update(pages[0]) { $0["todos"]?[0]?["rank"] = 2 } }
    #expect(store.read(pages[0])?["todos"]?.count == 4)
    // The first page is requested again. The second one, which it has taken over, has to be, too.
    try store.write(notes(1, 2), for: pages[0])
    #expect(GraphQLClient([.cache(store)]).peek(pages[1])?.isStale != false)
  }

  @Test("An element that a closure leaves out of a list stays in its page after an update (N7)")
  func leftOut() throws {
    var configuration = NormalizedCacheConfiguration()
    configuration.fields["Query.todos"] = .pages(
      arguments: ["skip", "limit"], reading: ["rank"]
    ) { step in
      (step.existing + step.incoming).filter { ($0.fields["rank"]?.int ?? 0) > 0 }
    }
    let store = StoreKind.store(configuration)
    func todo(_ id: String, rank: Int64) -> JSONValue {
      ["__typename": "Todo", "id": .string(id), "rank": .int(rank)]
    }
    let pages: [GraphQLOperation] = [0, 2].map { PageTests.page(["skip": .int($0)]) }
    try store.write(["todos": [todo("1", rank: 1), todo("2", rank: 2)]], for: pages[0])
    try store.write(["todos": [todo("3", rank: 3), todo("4", rank: 0)]], for: pages[1])
    try store.update { try $0.update(pages[0]) { $0["todos"]?[0]?["rank"] = 9 } }
    let rank: GraphQLDocument = "query Rank { first { id rank } }"
    try store.write(["first": todo("4", rank: 4)], for: GraphQLOperation(rank))
    let shown = store.read(pages[1])?["todos"]?.elements.compactMap { $0["id"]?.string } ?? []
    #expect(Set(shown) == ["1", "2", "3", "4"])
  }
}
