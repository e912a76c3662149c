import Testing
import Weir
import WeirNormalized
import WeirTesting

/// Writes that are refused (N5.1).
@Suite(.timeLimit(.minutes(10)), .overStorages)
struct RefusedWriteTests {
  private static let todo = Entity("Todo", id: "7")

  private static func fragment() throws -> GraphQLFragment {
    try GraphQLFragment("fragment F on Todo { id text owner { id name } }")
  }

  @Test("After a refused write, a transaction goes on as if it had not been tried (N5.1)")
  func transaction() throws {
    let store = StoreKind.store()
    let fragment = try Self.fragment()
    let refused: JSONValue = ["id": "7", "text": "refused", "owner": ["id": "1", "name": "a"]]
    var kept = refused
    kept["text"] = "kept"
    kept["owner"]?["__typename"] = "User"
    try store.update { transaction in
      for _ in 0..<2 {
        do {
          try transaction.write(
            JSON(parsing: refused.canonicalBytes()), for: fragment, of: Self.todo)
          Issue.record("not refused")
        } catch {
          #expect((error as? StoreError)?.code == .noTypename)
        }
        #expect(transaction.read(fragment, of: Self.todo)?["text"]?.string != "refused")
        try transaction.write(JSON(parsing: kept.canonicalBytes()), for: fragment, of: Self.todo)
      }
    }
    #expect(store.read(fragment, of: Self.todo)?["text"]?.string == "kept")
  }

  @Test("A refused write alone leaves nothing behind (N5.1)")
  func alone() throws {
    let store = StoreKind.store()
    let fragment = try Self.fragment()
    try store.update { transaction in
      #expect(
        (try? transaction.write(
          JSON(parsing: #"{"owner":{"id":"1"}}"#), for: fragment, of: Self.todo)) == nil)
    }
    #expect(store.statistics.records == StoreKind.store().statistics.records)
  }

  /// Data, and whether it belongs to the entity `Todo:7`.
  private static let keyed: [(data: String, isAccepted: Bool)] = [
    (#"{"id":"7","text":"x"}"#, true), (#"{"id":7,"text":"x"}"#, true), (#"{"text":"x"}"#, true),
    (#"{"id":"8","text":"x"}"#, false), (#"{"id":8}"#, false), (#"{"id":"\u0037"}"#, true),
    (#"{"id":"","text":"x"}"#, true),
  ]

  @Test("Data with another key than the entity is refused (N5.1)", arguments: keyed)
  func otherKey(data: String, isAccepted: Bool) throws {
    let store = StoreKind.store()
    let fragment = try GraphQLFragment("fragment F on Todo { id text }")
    var code: StoreError.Code?
    do {
      try store.update { try $0.write(JSON(parsing: data), for: fragment, of: Self.todo) }
    } catch let error as StoreError {
      code = error.code
    }
    #expect(code == (isAccepted ? nil : .wrongKey))
    if !isAccepted { #expect(store.statistics.records == StoreKind.store().statistics.records) }
  }

  @Test("Data with another key is refused whatever forms the key (N1.2, N5.1)")
  func configuredKeys() throws {
    var configuration = NormalizedCacheConfiguration()
    configuration.keys["Book"] = .field("isbn")
    configuration.keys["Seat"] = .fields(["row", "number"])
    configuration.keys["Room"] = .computed { $0["floor"]?.string.map { "floor " + $0 } }
    let store = StoreKind.store(configuration)
    let writes: [(String, Entity, String, isAccepted: Bool)] = [
      ("Book { isbn }", Entity("Book", id: "1"), #"{"isbn":"1"}"#, true),
      ("Book { code: isbn }", Entity("Book", id: "1"), #"{"code":"2"}"#, false),
      ("Seat { row number }", Entity("Seat", id: #"["1","2"]"#), #"{"row":1,"number":2}"#, true),
      ("Seat { row number }", Entity("Seat", id: #"["1","2"]"#), #"{"row":1,"number":3}"#, false),
      ("Room { floor }", Entity("Room", id: "floor 1"), #"{"floor":"1"}"#, true),
      ("Room { floor }", Entity("Room", id: "floor 1"), #"{"floor":"2"}"#, false),
    ]
    for (selection, entity, data, isAccepted) in writes {
      let fragment = try GraphQLFragment("fragment F on \(selection)")
      let isDone =
        (try? store.update { try $0.write(JSON(parsing: data), for: fragment, of: entity) }) != nil
      #expect(isDone == isAccepted, "\(entity) \(data)")
    }
  }

  @Test("A refused write does not make the data younger that is there (N5.1, N8.1)")
  func age() async throws {
    let clock = ManualClock()
    let store = StoreKind.store(clock: clock)
    let client = GraphQLClient([
      .cache(store), ScriptedExchange.immediate { _ in .data(AgeTests.data) },
    ])
    _ = await client.query(AgeTests.query)
    clock.advance(by: .seconds(3600))
    let refused: JSONValue = ["todos": [["id": "1", "text": "b"]]]
    #expect(throws: StoreError.self) { try store.write(refused, for: AgeTests.query) }
    let young = AgeTests.query.with { $0.maximumAge = .seconds(10) }
    #expect(await client.query(young).outcome == .miss)
    #expect(await client.query(young).outcome == .hit)
  }
}
