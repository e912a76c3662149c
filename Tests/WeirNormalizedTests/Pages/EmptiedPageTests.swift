import Testing
import Weir
import WeirNormalized
import WeirTesting

/// Pages of a connection whose elements are removed one after the other.
@Suite(.timeLimit(.minutes(10)), .overStorages)
struct EmptiedPageTests {
  /// Todos 1 to 6 in three pages.
  private static func store() throws -> NormalizedStore {
    let store = ConnectionTests.store()
    try store.write(ConnectionTests.data([1, 2], next: true), for: pages[0])
    try store.write(ConnectionTests.data([3, 4], previous: true, next: true), for: pages[1])
    try store.write(ConnectionTests.data([5, 6], previous: true), for: pages[2])
    return store
  }

  private static let pages = [
    ConnectionTests.page(["first": 2]), ConnectionTests.page(["first": 2, "after": "c2"]),
    ConnectionTests.page(["first": 2, "after": "c4"]),
  ]

  static let removals = [
    [3, 4], [4, 3], [1, 2], [5, 6], [1, 2, 3, 4], [4, 3, 2, 1], [3, 4, 5, 6], [6, 5, 4, 3],
    [3, 4, 1, 2], [5, 6, 3, 4], [1, 2, 5, 6], [5, 1, 6, 2, 4], [1, 2, 3, 4, 5, 6],
    [6, 5, 4, 3, 2, 1], [4, 1, 3, 5, 2, 6],
  ]

  @Test("The other pages keep their order, and the list its ends (N7)", arguments: removals)
  func removal(_ removed: [Int]) throws {
    let store = try Self.store()
    for number in removed {
      try store.update { $0.removeFromLists(Entity("Todo", id: "\(number)")) }
    }
    let rest = (1...6).filter { !removed.contains($0) }.map { "\($0)" }
    for page in Self.pages {
      let shown = store.read(page).flatMap(ConnectionTests.summary)
      #expect(shown == rest.joined(separator: " ") + " c1…c6")
    }
  }

  @Test("A page of another size shows what follows an emptied page (N7)", arguments: [true, false])
  func otherSize(_ isNewer: Bool) throws {
    let store = try Self.store()
    let other = ConnectionTests.page(["first": 3, "after": "c2"])
    if !isNewer {
      try store.write(ConnectionTests.data([3, 4, 5], previous: true, next: true), for: other)
    }
    for id in ["3", "4"] { try store.update { $0.removeFromLists(Entity("Todo", id: id)) } }
    if isNewer { try store.write(ConnectionTests.data([5, 6], previous: true), for: other) }
    #expect(store.read(Self.pages[0]).flatMap(ConnectionTests.summary) == "1 2 5 6 c1…c6")
  }

  @Test("An emptied first page does not end a list whose first page of another size is newer (N7)")
  func emptiedFirstPage() throws {
    let store = ConnectionTests.store()
    try store.write(ConnectionTests.data([1, 2], next: true), for: Self.pages[0])
    try store.write(ConnectionTests.data([3, 4], previous: true, next: true), for: Self.pages[1])
    for id in ["1", "2"] { try store.update { $0.removeFromLists(Entity("Todo", id: id)) } }
    let whole = ConnectionTests.page(["first": 10])
    try store.write(ConnectionTests.data([3, 4, 5, 6]), for: whole)
    #expect(store.read(whole).flatMap(ConnectionTests.summary) == "3 4 5 6 c3…c6")
  }

  @Test("An emptied first page does not end a list to which other pages have been added (N7)")
  func emptiedFirstPageOfThree() throws {
    let store = try Self.store()
    for id in ["1", "2"] { try store.update { $0.removeFromLists(Entity("Todo", id: id)) } }
    let first = ConnectionTests.page(["first": 3])
    try store.write(ConnectionTests.data([3, 4, 5], next: true), for: first)
    #expect(store.read(first).flatMap(ConnectionTests.summary) == "3 4 5 6 c3…c6")
  }

  @Test("With cursors that are offsets, the page behind a moved first page stays (N7)")
  func offsets() throws {
    let store = ConnectionTests.store()
    func write(_ numbers: [Int], from offset: Int, _ page: Int) throws {
      // The cursor of an element says where it is, not which one.
      var text = ConnectionTests.data(numbers, previous: offset > 0, next: true).description
      for (index, number) in numbers.enumerated() {
        text = text.replacing("\"c\(number)\"", with: "\"d\(offset + index + 1)\"")
      }
      try store.write(
        ConnectionTests.json(text.replacing("\"d", with: "\"c")), for: Self.pages[page])
    }
    try write([1, 2], from: 0, 0)
    try write([3, 4], from: 2, 1)
    try write([7, 5], from: 4, 2)
    try write([7, 1], from: 0, 0)
    let shown = try #require(store.read(Self.pages[0]).flatMap(ConnectionTests.summary))
    #expect(shown.hasPrefix("7 1 3 4"))
  }
}
