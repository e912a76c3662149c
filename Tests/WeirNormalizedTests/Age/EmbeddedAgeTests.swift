import Testing
import Weir
import WeirNormalized
import WeirTesting

/// The ages of objects without keys, of which a response may bring a part.
@Suite(.timeLimit(.minutes(10)), .overStorages)
struct EmbeddedAgeTests {
  private static let all = GraphQLOperation("{ settings { theme language font { name size } } }")
  private static let theme = GraphQLOperation("{ settings { theme } }")
  private static let language = GraphQLOperation("{ settings { language } }")
  private static let fontName = GraphQLOperation("{ settings { font { name } } }")
  private static let fontSize = GraphQLOperation("{ settings { font { size } } }")

  private let clock = ManualClock()
  private let store: NormalizedStore
  private let server = ScriptedExchange.immediate { _ in
    .data(
      #"""
      {"settings":{"__typename":"Settings","theme":"dark","language":"en",
        "font":{"__typename":"Font","name":"Sans","size":12}}}
      """#)
  }
  private let client: GraphQLClient

  init() {
    var configuration = NormalizedCacheConfiguration()
    configuration.fields["Query.timed", default: FieldPolicy()].timeToLive = .seconds(10)
    store = StoreKind.store(configuration, clock: clock)
    client = GraphQLClient([.cache(store), server])
  }

  @Test("Refetching one field of an object without a key leaves the others stale (N5.2)")
  func invalidated() async throws {
    _ = await client.query(Self.all)
    try store.update { $0.invalidate(.field("settings")) }
    _ = await client.query(Self.theme)
    #expect(store.explain(Self.theme).status == .complete)
    #expect(store.explain(Self.language).status == .stale)
    #expect(store.explain(Self.fontName).status == .stale)
    _ = await client.query(Self.fontName)
    #expect(store.explain(Self.fontName).status == .complete)
    #expect(store.explain(Self.fontSize).status == .stale)
    #expect(store.explain(Self.language).status == .stale)
    _ = await client.query(Self.language)
    #expect(server.operations.count == 4)
    #expect(store.explain(Self.language).status == .complete)
    _ = await client.query(Self.all)
    #expect(store.explain(Self.all).status == .complete)
  }

  @Test("Updating one field of a stale object without a key leaves the others stale (N5.2)")
  func updated() async throws {
    _ = await client.query(Self.all)
    try store.update { $0.invalidate(.field("settings")) }
    try store.update { transaction in
      try transaction.update(Self.all) { $0["settings"]?["theme"] = "light" }
    }
    #expect(store.explain(Self.language).status == .stale)
    #expect(store.explain(Self.fontSize).status == .stale)
  }

  @Test("A field that is polled keeps no other field of its object fresh (N8.1)")
  func timeToLive() async {
    let server = ScriptedExchange.immediate { _ in
      .data(#"{"timed":{"__typename":"Settings","theme":"dark","language":"en"}}"#)
    }
    let client = GraphQLClient([.cache(store), server])
    let (theme, language) = (
      GraphQLOperation("{ timed { theme } }"), GraphQLOperation("{ timed { language } }")
    )
    _ = await client.query(GraphQLOperation("{ timed { theme language } }"))
    clock.advance(by: .seconds(6))
    _ = await client.query(theme.with { $0.requestPolicy = .networkOnly })
    #expect(store.explain(language).status == .complete)
    clock.advance(by: .seconds(6))
    #expect(store.explain(theme).status == .complete)
    #expect(store.explain(language).status == .stale)
  }
}
