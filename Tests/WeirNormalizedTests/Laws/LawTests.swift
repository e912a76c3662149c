import TestSupport
import Testing
@testable import Weir
@testable import WeirNormalized
@testable import WeirRecords
import WeirTesting

/// Laws that hold for any schema, documents and data.
@Suite("Laws of the normalized cache", .timeLimit(.minutes(10)), .overStorages)
struct LawTests {
  @Test(
    "Written data can be read back, for any schema, document and data (N2, N3)",
    arguments: Stress.seeds(5))
  func readsWhatWasWritten(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    for _ in 0..<StoreKind.scaled(15) {
      let round = random
      let system = RandomTypeSystem(&random)
      let store = StoreKind.store(try system.configuration)
      var exchange = RandomExchange(system, &random)
      for _ in 0..<4 {
        let (operation, data) = exchange.make(&random)
        let document = try data.parsed
        try store.write(document, for: operation)
        let read = store.read(operation)
        guard read == document else {
          Issue.record(
            """
            \(round) \(system)
            \(operation.text) \(String(decoding: operation.variables, as: UTF8.self))
            \(document)
            is read as \(read.map { "\($0)" } ?? "\(store.explain(operation))")
            """)
          return
        }
        let isSame = try store.write(document, for: operation) == 0
        #expect(isSame, "an identical write changes something: \(operation.text) \(document)")
      }
    }
  }

  @Test(
    "Responses in any order lead to the state that follows from the order of requests (N6.2)",
    arguments: Stress.seeds(5))
  func responseOrder(seed: UInt64) throws {
    var setting = Setting(seed: seed)
    for _ in 0..<StoreKind.scaled(10) {
      let requests = setting.requests(count: 5)
      let order = requests.indices.shuffled(using: &setting.random)
      let expected = try Self.store(answering: requests, in: Array(requests.indices))
      let store = try Self.store(answering: requests, in: order)
      #expect(store.contents == expected.contents, "\(order) of \(requests)")
      for (operation, _) in requests {
        #expect(store.read(operation.operation) == expected.read(operation.operation))
      }
    }
  }

  private static func store(
    answering requests: [(operation: RandomOperation, data: JSONValue)], in order: [Int]
  ) throws -> NormalizedStore {
    let store = StoreKind.store(Setting.configuration)
    let sent = requests.map { store.beginRequest(for: $0.operation.operation).sentAt }
    for index in order {
      _ = store.receive(
        OperationResult(data: try requests[index].data.parsed),
        of: requests[index].operation.operation, sentAt: sent[index])
      store.endRequest(sent[index])
    }
    return store
  }

  @Test(
    "A rolled-back write leaves no trace in records, reads and watches (N6.1)",
    arguments: Stress.seeds(5))
  func rollback(seed: UInt64) throws {
    var setting = Setting(seed: seed)
    for _ in 0..<StoreKind.scaled(6) {
      let (store, plain) = (
        StoreKind.store(Setting.configuration), StoreKind.store(Setting.configuration)
      )
      var layers: [UInt64] = []
      for _ in 0..<StoreKind.scaled(12) {
        if setting.random.chance(50) {
          let (operation, data) = setting.request(setting.mutations)
          let guess = operation.operation.with { $0.optimisticData = data }
          if let layer = store.showOptimisticResult(of: guess) { layers.append(layer) }
        } else if setting.random.chance(30), !layers.isEmpty {
          store.removeLayer(layers.remove(at: setting.random.below(layers.count)))
        } else {
          let (operation, data) = setting.request(setting.operations)
          try store.write(try data.parsed, for: operation.operation)
          try plain.write(data.parsed, for: operation.operation)
        }
      }
      for layer in layers.shuffled(using: &setting.random) { store.removeLayer(layer) }
      #expect(store.contents == plain.contents)
      #expect(store.statistics.records == plain.statistics.records)
      for operation in setting.operations {
        #expect(store.read(operation.operation) == plain.read(operation.operation))
      }
    }
  }

  @Test(
    "Layers commute: in whatever order mutations end, the last one sent wins (N6.1)",
    arguments: Stress.seeds(5))
  func layersCommute(seed: UInt64) throws {
    var setting = Setting(seed: seed)
    for _ in 0..<StoreKind.scaled(8) {
      let first = setting.request(setting.operations)
      let mutations = (0..<4).map { _ in setting.request(setting.mutations) }
      func end(in order: [Int]) throws -> NormalizedStore {
        let store = StoreKind.store(Setting.configuration)
        try store.write(try first.data.parsed, for: first.operation.operation)
        let layers = mutations.map { mutation, data in
          let sentAt = store.beginRequest(for: mutation.operation).sentAt
          let guess = mutation.operation.with { $0.optimisticData = data }
          return (sentAt, store.showOptimisticResult(of: guess, sentAt: sentAt))
        }
        let shown = setting.operations.map { store.read($0.operation) }
        for index in order {
          let (mutation, data) = mutations[index]
          store.receiveMutation(
            try data.parsed, errors: [], of: mutation.operation,
            origin: WriteOrigin(sentAt: layers[index].0, isMutation: true),
            storesData: true, removing: layers[index].1)
          store.endRequest(layers[index].0)
          // The real result equals the optimistic one, so nothing flickers.
          let now = setting.operations.map { store.read($0.operation) }
          #expect(now == shown)
        }
        return store
      }
      let expected = try end(in: Array(mutations.indices))
      let order = mutations.indices.shuffled(using: &setting.random)
      #expect(try end(in: order).contents == expected.contents, "\(order) of \(mutations)")
    }
  }

  @Test(
    "Collection never changes pinned or watched data, and leaves no orphaned record (N8.2)",
    .not(.file, because: "reloading memory from the file counts as a change and wakes watches"),
    arguments: Stress.seeds(5))
  func collection(seed: UInt64) throws {
    var setting = Setting(seed: seed)
    for _ in 0..<4 {
      var configuration = Setting.configuration
      configuration.maximumBytes = setting.random.pick([2_000, 8_000, 64 << 20])
      let store = StoreKind.store(configuration)
      let (pinned, watched) = (setting.operations[0].operation, setting.operations[1].operation)
      let pin = store.pin(pinned)
      for _ in 0..<StoreKind.scaled(25) {
        let (operation, data) = setting.request(setting.operations)
        try store.write(try data.parsed, for: operation.operation)
        // Records that are not saved yet are collected later.
        _ = store.statistics
        let before = [store.read(pinned), store.read(watched)]
        let signal = store.result(of: watched)?.signal
        signal?.forEachSource { $0.prepareToWait() }
        // In a small store reading alone may cause a collection, which wakes watches.
        let wasWoken = signal?.firedInstant != nil
        store.collect(setting.random.pick([.unreachable, .bytes(0), .bytes(1_000)]))
        #expect(store.read(pinned) == before[0])
        #expect(store.read(watched) == before[1])
        #expect((signal?.firedInstant != nil) == wasWoken)
        withExtendedLifetime(signal) {}
        #expect(store.state.withLock { $0.records.defects } == [])
      }
      pin.release()
    }
  }

  @Test(
    "Data that contradicts itself corrupts nothing (N1.6, N3.6)", arguments: Stress.seeds(5))
  func contradictions(seed: UInt64) throws {
    var setting = Setting(seed: seed)
    setting.world.contradicts = 40
    for _ in 0..<5 {
      let store = StoreKind.store(Setting.configuration)
      for number in 0..<StoreKind.scaled(20) {
        let (operation, data) = setting.request(setting.operations)
        try store.write(try data.parsed, for: operation.operation)
        let defects = store.state.withLock { $0.records.defects }
        guard defects.isEmpty else {
          Issue.record("write \(number): \(defects) of \(operation.operation.text) \(data)")
          return
        }
        _ = store.read(operation.operation)
      }
    }
  }

  /// Operations on one changing world.
  private struct Setting {
    let operations: [RandomOperation]
    let mutations: [RandomOperation]
    var world = RandomWorld()
    var random: SeededRandom

    static var configuration: NormalizedCacheConfiguration {
      var configuration = NormalizedCacheConfiguration()
      configuration.possibleTypes = RandomSchema.possibleTypes
      return configuration
    }

    init(seed: UInt64) {
      var random = SeededRandom(seed: seed)
      operations = (0..<6).map { _ in RandomOperation(.query, &random) }
      mutations = (0..<3).map { _ in RandomOperation(.mutation, &random) }
      self.random = random
    }

    /// Picks one of the operations, with the server's current response.
    mutating func request(
      _ operations: [RandomOperation]
    ) -> (operation: RandomOperation, data: JSONValue) {
      world.change(&random)
      let operation = random.pick(operations)
      return (operation, world.answer(operation, failing: 0, &random).data)
    }

    mutating func requests(count: Int) -> [(operation: RandomOperation, data: JSONValue)] {
      (0..<count).map { _ in request(operations) }
    }
  }
}
