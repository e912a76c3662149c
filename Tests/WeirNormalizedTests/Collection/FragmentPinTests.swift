import Testing
import Weir
import WeirNormalized

/// Pins of single entities, to which no field of a root leads (N8.2).
@Suite(.timeLimit(.minutes(10)), .overStorages)
struct FragmentPinTests {
  struct Draft: Codable, Sendable {
    var text: String
  }

  private static let entity = Entity("Draft", id: "1")

  private static func write(to store: NormalizedStore) throws -> GraphQLFragment {
    let draft = try GraphQLFragment("fragment Draft on Draft { text author { id name } }")
    let data: JSONValue = [
      "text": "a", "author": ["__typename": "User", "id": "1", "name": "Ada"],
    ]
    for id in ["1", "2"] {
      try store.update { try $0.write(data, for: draft, of: Entity("Draft", id: id)) }
    }
    return draft
  }

  @Test("A pinned entity stays with what it refers to, whatever is collected (N8.2)")
  func kept() async throws {
    let store = StoreKind.store()
    let fragment = try Fragment<Draft>("fragment Text on Draft { text }")
    let pin = store.pin(fragment, of: Self.entity)
    let draft = try Self.write(to: store)
    try await store.flush()
    #expect(store.statistics.pinned == 1)
    store.collect()
    #expect(store.read(draft, of: Self.entity)?["author"]?["name"]?.string == "Ada")
    store.collect(.bytes(0))
    #expect(store.read(draft, of: Self.entity)?["author"]?["name"]?.string == "Ada")
    pin.release()
  }

  @Test(
    "An entity is collected if another one is pinned, and when the pin is released (N8.2)",
    .not(.memoryOverFile, .file, because: "a file has them"))
  func released() throws {
    let store = StoreKind.store()
    let draft = try Self.write(to: store)
    let pins = [store.pin(draft, of: Self.entity), store.pin(draft, of: Self.entity)]
    store.collect()
    #expect(store.read(draft, of: Entity("Draft", id: "2")) == nil)
    pins[0].release()
    store.collect()
    #expect(store.read(draft, of: Self.entity) != nil)
    pins[1].release()
    store.collect()
    #expect(store.read(draft, of: Self.entity) == nil)
    #expect(store.statistics.pinned == 0)
  }
}
