import TestSupport
import Testing
@testable import Weir
@testable import WeirNormalized
@testable import WeirRecords
import WeirTesting

/// Entities within their own fields, also within lists of different lengths (N3.6).
@Suite("Data that contains itself", .timeLimit(.minutes(10)), .overStorages)
struct SelfContainingTests {
  /// How a response reaches a store.
  enum Way: CaseIterable {
    case write, transaction, response, largeResponse, mutation, optimisticResult
  }

  private static let padding: JSONValue = .array(
    (0..<700).map { ["__typename": "P", "x": .int($0)] })

  @Test(
    "Objects within themselves are stored as plain dictionaries would, in every way (N3.6)",
    arguments: Way.allCases)
  func oracle(way: Way) async throws {
    let rounds = StoreKind.scaled(way == .largeResponse ? 4 : 40, by: 10)
    for seed in Stress.seeds(rounds) {
      var random = SeededRandom(seed: seed)
      if let problem = try await Self.run(way, &random) {
        Issue.record("\(way), \(StoreKind.current), seed \(seed): \(problem)")
        return
      }
    }
  }

  private static func run(_ way: Way, _ random: inout SeededRandom) async throws -> String? {
    let selections = (0..<2).map { _ in
      SelfContainingSelection(depth: 2 + random.below(3), &random)
    }
    let store = StoreKind.store()
    var oracle = SelfContainingOracle()
    var log = selections.map { $0.text() }
    for _ in 0..<5 {
      let selection = random.pick(selections)
      let data = selection.data(&random)
      log.append("\(data)")
      let before = selections.map { store.result(of: $0.operation) }
      for result in before { result?.signal?.forEachSource { $0.prepareToWait() } }
      let layer = try await deliver(data, of: selection, way, to: store)
      var shown = oracle
      shown.write(data, isMutation: way.isMutation)
      for (selection, before) in zip(selections, before) {
        let read = store.read(selection.operation)
        let expected = try shown.read(selection)?.parsed
        if read != expected {
          return "\(log.joined(separator: "\n"))\n\(selection.text()) reads "
            + "\(read.map { "\($0)" } ?? "nothing"), not \(expected.map { "\($0)" } ?? "nothing")"
        }
        if let old = before?.payload?.data, old != read, before?.signal?.firedInstant == nil {
          return "\(log.joined(separator: "\n"))\n\(selection.text()) was not woken"
        }
      }
      withExtendedLifetime(before) {}
      let defects = store.state.withLock { $0.records.defects }
      if !defects.isEmpty { return "\(log.joined(separator: "\n"))\n\(defects)" }
      if let layer { store.removeLayer(layer) } else { oracle = shown }
    }
    return nil
  }

  private static func deliver(
    _ data: JSONValue, of selection: SelfContainingSelection, _ way: Way, to store: NormalizedStore
  ) async throws -> UInt64? {
    let operation = selection.operation
    switch way {
    case .write: try store.write(data.parsed, for: operation)
    case .transaction: try store.update { try $0.write(data.parsed, for: operation) }
    case .response: try receive(data, of: operation, store)
    case .largeResponse:
      var data = data
      data["padding"] = padding
      try receive(
        data,
        of: GraphQLOperation(GraphQLDocument(selection.text().dropLast(2) + " padding { x } }")),
        store)
    case .mutation:
      let client = GraphQLClient([
        .cache(store), ScriptedExchange.immediate { _ in OperationResult(data: try? data.parsed) },
      ])
      _ = await client.mutate(selection.mutation)
    case .optimisticResult:
      return store.showOptimisticResult(of: selection.mutation.with { $0.optimisticData = data })
    }
    return nil
  }

  private static func receive(
    _ data: JSONValue, of operation: GraphQLOperation, _ store: NormalizedStore
  ) throws {
    let sentAt = store.beginRequest(for: operation).sentAt
    _ = store.receive(OperationResult(data: try data.parsed), of: operation, sentAt: sentAt)
    store.endRequest(sentAt)
  }

  @Test("A list within itself does not come to contain itself as it changes its length (N3.6)")
  func lists() throws {
    let store = StoreKind.store()
    let operation = GraphQLOperation("{ user { id squad { id squad { __typename } } } }")
    func response(_ inner: String) throws -> JSON {
      try JSON(
        parsing: #"""
          {"user":{"__typename":"User","id":"3","squad":
          [[{"__typename":"User","id":"3","squad":[\#(inner)]}],[],[]]}}
          """#)
    }
    let three = try response(#"[{"__typename":"User"}],[],[]"#)
    let two = try response(#"[{"__typename":"User"}],[]"#)
    for data in [three, two, three, two] {
      try store.write(data, for: operation)
      let squad = store.read(GraphQLOperation("{ user { squad { id } } }"))?["user"]?["squad"]
      #expect(squad?.value == [[["id": "3", "__typename": "User"]], [], []])
      #expect(store.state.withLock { $0.records.defects } == [])
    }
  }

  @Test("Work grows with the document, however often a list contradicts itself (N3.6)")
  func depth() throws {
    let depth = 100
    let store = StoreKind.store()
    let document =
      "{ user { id" + String(repeating: " squad { id", count: depth)
      + String(repeating: " }", count: depth) + " } }"
    var data = #"{"__typename":"User","id":"1"}"#
    for level in 0..<depth {
      let others = String(repeating: #",{"__typename":"User","id":"2"}"#, count: level % 3)
      data = #"{"__typename":"User","id":"1","squad":[\#(data)\#(others)]}"#
    }
    for _ in 0..<2 {
      try store.write(
        try JSON(parsing: #"{"user":\#(data)}"#), for: GraphQLOperation(GraphQLDocument(document)))
      let squad = store.read(GraphQLOperation("{ user { squad { id } } }"))?["user"]?["squad"]
      #expect(squad?.value.array?.count == 1 + (depth - 1) % 3)
    }
  }

  @Test("A connection within its own nodes is merged and read (N7)")
  func connections() throws {
    let store = StoreKind.store()
    let friends = "friends(first: 2) { edges { cursor node { id name"
    let operation = GraphQLOperation(
      GraphQLDocument("{ me { id \(friends) \(friends) } } } } } } } }"))
    func connection(_ nodes: [JSONValue]) -> JSONValue {
      [
        "__typename": "Friends",
        "edges": .array(nodes.map { ["__typename": "Edge", "cursor": "c", "node": $0] }),
      ]
    }
    let plain: JSONValue = ["__typename": "User", "id": "1", "name": "a"]
    for count in [1, 3, 2] {
      var me = plain
      me["friends"] = connection(Array(repeating: plain, count: count))
      let data: JSONValue = [
        "me": ["__typename": "User", "id": "1", "friends": connection([me, plain])]
      ]
      try store.write(try data.parsed, for: operation)
      let read = store.read(operation)?["me"]?["friends"]?["edges"]
      #expect(read?.value.array?.count == 2)
      #expect(read?[0]?["node"]?["friends"]?["edges"]?.value.array?.count == 2)
      #expect(store.state.withLock { $0.records.defects } == [])
    }
  }
}

extension SelfContainingTests.Way {
  var isMutation: Bool { self == .mutation || self == .optimisticResult }
}

extension SelfContainingSelection {
  var operation: GraphQLOperation { GraphQLOperation(GraphQLDocument(text())) }
  var mutation: GraphQLOperation { GraphQLOperation(GraphQLDocument("mutation " + text())) }
}
