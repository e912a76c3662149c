import TestSupport
import Testing
import Weir
import WeirNormalized

/// Unchanged data is neither read nor decoded again (N3.5).
@Suite(.timeLimit(.minutes(10)), .overStorages)
struct ReuseTests {
  /// Counts how often items are decoded in the task for which it is set.
  final class Counter: Sendable {
    @TaskLocal static var current: Counter?
    private let state = Locked(0)

    var count: Int { state.withLock(\.self) }
    func add() { state.withLock { $0 += 1 } }
  }

  struct Item: Decodable, Sendable, Equatable {
    struct Author: Decodable, Sendable, Equatable {
      let id: String
      let name: String
    }

    let id: String
    let text: String
    let author: Author?
    let parts: [[Author]]

    private enum CodingKeys: CodingKey { case id, text, author, parts }

    init(from decoder: any Decoder) throws {
      Counter.current?.add()
      let container = try decoder.container(keyedBy: CodingKeys.self)
      id = try container.decode(String.self, forKey: .id)
      text = try container.decode(String.self, forKey: .text)
      author = try container.decodeIfPresent(Author.self, forKey: .author)
      parts = try container.decode([[Author]].self, forKey: .parts)
    }
  }

  struct Items: Decodable, Sendable, Equatable {
    let first: [Item]
    let title: String
    let second: [Item?]
  }

  static let query = Query<Items, NoVariables>(
    """
    { first: items { ...I } title second: others { ...I } }
    fragment I on Item { id text author { id name } parts { id name } }
    """)

  static func person(_ number: Int, name: String? = nil) -> JSONValue {
    ["__typename": "Person", "id": .string("\(number)"), "name": .string(name ?? "p\(number)")]
  }

  static func item(_ number: Int, text: String = "some text that is not short") -> JSONValue {
    [
      "__typename": "Item", "id": .string("\(number)"), "text": .string(text),
      "author": person(number % 7), "parts": [[person(number % 3)], []],
    ]
  }

  static func data(_ first: [JSONValue], title: String = "t", _ second: [JSONValue]) -> JSONValue {
    ["first": .array(first), "title": .string(title), "second": .array(second)]
  }

  @Test(
    "In a long list only the changed elements are decoded again (N3.5)",
    .not(.file, because: "it tests the reuse of data in memory"))
  func decodes() throws {
    let store = StoreKind.store()
    let operation = Self.query.operation(NoVariables())
    let counter = Counter()
    try Counter.$current.withValue(counter) {
      let items = (0..<100).map { Self.item($0) }
      try store.write(Self.data(items, [.null] + items.prefix(40)), for: operation)
      _ = try store.read(Self.query, NoVariables())
      #expect(counter.count == 140)
      let rename = GraphQLOperation("{ p { id name } }")
      // Person 3 is the author of every seventh item. The first item is always read, for its keys,
      // and a list that contains a null is decoded as a whole.
      try store.write(["p": Self.person(3, name: "another, longer name")], for: rename)
      let renamed = try #require(try store.read(Self.query, NoVariables()))
      #expect(renamed.first[3].author?.name == "another, longer name")
      #expect(renamed.first[4].author?.name == "p4")
      #expect(counter.count == 140 + 1 + 14 + 40)
    }
  }

  @Test("Reusing data and reading it again give equal results (N3.5)", arguments: Stress.seeds(24))
  func random(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let operation = Self.query.operation(NoVariables())
    let store = StoreKind.store()
    var first = (0..<random.below(90)).map { Self.item($0) }
    var second = (0..<random.below(60)).map { Self.item($0 * 2) }
    var title = "t"
    var earlier: (shown: Items?, data: Items?)
    for round in 0..<StoreKind.scaled(20) {
      for _ in 0...random.below(3) {
        switch random.below(8) {
        case 0: first.shuffle(using: &random)
        case 1: first.insert(Self.item(1000 + round), at: random.below(first.count + 1))
        case 2 where !first.isEmpty:
          let start = random.below(first.count)
          first.removeSubrange(start..<min(start + random.below(12), first.count))
        case 3: title = "title \(round)"
        case 4: second.append(random.chance(30) ? .null : Self.item(2000 + round))
        case 5: second = second.reversed()
        default:
          let number = random.below(60)
          let changed = Self.item(number, text: random.chance(50) ? "\(round)" : "text \(round)")
          for index in first.indices where first[index]["id"] == changed["id"] {
            first[index] = changed
          }
          for index in second.indices where second[index]["id"] == changed["id"] {
            second[index] = changed
          }
        }
      }
      let data = Self.data(first, title: title, second)
      try store.write(data, for: operation)
      let fresh = NormalizedStore()
      try fresh.write(data, for: operation)
      #expect(store.read(operation)?.bytes == fresh.read(operation)?.bytes, "round \(round)")
      #expect(store.read(operation)?.value == data)
      if random.chance(70) {
        let shown = try store.read(Self.query, NoVariables())
        let expected = try fresh.read(Self.query, NoVariables())
        #expect(shown == expected)
        #expect(earlier.shown == earlier.data, "an earlier result has changed")
        // Sometimes the shown result is kept, and sometimes not.
        earlier = random.chance(50) ? (shown, expected) : (nil, nil)
      }
    }
  }

  @Test(
    "Once an invalidated list has been written again, only changed elements are decoded (N3.5, N8.1)",
    .not(.file, because: "it tests the reuse of data in memory"))
  func invalidated() throws {
    let store = StoreKind.store()
    let operation = Self.query.operation(NoVariables())
    let data = Self.data((0..<100).map { Self.item($0) }, [])
    let counter = Counter()
    try Counter.$current.withValue(counter) {
      try store.write(data, for: operation)
      _ = try store.read(Self.query, NoVariables())
      NormalizedCacheExchange(store: store).invalidate(.types(["Item"]))
      try store.write(data, for: operation)
      _ = try store.read(Self.query, NoVariables())
      let before = counter.count
      let renamed = Self.item(50, text: "another text that is not short")
      try store.write(["i": renamed], for: GraphQLOperation("{ i { id text } }"))
      let items = try #require(try store.read(Self.query, NoVariables())).first
      #expect(items[50].text == "another text that is not short")
      // The first item is always read, for its keys.
      #expect(counter.count - before == 2)
    }
  }

  @Test("Reused elements with a `JSON` do not keep earlier results alive (N3.5)")
  func heldDocuments() throws {
    struct Item: Decodable {
      let id: String
      let note: JSON
    }
    let query = Query<[String: [Item]], NoVariables>("{ items { id note } }")
    let operation = query.operation(NoVariables())
    func item(_ number: Int, _ round: Int) -> JSONValue {
      ["__typename": "Item", "id": .string("\(number)"), "note": ["round": .int(Int64(round))]]
    }
    let store = StoreKind.store()
    var items = (0..<40).map { item($0, 0) }
    try store.write(["items": .array(items)], for: operation)
    var shown = try store.read(query, NoVariables())
    weak let first = shown?["items"]?.last?.note.document
    #expect(first != nil)
    for round in 1...3 {
      items[round] = item(round, round)
      try store.write(["items": .array(items)], for: operation)
      shown = try store.read(query, NoVariables())
      #expect(shown?["items"]?[round].note["round"]?.int == Int64(round))
    }
    #expect(first == nil)
    #expect(shown?["items"]?.last?.note["round"]?.int == 0)
  }
}
