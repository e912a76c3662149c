import Testing
@testable import Weir
@testable import WeirNormalized
import WeirTesting

/// The store against the oracle under random operations. A failure names its seed and the shortest
/// run that still fails.
@Suite("Model: the normalized store against plain dictionaries", .timeLimit(.minutes(5)))
struct ModelTests {
  enum Step {
    /// The server's data change.
    case change(UInt64)
    /// An operation is sent, and answered from the server's present data, now or later.
    case send(Int, UInt64)
    case answer(Int)
    /// A mutation answers, whose fields are those of a query.
    case mutate(Int, UInt64)
    /// A server's present data are written by hand.
    case write(Int, UInt64)
    case clear
  }

  @Test(
    "N1–N4, N6.2 reads are those of plain dictionaries; a watch wakes if and only if it is concerned",
    arguments: Stress.seeds(12).map { ($0, StoreKind.memory) }
      + Stress.seeds(4).flatMap { [($0, .memoryOverFile), ($0, .file)] })
  func model(seed: UInt64, kind: StoreKind) async throws {
    var random = SeededRandom(seed: seed)
    let operations = (0..<7).map { _ in RandomOperation(.query, &random) }
    let mutations = (0..<3).map { _ in RandomOperation(.mutation, &random) }
    var steps = (0..<60).map { _ in Self.step(&random) }
    func failure(_ steps: [Step]) async throws -> String? {
      var model = Model(operations: operations, mutations: mutations, kind)
      return try await model.run(steps)
    }
    guard var message = try await failure(steps) else { return }
    var size = steps.count / 2
    while size > 0 {
      var start = 0
      while start < steps.count {
        var fewer = steps
        fewer.removeSubrange(start..<min(start + size, steps.count))
        if let found = try await failure(fewer) {
          (steps, message) = (fewer, found)
        } else {
          start += size
        }
      }
      size /= 2
    }
    Issue.record("seed \(seed), \(kind): \(message)\nsteps: \(steps)")
  }

  private static func step(_ random: inout SeededRandom) -> Step {
    switch random.below(20) {
    case 0...3: .change(random.next())
    case 4...8: .send(random.below(7), random.next())
    case 9...13: .answer(random.below(100))
    case 14...15: .mutate(random.below(3), random.next())
    case 16...18: .write(random.below(7), random.next())
    default: random.chance(20) ? .clear : .change(random.next())
    }
  }
}

/// A store and the oracle side by side.
private struct Model {
  private struct Write {
    let order: Int
    let operation: RandomOperation
    let data: JSONValue
    let errors: [GraphQLError]
    var isMutation = false
  }

  private struct Watch {
    let signal: RefreshSignal
    let data: JSONValue?
    let dependencies: Set<Oracle.Dependency>
  }

  let operations: [RandomOperation]
  let mutations: [RandomOperation]
  private let configuration: NormalizedCacheConfiguration
  private let kind: StoreKind
  private let storage: TemporaryStorage?
  private var store: NormalizedStore
  private var world = RandomWorld()
  private var clock = 0
  private var pending: [(write: Write, sentAt: LogicalInstant)] = []
  /// Where no request under way can change anything any more.
  private var base = Oracle()
  private var writes: [Write] = []
  private var oracle = Oracle()
  private var watches: [Int: Watch] = [:]
  /// What was written, for the message of a failure.
  private var log: [String] = []

  init(operations: [RandomOperation], mutations: [RandomOperation], _ kind: StoreKind) {
    self.operations = operations
    self.mutations = mutations
    var configuration = NormalizedCacheConfiguration()
    configuration.possibleTypes = RandomSchema.possibleTypes
    self.configuration = configuration
    self.kind = kind
    storage = kind == .memory ? nil : TemporaryStorage()
    store = NormalizedStore(configuration, storage: storage)
  }

  /// What went wrong first; nil if nothing did.
  mutating func run(_ steps: [ModelTests.Step]) async throws -> String? {
    for index in operations.indices { watch(index) }
    for (number, step) in steps.enumerated() {
      try perform(step)
      if kind == .file { try await restart() }
      // A mutation makes lists stale, which wakes their watches, too; all are woken by the end of
      // everything.
      var isExact = true
      switch step {
      case .mutate, .clear: isExact = false
      default: break
      }
      for index in operations.indices {
        if let problem = try check(index, isExact: isExact) {
          let documents = (operations + mutations).map {
            "\($0.operation.text) \(String(decoding: $0.operation.variables, as: UTF8.self))"
          }
          return "after step \(number), operation \(index): \(problem)\n"
            + (documents.enumerated().map { "\($0): \($1)" } + log).joined(separator: "\n")
        }
      }
    }
    if kind == .memoryOverFile { try await restart() }
    for index in operations.indices {
      if let problem = try check(index, isExact: false) { return "at the end: \(problem)" }
    }
    return nil
  }

  /// Goes on with what the storage has, unless requests are under way.
  private mutating func restart() async throws {
    guard pending.isEmpty else { return }
    try await store.flush()
    store = NormalizedStore(configuration, storage: storage)
    watches = [:]
    // A watch wakes when what it misses is loaded for another one, too.
    for operation in operations { await store.load(operation.operation) }
    for index in operations.indices { watch(index) }
  }

  private mutating func perform(_ step: ModelTests.Step) throws {
    clock += 1
    switch step {
    case .change(let seed):
      var random = SeededRandom(seed: seed)
      world.change(&random)
    case .send(let index, let seed):
      let write = makeWrite(operations[index], seed, failing: 4)
      pending.append((write, store.beginRequest(for: operations[index].operation)))
    case .answer(let choice):
      guard !pending.isEmpty else { return }
      let (write, sentAt) = pending.remove(at: choice % pending.count)
      let result = OperationResult(
        data: try write.data.parsed,
        error: write.errors.isEmpty ? nil : OperationError(graphQLErrors: write.errors))
      _ = store.receive(result, of: write.operation.operation, sentAt: sentAt)
      store.endRequest(sentAt)
      apply(write)
    case .mutate(let index, let seed):
      var write = makeWrite(mutations[index], seed, failing: 4)
      write.isMutation = true
      let sentAt = store.beginRequest(for: mutations[index].operation)
      store.receiveMutation(
        try write.data.parsed, errors: write.errors, of: mutations[index].operation,
        origin: WriteOrigin(sentAt: sentAt, isMutation: true), removing: nil)
      store.endRequest(sentAt)
      apply(write)
    case .write(let index, let seed):
      let write = makeWrite(operations[index], seed, failing: 0)
      store.write(try write.data.parsed, for: operations[index].operation)
      apply(write)
    case .clear:
      store.invalidate(.all)
      oracle = Oracle()
      base = oracle
      writes = []
      for (_, sentAt) in pending { store.endRequest(sentAt) }
      pending = []
    }
  }

  private mutating func makeWrite(
    _ operation: RandomOperation, _ seed: UInt64, failing percent: Int
  ) -> Write {
    var random = SeededRandom(seed: seed)
    let (data, errors) = world.answer(
      operation, failing: random.chance(50) ? percent : 0, &random)
    return Write(order: clock, operation: operation, data: data, errors: errors)
  }

  /// Puts a write in its place and computes everything anew.
  private mutating func apply(_ write: Write) {
    let text = (try? write.data.compactBytes()).map { String(decoding: $0, as: UTF8.self) } ?? ""
    log.append("write of \(write.order): \(text), errors: \(write.errors)")
    writes.append(write)
    writes.sort { $0.order < $1.order }
    oracle = base
    for write in writes {
      oracle.write(
        write.data, errors: write.errors, write.operation, isMutation: write.isMutation)
    }
    if pending.isEmpty { (base, writes) = (oracle, []) }
  }

  // MARK: Watching

  private mutating func watch(_ index: Int) {
    let (data, dependencies) = oracle.read(operations[index])
    guard let signal = store.result(of: operations[index].operation)?.signal else { return }
    signal.forEachSource { $0.prepareToWait() }
    watches[index] = Watch(signal: signal, data: data, dependencies: dependencies)
  }

  private mutating func check(_ index: Int, isExact: Bool) throws -> String? {
    let (data, dependencies) = oracle.read(operations[index])
    let shown = store.read(operations[index].operation)
    let expected = try data?.parsed
    if shown != expected {
      let again = try store.update { $0.read(operations[index].operation) }
      return "read \(again == expected) \(shown.map { "\($0)" } ?? "nothing"), should be "
        + (expected.map { "\($0)" } ?? "nothing")
    }
    guard let watch = watches[index] else { return nil }
    let hasFired = watch.signal.firedInstant != nil
    if data != watch.data, !hasFired { return "a change does not wake its watch" }
    if isExact, hasFired, dependencies == watch.dependencies {
      return "a watch is woken for nothing"
    }
    if hasFired { self.watch(index) }
    return nil
  }
}

extension JSONValue {
  var parsed: JSON {
    get throws { try JSON(parsing: compactBytes()) }
  }
}
