import Testing
import Weir
import WeirNormalized
import WeirTesting

/// Typed writes of a part of an object without a key.
@Suite(.timeLimit(.minutes(10)), .overStorages)
struct TypedPartTests {
  struct Theme: Codable, Sendable { var theme: String }
  struct Data: Codable, Sendable { var settings: Theme }
  struct Page: Codable, Sendable { var sheets: [Sheet] }
  struct Sheet: Codable, Sendable { var settings: Theme }

  static let query = Query<Data, NoVariables>("{ settings { theme language } }")
  static let all = query.operation(NoVariables())
  static let language = GraphQLOperation("{ settings { language } }")
  static let sheets = Query<Page, NoVariables>("{ sheets { settings { theme language } } }")

  private static func settings(_ theme: String, _ language: String) -> JSONValue {
    ["__typename": "Settings", "theme": .string(theme), "language": .string(language)]
  }

  @Test("Fields that a type lacks stay stale when its data is written (N5.1, N5.2)")
  func stale() throws {
    let store = StoreKind.store()
    try store.write(["settings": Self.settings("light", "en")], for: Self.all)
    try store.update { $0.invalidate(.field("settings")) }
    try store.update { try $0.write(Data(settings: Theme(theme: "dark")), for: Self.query) }
    #expect(store.explain(GraphQLOperation("{ settings { theme } }")).status == .complete)
    #expect(store.explain(Self.language).status == .stale)
  }

  @Test(
    "Fields that a type lacks are taken from a response that was in flight (N5.1, N6.2)",
    .not(.file, because: "a reload forgets which fields of an object without a key are newer"))
  func inFlight() async throws {
    let store = StoreKind.store()
    try store.write(["settings": Self.settings("light", "en")], for: Self.all)
    let gate = Gate()
    let server = ScriptedExchange { _ in
      await gate.pass()
      return .data(#"{"settings":{"__typename":"Settings","theme":"light","language":"fr"}}"#)
    }
    let client = GraphQLClient([.cache(store), server])
    async let result = client.query(Self.all.with { $0.requestPolicy = .networkOnly })
    await server.received(1)
    try store.update { try $0.write(Data(settings: Theme(theme: "dark")), for: Self.query) }
    gate.open()
    _ = await result
    let settings = store.read(Self.all)?["settings"]
    #expect(settings?["theme"]?.string == "dark")
    #expect(settings?["language"]?.string == "fr")
  }

  struct Named: Codable, Sendable { var name: String }
  struct Viewer: Codable, Sendable { var viewer: Named }

  @Test("An entity whose key the data lacks keeps the fields that a type lacks (N5.1)")
  func hiddenKey() throws {
    for (key, selection) in [("uuid", "uuid name email"), ("id", "name email")] {
      var configuration = NormalizedCacheConfiguration()
      if key == "uuid" { configuration.keys["User"] = .computed { $0["uuid"]?.string } }
      let store = StoreKind.store(configuration)
      let all = GraphQLOperation(GraphQLDocument("{ viewer { \(key) name email } }"))
      let user: JSONValue = [
        "__typename": "User", .init(stringLiteral: key): "1", "name": "Ada", "email": "a@b.c",
      ]
      try store.write(["viewer": user], for: all)
      let query = Query<Viewer, NoVariables>(
        GraphQLDocument("{ viewer { \(selection) } }"))
      try store.update { try $0.write(Viewer(viewer: Named(name: "Eve")), for: query) }
      let viewer = store.read(query.operation(NoVariables()))?["viewer"]
      #expect(viewer?["name"]?.string == "Eve")
      #expect(viewer?["email"]?.string == "a@b.c", "\(key)")
    }
  }

  @Test("An object within a list, which is replaced, keeps the fields that a type lacks (N5.1)")
  func withinList() throws {
    let store = StoreKind.store()
    let operation = Self.sheets.operation(NoVariables())
    try store.write(
      ["sheets": [["__typename": "Sheet", "settings": Self.settings("light", "en")]]],
      for: operation)
    try store.update {
      try $0.update(Self.sheets) { $0.sheets[0].settings.theme = "dark" }
    }
    let settings = store.read(operation)?["sheets"]?[0]?["settings"]
    #expect(settings?["theme"]?.string == "dark")
    #expect(settings?["language"]?.string == "en")
  }
}
