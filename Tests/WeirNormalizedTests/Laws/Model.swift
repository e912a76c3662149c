@testable import Weir
@testable import WeirNormalized
@testable import WeirRecords
import TestSupport
import WeirTesting

/// A store and the oracle side by side.
struct Model {
  /// A write, with its place in the order of writes.
  private struct Write {
    enum Content {
      case data(RandomOperation, JSONValue, [GraphQLError], isMutation: Bool)
      case removal(Oracle.Patch)
    }

    var order: Double
    /// The time at which the write arrived.
    var arrival = 0
    let content: Content
    var hasFailedElements: Bool {
      guard case .data(_, _, let errors, _) = content else { return false }
      return errors.contains { if case .index? = $0.path.last { true } else { false } }
    }

    /// The time of the request, for mutations and writes by hand, whose data is as new as their
    /// end.
    var sentOrder: Double?
  }

  private struct Layer {
    let id: UInt64
    let mutation: Int
    let guess: JSONValue
    let order: Double
    let sentAt: LogicalInstant?
  }

  private struct Watch {
    let signal: RefreshSignal
    let data: JSONValue?
    let dependencies: Set<Oracle.Dependency>
  }

  let operations: [RandomOperation]
  let mutations: [RandomOperation]
  private var store: NormalizedStore
  private var world = RandomWorld()
  private var clock = 0
  private var pending: [(index: Int, write: Write, sentAt: LogicalInstant)] = []
  /// The oracle's state that no request in flight can change any more.
  private var base = Oracle()
  private var writes: [Write] = []
  private var oracle = Oracle()
  private var layers: [Layer] = []
  /// The oracle with the layers on top.
  private var shown = Oracle()
  private var watches: [Int: Watch] = [:]
  /// The writes so far, for failure messages.
  private var log: [String] = []

  init(
    operations: [RandomOperation], mutations: [RandomOperation],
    storage: (any RecordStorage)? = nil
  ) {
    self.operations = operations
    self.mutations = mutations
    store = NormalizedStore(Self.configuration, storage: storage)
  }

  private static var configuration: NormalizedCacheConfiguration {
    var configuration = NormalizedCacheConfiguration()
    configuration.possibleTypes = RandomSchema.possibleTypes
    return configuration
  }

  /// Continues with a new store over the same storage, unless requests are in flight.
  mutating func restart(over storage: any RecordStorage) async throws {
    guard pending.isEmpty, layers.isEmpty else { return }
    try await store.flush()
    store = NormalizedStore(Self.configuration, storage: storage)
    watches = [:]
    for operation in operations { await store.load(operation.operation) }
  }

  /// Returns the first problem; nil if there is none.
  mutating func run(_ steps: [ModelTests.Step]) throws -> String? {
    for index in operations.indices { watch(index) }
    for (number, step) in steps.enumerated() {
      try perform(step)
      // A mutation makes lists stale, which also wakes their watches, and clearing wakes all
      // watches. Layers are rebuilt when data below them changes, and then an object without a key
      // is another record.
      let isExact =
        switch step {
        case .change, .send, .show: true
        case .mutate, .settle, .clear: false
        case .answer, .write, .remove, .collect: layers.isEmpty
        }
      showLayers()
      for index in operations.indices {
        if let problem = try check(index, isExact: isExact) {
          return describe("after step \(number), operation \(index): \(problem)")
        }
      }
      let defects = store.state.withLock { $0.records.defects }
      if !defects.isEmpty { return describe("after step \(number): \(defects)") }
      if case .collect = step, isQuiet {
        forgetCollected()
        for index in operations.indices {
          if let problem = try check(index, isExact: isExact) {
            return describe("after the end of step \(number), operation \(index): \(problem)")
          }
        }
      }
    }
    return nil
  }

  private func describe(_ problem: String) -> String {
    let documents = (operations + mutations).map {
      "\($0.operation.text) \(String(decoding: $0.operation.variables, as: UTF8.self))"
    }
    return problem + "\n"
      + (documents.enumerated().map { "\($0): \($1)" } + log).joined(separator: "\n")
  }

  /// Whether nothing is in flight. Optimistic results without a mutation may be shown.
  private var isQuiet: Bool { pending.isEmpty && layers.allSatisfy { $0.sentAt == nil } }
}

// MARK: - Steps

extension Model {
  private mutating func perform(_ step: ModelTests.Step) throws {
    clock += 1
    switch step {
    case .change(let seed):
      var random = SeededRandom(seed: seed)
      world.change(&random)
    case .send(let index, let seed):
      let write = makeWrite(operations[index], seed, failing: 4)
      pending.append((index, write, store.beginRequest(for: operations[index].operation).sentAt))
    case .answer(let choice):
      try answer(choice)
    case .mutate(let index, let seed):
      var write = makeWrite(mutations[index], seed, failing: 4, isMutation: true)
      write.sentOrder = write.order
      let sentAt = store.beginRequest(for: mutations[index].operation).sentAt
      try receive(write, mutations[index], sentAt: sentAt, removing: nil)
    case .write(let index, let seed):
      var write = makeWrite(operations[index], seed, failing: 0)
      write.sentOrder = write.order
      guard case .data(_, let data, _, _) = write.content else { return }
      if seed & 1 == 0 {
        try store.write(try data.parsed, for: operations[index].operation)
      } else {
        try store.update { try $0.write(try data.parsed, for: operations[index].operation) }
      }
      apply(write)
    case .show(let index, let seed, let isSent): show(index, seed, isSent: isSent)
    case .settle(let choice, let seed, let commits):
      try settle(choice, seed, commits: commits)
    case .remove(let removal):
      try store.update { removal.perform(in: &$0) }
      let patch = oracle.patch(for: removal)
      let order = Double(clock)
      apply(Write(order: order, content: .removal(patch), sentOrder: order))
    case .collect(let everything):
      guard isQuiet else { return }
      store.collect(everything ? .bytes(0) : .unreachable)
    case .clear:
      store.invalidate(.all)
      oracle = Oracle()
      base = oracle
      writes = []
      for (_, _, sentAt) in pending { store.endRequest(sentAt) }
      for layer in layers { layer.sentAt.map(store.endRequest) }
      pending = []
      layers = []
    }
  }

  private mutating func answer(_ choice: Int) throws {
    guard !pending.isEmpty else { return }
    var choice = choice % pending.count
    // Failed elements keep older data only if that data arrived first.
    if pending[choice].write.hasFailedElements { choice = 0 }
    let (index, write, sentAt) = pending.remove(at: choice)
    guard case .data(_, let data, let errors, _) = write.content else { return }
    let result = OperationResult(
      data: try data.parsed,
      error: errors.isEmpty ? nil : OperationError(graphQLErrors: errors))
    _ = store.receive(result, of: operations[index].operation, sentAt: sentAt)
    store.endRequest(sentAt)
    apply(write)
  }

  private mutating func show(_ index: Int, _ seed: UInt64, isSent: Bool) {
    // The app's guess is close to what the server has.
    var random = SeededRandom(seed: seed)
    var guessed = world
    guessed.change(&random)
    let guess = guessed.answer(mutations[index], failing: 0, &random).data
    let operation = mutations[index].operation
    let sentAt = isSent ? store.beginRequest(for: operation).sentAt : nil
    log.append("layer of \(clock): \(Self.text(guess))")
    let id = store.showOptimisticResult(of: operation.with { $0.optimisticData = guess })
    guard let id else { return }
    layers.append(
      Layer(id: id, mutation: index, guess: guess, order: Double(clock), sentAt: sentAt))
  }

  private mutating func settle(_ choice: Int, _ seed: UInt64, commits: Bool) throws {
    guard !layers.isEmpty else { return }
    let layer = layers.remove(at: choice % layers.count)
    let mutation = mutations[layer.mutation]
    guard commits, let sentAt = layer.sentAt, let order = orderOfEnd(of: layer) else {
      log.append("layer of \(layer.order) is removed")
      store.removeLayer(layer.id)
      if let sentAt = layer.sentAt { store.endRequest(sentAt) }
      return
    }
    var write = makeWrite(mutation, seed, failing: 4, isMutation: true)
    write.order = order
    write.sentOrder = layer.order
    log.append("layer of \(layer.order) is replaced by")
    try receive(write, mutation, sentAt: sentAt, removing: layer.id)
  }

  /// The place of a mutation's result: newer than every query sent before it arrived, and older
  /// than writes of mutations that were sent later. Nil if there is no such place.
  private func orderOfEnd(of layer: Layer) -> Double? {
    let later = writes.filter { ($0.sentOrder ?? 0) > layer.order }
    guard let first = later.map(\.order).min() else { return Double(clock) }
    let queries = (writes + pending.map(\.write)).filter { $0.sentOrder == nil }
    return queries.contains { $0.order > first } ? nil : first - 0.001
  }

  private mutating func receive(
    _ write: Write, _ mutation: RandomOperation, sentAt: LogicalInstant, removing layer: UInt64?
  ) throws {
    guard case .data(_, let data, let errors, _) = write.content else { return }
    store.receiveMutation(
      try data.parsed, errors: errors, of: mutation.operation,
      origin: WriteOrigin(sentAt: sentAt, isMutation: true), storesData: true,
      removing: layer)
    store.endRequest(sentAt)
    apply(write)
  }

  private mutating func makeWrite(
    _ operation: RandomOperation, _ seed: UInt64, failing percent: Int, isMutation: Bool = false
  ) -> Write {
    var random = SeededRandom(seed: seed)
    let (data, errors) = world.answer(
      operation, failing: random.chance(50) ? percent : 0, &random)
    return Write(
      order: Double(clock), content: .data(operation, data, errors, isMutation: isMutation))
  }

  private static func text(_ value: JSONValue) -> String {
    (try? value.compactBytes()).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }
}

// MARK: - The oracle

extension Model {
  /// Inserts a write at its place and computes the oracle again.
  private mutating func apply(_ write: Write) {
    switch write.content {
    case .data(_, let data, let errors, _):
      log.append("write of \(write.order): \(Self.text(data)), errors: \(errors)")
    case .removal(let patch): log.append("removal of \(write.order): \(patch)")
    }
    var write = write
    write.arrival = clock
    writes.append(write)
    writes.sort { $0.order < $1.order }
    oracle = base
    oracle.arrivals = [:]
    for write in writes {
      switch write.content {
      case .data(let operation, let data, let errors, let isMutation):
        oracle.write(
          data, errors: errors, operation, isMutation: isMutation, arrival: write.arrival)
      case .removal(let patch): oracle.apply(patch, arrival: write.arrival)
      }
    }
    if isQuiet { (base, writes) = (oracle, []) }
  }

  private mutating func showLayers() {
    shown = oracle
    for layer in layers {
      shown.write(layer.guess, errors: [], mutations[layer.mutation], isMutation: true)
    }
  }

  /// Removes collected data from the oracle: no read depends on it now, but later reads miss it.
  private mutating func forgetCollected() {
    let (entities, fields) = store.state.withLock { state in
      let root = RootType.query.reference
      return (
        oracle.entities.filter { key in
          let parts = key.split(separator: ":", maxSplits: 1).map(String.init)
          let entity = Entity(parts[0], id: parts[1])
          return state.records.record(at: .entity(entity), store.catalog) == nil
        },
        Set(
          state.records.places(of: root, store.catalog).map {
            store.catalog.info($0.field).storageKey
          })
      )
    }
    oracle.forget(entities, keepingFields: fields)
    (base, writes) = (oracle, [])
    showLayers()
  }
}

// MARK: - Watching

extension Model {
  private mutating func watch(_ index: Int) {
    let (data, dependencies) = shown.read(operations[index])
    guard let signal = store.result(of: operations[index].operation)?.signal else { return }
    signal.forEachSource { $0.prepareToWait() }
    watches[index] = Watch(signal: signal, data: data, dependencies: dependencies)
  }

  private mutating func check(_ index: Int, isExact: Bool) throws -> String? {
    let (data, dependencies) = shown.read(operations[index])
    let read = store.read(operations[index].operation)
    let expected = try data?.parsed
    if read != expected {
      let again = try store.update { $0.read(operations[index].operation) }
      return "read \(again == expected) \(read.map { "\($0)" } ?? "nothing"), should be "
        + (expected.map { "\($0)" } ?? "nothing")
    }
    guard let watch = watches[index] else { return nil }
    let hasFired = watch.signal.firedInstant != nil
    if data != watch.data, !hasFired { return "a change does not wake its watch" }
    if isExact, hasFired, dependencies == watch.dependencies {
      return "a watch wakes although nothing it shows has changed"
    }
    if hasFired { self.watch(index) }
    return nil
  }
}
