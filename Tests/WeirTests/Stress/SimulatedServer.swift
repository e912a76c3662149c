import TestSupport
import Weir
import WeirTesting

/// A server whose objects have versions: each mutation of a type increments its version. Responses
/// wait until the test releases them, in any order.
final class SimulatedServer: Exchange {
  /// The types. A mutation of a type affects every query that returns it.
  enum Kind: String, CaseIterable, Sendable {
    case post, user, tag
    var typename: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }
  }

  /// A request that has arrived and is not answered yet.
  struct Pending: Sendable {
    let id: Int
    let operation: GraphQLOperation
    let gate: Gate
  }

  struct State: Sendable {
    var versions: [Kind: Int] = [:]
    var pending: [Pending] = []
    var lastID = 0
    var isOpen = false
    var requests: [OperationKey: Int] = [:]
    var failsNext = false
    /// The highest number of unanswered requests of one key.
    var mostAtOnce = 0
  }

  let board = Board(State())
  private let random: Locked<SeededRandom>

  init(seed: UInt64) { random = Locked(SeededRandom(seed: seed)) }

  /// A query for the version of one or more types. Each `id` makes another key.
  static func query(_ kinds: [Kind], id: Int, policy: RequestPolicy = .cacheFirst)
    -> GraphQLOperation
  {
    let fields = kinds.map { "\($0)(id: $id) { version }" }.joined(separator: " ")
    return GraphQLOperation(
      GraphQLDocument("query Q($id: Int!) { \(fields) }"), variables: ["id": .int(Int64(id))],
      context: OperationContext(requestPolicy: policy))
  }

  /// A query for a list that is empty until the first mutation of the type.
  static func list(_ kind: Kind, policy: RequestPolicy = .cacheFirst) -> GraphQLOperation {
    GraphQLOperation(
      GraphQLDocument("query L { all: \(kind)s { version } }"),
      context: OperationContext(requestPolicy: policy))
  }

  static func mutation(_ kind: Kind) -> GraphQLOperation {
    GraphQLOperation(GraphQLDocument("mutation M { bump: bump\(kind.typename) { version } }"))
  }

  func execute(_ operation: GraphQLOperation, forward: Forward) -> ResultStream {
    ResultStream { [self] yield in
      let gate = Gate()
      let (readsEarly, early, fails) = board.update { [self] state in
        state.lastID += 1
        state.requests[operation.key, default: 0] += 1
        if state.isOpen { gate.open() }
        state.pending.append(Pending(id: state.lastID, operation: operation, gate: gate))
        let atOnce = state.pending.count { $0.operation.key == operation.key }
        if operation.kind == .query { state.mostAtOnce = max(state.mostAtOnce, atOnce) }
        let readsEarly = random.withLock { $0.chance(50) }
        defer { state.failsNext = false }
        return (readsEarly, readsEarly ? Self.act(on: operation, &state) : nil, state.failsNext)
      }
      await gate.pass()
      let answer = board.update { state in
        state.pending.removeAll { $0.gate === gate }
        return readsEarly ? early : Self.act(on: operation, &state)
      }
      if fails, operation.kind == .query { return yield(.failure("no")) }
      if let answer { yield(answer) }
    }
  }

  /// Reads the objects, after increasing the version for a mutation.
  private static func act(on operation: GraphQLOperation, _ state: inout State) -> OperationResult {
    if operation.kind == .mutation {
      for kind in Kind.allCases where operation.text.contains("bump\(kind.typename)") {
        state.versions[kind, default: 0] += 1
        return .data(#"{"bump":\#(object(kind, state))}"#)
      }
    }
    if operation.name == "L" {
      for kind in Kind.allCases where operation.text.contains("\(kind)s") {
        let isEmpty = state.versions[kind, default: 0] == 0
        return .data(#"{"all":[\#(isEmpty ? "" : object(kind, state))]}"#)
      }
    }
    let fields = Kind.allCases.filter { operation.text.contains("\($0)(") }
    return .data(
      "{" + fields.map { #""\#($0)":\#(object($0, state))"# }.joined(separator: ",") + "}")
  }

  private static func object(_ kind: Kind, _ state: State) -> String {
    #"{"version":\#(state.versions[kind, default: 0]),"__typename":"\#(kind.typename)"}"#
  }

  // MARK: - For the test

  var versions: [Kind: Int] { board.value.versions }

  var requestCount: Int { board.value.requests.values.reduce(0, +) }

  /// Answers one of the waiting requests.
  func answerOne(_ random: inout SeededRandom) {
    board.value.pending.randomElement(using: &random)?.gate.open()
  }

  /// Answers all waiting requests, and later ones immediately.
  func open() {
    let pending = board.update { state in
      state.isOpen = true
      return state.pending
    }
    for request in pending { request.gate.open() }
  }

  func close() { board.update { $0.isOpen = false } }

  func until(_ condition: @escaping @Sendable (State) -> Bool) async {
    await board.until(condition)
  }
}

extension OperationResult {
  /// The version of each type in the result; an empty list counts as version 0.
  func versions(of operation: GraphQLOperation) -> [SimulatedServer.Kind: Int]? {
    guard let data else { return nil }
    var found: [SimulatedServer.Kind: Int] = [:]
    for kind in SimulatedServer.Kind.allCases {
      if let version = data["\(kind)"]?["version"]?.int { found[kind] = Int(version) }
      if operation.name == "L", operation.text.contains("\(kind)s") {
        found[kind] = data["all"]?[0]?["version"]?.int.map { Int($0) } ?? 0
      }
    }
    return found
  }
}
