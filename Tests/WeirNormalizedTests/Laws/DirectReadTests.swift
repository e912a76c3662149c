import Foundation
import Testing
@testable import Weir
@testable import WeirNormalized
import WeirTesting

/// Types that read their fields themselves read them from the records: as from a document.
@Suite("Reads without a document", .timeLimit(.minutes(10)))
struct DirectReadTests {
  @Test(
    "N5.1 a value read from the records is that of a document, and so are the errors",
    arguments: Stress.seeds(5))
  func sameAsDocument(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var direct = 0
    for _ in 0..<40 {
      let round = random
      let system = RandomTypeSystem(&random)
      let stores = try (0..<2).map { _ in NormalizedStore(try system.configuration) }
      var exchange = RandomExchange(system, &random)
      var asked: Set<String> = []
      for _ in 0..<4 {
        let (operation, data) = exchange.make(&random)
        // What is known of one operation was read in that operation's ways.
        guard asked.insert(operation.text).inserted else { continue }
        for store in stores { store.write(try data.parsed, for: operation) }
        if random.chance(20), let type = system.types.first {
          for store in stores {
            try store.update { $0.remove(.field("f0", of: Entity(type, id: "1"))) }
          }
        }
        let ways = Ways(data, wrong: random.chance(30) ? random.below(Ways.names.count) : nil)
        Ways.$current.withValue(ways) {
          let target = ReadTarget(operation.ofAnySession)
          // The second store has a document, so it decodes that.
          let shown = stores[1].read(operation)
          let value = Result { try stores[0].value(of: target, as: Shown.self) }
          let expected = Result { try stores[1].value(of: target, as: Shown.self) }
          #expect(
            "\(value)" == "\(expected)", "\(round) \(operation.text) \(data) \(ways.kinds)")
          if stores[0].holdsValueOnly(of: operation) { direct += 1 }
          let again = Result { try stores[0].value(of: target, as: Shown.self) }
          #expect("\(again)" == "\(expected)")
          #expect(stores[0].read(operation) == shown)
        }
      }
    }
    #expect(direct > 20, "Hardly anything was read without a document.")
  }

  struct Author: SelectionDecodable, Sendable, Equatable {
    let name: String

    init(reading fields: inout FieldReader) throws { name = try fields.read("name") }
  }

  struct Todo: SelectionDecodable, Sendable, Equatable {
    let id: String
    let author: Author?

    init(reading fields: inout FieldReader) throws {
      id = try fields.read("id")
      author = try fields.read("author")
    }
  }

  struct Todos: SelectionDecodable, Sendable, Equatable {
    let todos: [Todo]

    init(reading fields: inout FieldReader) throws { todos = try fields.read("todos") }
  }

  static let query = Query<Todos, NoVariables>("{ todos { id text author { id name } } }")

  static func store(_ configuration: NormalizedCacheConfiguration = .init()) throws
    -> NormalizedStore
  {
    let store = NormalizedStore(configuration)
    store.write(
      try JSON(
        parsing: #"""
          {"todos":[
            {"__typename":"Todo","id":"1","text":"a",
              "author":{"__typename":"Author","id":"7","name":"Ada, of a long name"}},
            {"__typename":"Todo","id":"2","text":"b","author":null}]}
          """#), for: query.operation(NoVariables()))
    return store
  }

  @Test("N5.1 a value is read again when something of it is different, and only then")
  func changes() throws {
    let store = try Self.store()
    let operation = Self.query.operation(NoVariables())
    #expect(try store.read(Self.query)?.todos.map(\.author?.name) == ["Ada, of a long name", nil])
    #expect(store.holdsValueOnly(of: operation))
    try store.update {
      try $0.update(Self.card, of: Entity("Author", id: "7")) { $0["name"] = "B" }
    }
    #expect(try store.read(Self.query)?.todos.map(\.author?.name) == ["B", nil])
    let layer = store.addLayer { transaction in
      try transaction.update(Self.card, of: Entity("Author", id: "7")) { $0["name"] = "C" }
    }
    #expect(try store.read(Self.query)?.todos.first?.author?.name == "C")
    store.removeLayer(layer)
    #expect(try store.read(Self.query)?.todos.first?.author?.name == "B")
  }

  static let card: GraphQLFragment = {
    do { return try GraphQLFragment("fragment Card on Author { id name }") } catch {
      preconditionFailure("\(error)")
    }
  }()

  @Test("N3.1 a field that the type does not read is missed all the same")
  func unreadFields() throws {
    for selection in [
      StoreSelection.field("text", of: Entity("Todo", id: "2")),
      .field("id", of: Entity("Author", id: "7")), .entity(Entity("Author", id: "7")),
      .entity(Entity("Todo", id: "1")),
    ] {
      let store = try Self.store()
      try store.update { $0.remove(selection) }
      #expect(try store.read(Self.query) == nil)
      #expect(store.read(Self.query.operation(NoVariables())) == nil)
    }
  }

  @Test("N5.1 whoever asks for data after a value was read gets them, and is woken by changes")
  func documentLater() async throws {
    let store = try Self.store()
    #expect(try store.read(Self.query)?.todos.count == 2)
    let client = GraphQLClient([.normalizedCache(store)])
    let result = await client.query(Self.query)
    #expect(result.outcome == .hit && result.untyped.data?["todos"]?[0]?["text"]?.string == "a")
    var watch = client.watch(Self.query).makeAsyncIterator()
    #expect(await watch.next(isolation: nil)?.data?.todos.first?.author?.name.count == 19)
    try store.update {
      try $0.update(Self.card, of: Entity("Author", id: "7")) { $0["name"] = "B" }
    }
    #expect(await watch.next(isolation: nil)?.data?.todos.first?.author?.name == "B")
    #expect(try store.read(Self.query)?.todos.first?.author?.name == "B")
  }

  @Test("N8.1 a value that is past its time to live is read, and again by the next read")
  func ages() throws {
    var configuration = NormalizedCacheConfiguration()
    configuration.timeToLive = ["Author": .seconds(1)]
    let clock = ManualClock()
    let store = NormalizedStore(configuration, clock: clock)
    let data = try #require(try Self.store().read(Self.query.operation(NoVariables())))
    store.write(data, for: Self.query.operation(NoVariables()))
    let first = try store.read(Self.query)
    #expect(store.freshUntil(of: Self.query.operation(NoVariables())) == 1000)
    clock.advance(by: .seconds(2))
    #expect(try store.read(Self.query) == first)
  }
}

extension NormalizedStore {
  fileprivate func holdsValueOnly(of operation: GraphQLOperation) -> Bool {
    state.withLock { $0.entries[operation.identity]?.reading?.isValueOnly == true }
  }

  fileprivate func freshUntil(of operation: GraphQLOperation) -> Int64? {
    state.withLock { $0.entries[operation.identity]?.reading?.freshUntil }
  }
}

/// How the fields of ``Shown`` are read, so that nearly all of them fit.
private struct Ways {
  enum Kind: CaseIterable {
    case string, integer, number, bool, object, list, json, required
  }

  @TaskLocal static var current = Ways()

  static let names: [StaticString] = [
    "f0", "f1", "f2", "f3", "f4", "f5", "f6", "f7", "a0_f0", "a0_f1", "a0_f2", "a0_f3", "a1_f1",
    "a1_f2", "a1_f3", "a0_f4", "__typename", "id", "_id", "code", "x", "y", "k_id", "nothing",
  ]

  /// By the names that all data have.
  private(set) var kinds: [String: Kind] = [:]

  private init() {}

  init(_ data: JSONValue, wrong: Int?) {
    visit(data)
    if let wrong { kinds["\(Self.names[wrong])"] = Kind.allCases[wrong % Kind.allCases.count] }
  }

  private mutating func visit(_ value: JSONValue) {
    switch value {
    case .array(let elements): for element in elements { visit(element) }
    case .object(let members):
      for (key, value) in members {
        visit(value)
        guard let kind = Self.kind(value) else { continue }
        kinds[key] = kinds[key].map { $0 == kind ? kind : .json } ?? kind
      }
    default: break
    }
  }

  private static func kind(_ value: JSONValue) -> Kind? {
    switch value {
    case .null: nil
    case .string: .string
    case .int: .integer
    case .double: .number
    case .bool: .bool
    case .object: .object
    case .array(let elements):
      elements.allSatisfy { if case .object = $0 { true } else { false } } ? .list : .json
    default: .json
    }
  }
}

/// Whatever an object has.
private struct Shown: SelectionDecodable, Sendable {
  private let fields: [String]

  init(reading fields: inout FieldReader) throws {
    var read: [String] = []
    for name in Ways.names {
      guard let kind = Ways.current.kinds["\(name)"] else { continue }
      read.append("\(name): \(try Self.read(name, kind, &fields))")
    }
    self.fields = read
  }

  private static func read(
    _ name: StaticString, _ kind: Ways.Kind, _ fields: inout FieldReader
  ) throws -> String {
    switch kind {
    case .string: "\(try fields.read(name) as String?, default: "nil")"
    case .integer: "\(try fields.read(name) as Int?, default: "nil")"
    case .number: "\(try fields.read(name) as Double?, default: "nil")"
    case .bool: "\(try fields.read(name) as Bool?, default: "nil")"
    case .object: "\(try fields.read(name) as Shown?, default: "nil")"
    case .list: "\(try fields.read(name) as [Shown]?, default: "nil")"
    case .json: "\(try fields.decodeIfPresent(name) as JSONValue?, default: "nil")"
    case .required: try fields.read(name)
    }
  }

  init(from decoder: any Decoder) throws {
    throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "The other one."))
  }
}
