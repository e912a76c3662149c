import Testing
import Weir
import WeirNormalized
import WeirTesting

/// An update of data that shows one entity in several places: to change it in one of them is enough (N5.1).
@Suite(.timeLimit(.minutes(10)), .overStorages)
struct RepeatedUpdateTests {
  struct Items: Codable, Sendable {
    struct Item: Codable, Sendable {
      var id: String
      var done: Bool
      var price: Double
    }

    var first: Item
    var items: [Item]
    var selected: Item
  }

  /// The same data, as it is generated.
  struct Shown: GeneratedQuery {
    struct Item: SelectionData {
      var id: String
      var done: Bool
      var price: Double

      init(reading fields: inout FieldReader) throws {
        id = try fields.read("id")
        done = try fields.read("done")
        price = try fields.decode("price")
      }

      func write(to fields: inout FieldWriter) {
        fields.typename("Item")
        fields.write("id", id)
        fields.write("done", done)
        fields.encode("price", price)
      }
    }

    struct Data: SelectionData {
      var first: Item
      var items: [Item]
      var selected: Item

      init(reading fields: inout FieldReader) throws {
        first = try fields.read("first")
        items = try fields.read("items")
        selected = try fields.read("selected")
      }

      func write(to fields: inout FieldWriter) {
        fields.write("first", first)
        fields.write("items", items)
        fields.write("selected", selected)
      }
    }

    static let document = RepeatedUpdateTests.document
    func write(to variables: inout InputWriter) {}
  }

  private static let document = GraphQLDocument(
    "{ first { id done price } items { id done price } selected { id done price } }")
  private static let operation = GraphQLOperation(document)
  private static let query = Query<Items, NoVariables>(document)
  private static let item = #"{"__typename":"Item","id":"1","done":false,"price":1.50}"#

  /// Changes the item in one of its places.
  struct Update: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let perform: @Sendable (_ place: Int, inout StoreTransaction) throws -> Void
  }

  static let updates = [
    Update(testDescription: "by JSON") { place, transaction in
      try transaction.update(operation) { data in
        switch place {
        case 0: data["first"]?["done"] = true
        case 1: data["items"]?[0]?["done"] = true
        default: data["selected"]?["done"] = true
        }
      }
    },
    Update(testDescription: "by a type") { place, transaction in
      try transaction.update(query) { data in
        switch place {
        case 0: data.first.done = true
        case 1: data.items[0].done = true
        default: data.selected.done = true
        }
      }
    },
    Update(testDescription: "by a generated type") { place, transaction in
      try transaction.update(Shown()) { data in
        switch place {
        case 0: data.first.done = true
        case 1: data.items[0].done = true
        default: data.selected.done = true
        }
      }
    },
  ]

  private static let data = ConnectionTests.json(
    "{\"first\":\(item),\"items\":[\(item)],\"selected\":\(item)}")

  private static func done(_ data: JSON?) -> [Bool?] {
    [data?["first"], data?["items"]?[0], data?["selected"]].map { $0?["done"]?.bool }
  }

  @Test(
    "A change of an entity in any of its places is kept (N5.1)", arguments: updates, 0..<3)
  func leaf(_ update: Update, _ place: Int) throws {
    let store = StoreKind.store()
    try store.write(Self.data, for: Self.operation)
    try store.update { try update.perform(place, &$0) }
    #expect(Self.done(store.read(Self.operation)) == [true, true, true])
  }

  @Test("A mutation's policy changes an entity in any of its places (N5.3)", arguments: 0..<3)
  func policy(_ place: Int) async throws {
    var configuration = NormalizedCacheConfiguration()
    configuration.mutations["finish"] = MutationPolicy { _, transaction in
      try Self.updates[0].perform(place, &transaction)
    }
    let store = StoreKind.store(configuration)
    try store.write(Self.data, for: Self.operation)
    let server = ScriptedExchange.immediate { _ in .data(#"{"finish":true}"#) }
    let client = GraphQLClient([.cache(store), server])
    _ = await client.mutate(GraphQLOperation("mutation { finish }"))
    #expect(Self.done(store.read(Self.operation)) == [true, true, true])
  }
}
