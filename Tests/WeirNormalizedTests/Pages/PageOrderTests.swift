import Testing
import Weir
import WeirNormalized

/// Which of two pages of a connection is right where they contradict each other (N7).
@Suite(.timeLimit(.minutes(10)), .overStorages)
struct PageOrderTests {
  /// A store with a page of two todos, and a newer one of three that lacks todo 2.
  private static func store() throws -> NormalizedStore {
    let store = ConnectionTests.store()
    try store.write(
      ConnectionTests.data([1, 2], next: true), for: ConnectionTests.page(["first": 2]))
    try store.write(
      ConnectionTests.data([0, 1, 3], next: true), for: ConnectionTests.page(["first": 3]))
    return store
  }

  @Test("A page does not become newer because an element is removed from it (N7)")
  func removal() throws {
    let store = try Self.store()
    try store.update { $0.removeFromLists(Entity("Todo", id: "2")) }
    #expect(ConnectionTests.shown(store, ["first": 3]) == "0 1 3> c0…c3")
  }

  @Test("Pages keep their order when they become stale (N7)")
  func invalidation() throws {
    let store = try Self.store()
    try store.update { $0.invalidate(.type("Todo")) }
    #expect(ConnectionTests.shown(store, ["first": 3]) == "0 1 3> c0…c3")
    // The page that is written again is the newer one.
    try store.write(
      ConnectionTests.data([1, 4], next: true), for: ConnectionTests.page(["first": 2]))
    #expect(ConnectionTests.shown(store, ["first": 3])?.hasPrefix("1 4") == true)
  }
}
