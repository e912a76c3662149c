import Foundation
import Testing
import Weir
import WeirNormalized
import WeirTesting

/// User code within a transaction that changes the store in other ways (N5.1).
@Suite(.timeLimit(.minutes(10)), .overStorages)
struct NestedWriteTests {
  private static let todos = OptimisticTests.todos
  private static let other = #"{"todos":[{"__typename":"Todo","id":"3","text":"c"}]}"#

  private static func store(
    _ configuration: NormalizedCacheConfiguration = NormalizedCacheConfiguration()
  ) throws -> NormalizedStore {
    let store = StoreKind.store(configuration)
    try store.write(try JSON(parsing: OptimisticTests.data), for: todos)
    return store
  }

  @Test("A transaction that writes to its store directly fails and writes nothing (N5.1)")
  func writes() throws {
    let store = try Self.store()
    let data = try JSON(parsing: Self.other)
    let writes: [() throws -> Void] = [
      { try store.write(data, for: Self.todos) },
      { try store.write(data.value, for: Self.todos) },
      {
        _ = try? store.write(data.value, for: Self.todos)
        try store.write(data, for: Self.todos)
      },
      { try store.update { try $0.write(data, for: Self.todos) } },
      { try store.restore(store.extract()) },
    ]
    for (number, write) in writes.enumerated() {
      var runs = 0
      let error = #expect(throws: StoreError.self) {
        try store.update { transaction in
          runs += 1
          transaction.remove(.entity(Entity("Todo", id: "1")))
          try write()
        }
      }
      #expect(error?.code == .nested, "\(number)")
      #expect(runs == 1, "\(number)")
      #expect(OptimisticTests.texts(store) == ["a", "b"], "\(number)")
    }
    #expect(try store.write(data, for: Self.todos) > 0)
    #expect(OptimisticTests.texts(store) == ["c"])
  }

  @Test("Other stores, and tasks that a transaction starts, are not part of it (N5.1)")
  func others() async throws {
    let store = try Self.store()
    let second = try Self.store()
    let data = try JSON(parsing: Self.other)
    let gate = Gate()
    let task = try store.update { _ in
      try second.write(data, for: Self.todos)
      return Task {
        await gate.pass()
        try store.write(data, for: Self.todos)
        try store.update { $0.remove(.field("unknown")) }
      }
    }
    #expect(OptimisticTests.texts(second) == ["c"])
    #expect(OptimisticTests.texts(store) == ["a", "b"])
    gate.open()
    try await task.value
    #expect(OptimisticTests.texts(store) == ["c"])
  }

  /// Calls a closure on a thread of its own, and waits for its end.
  private static func onOtherThread(_ body: @escaping @Sendable () -> Void) {
    let isOver = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      body()
      isOver.signal()
    }
    #expect(isOver.wait(timeout: .now() + 540) == .success)
  }

  @Test("A transaction that others overtake runs again, but not for ever (N5.1)")
  func contention() throws {
    let store = try Self.store()
    let count = GraphQLOperation("{ count }")
    func update(overtaken times: Int) throws -> Int {
      var runs = 0
      try store.update { transaction in
        runs += 1
        transaction.remove(.entity(Entity("Todo", id: "1")), references: .removed)
        guard runs <= times else { return }
        Self.onOtherThread { [runs] in
          #expect(throws: Never.self) { try store.write(["count": .int(Int64(runs))], for: count) }
        }
      }
      return runs
    }
    let error = #expect(throws: StoreError.self) { try update(overtaken: .max) }
    #expect(error?.code == .contention)
    #expect(store.read(count)?["count"]?.int == 100)
    #expect(OptimisticTests.texts(store) == ["a", "b"])
    #expect(try update(overtaken: 2) == 3)
    #expect(store.read(count)?["count"]?.int == 2)
    #expect(OptimisticTests.texts(store) == ["b"])
  }

  @Test("Data that is invalidated within a transaction becomes stale at its end (N5.1)")
  func invalidation() throws {
    let store = try Self.store()
    let client = GraphQLClient([.cache(store)], configuration: .silent)
    var runs = 0
    try store.update { transaction in
      runs += 1
      client.invalidate(types: "Todo")
      #expect(client.peek(Self.todos)?.isStale == false)
      transaction.remove(.entity(Entity("Todo", id: "1")), references: .removed)
    }
    #expect(runs == 1)
    #expect(client.peek(Self.todos)?.isStale == true)
    #expect(OptimisticTests.texts(store) == ["b"])
    try store.update { _ in client.invalidate(.all) }
    #expect(store.read(Self.todos) == nil)
  }

  @Test("What a transaction writes after it has invalidated it is fresh (N5.1)")
  func writeAfterInvalidation() throws {
    let store = try Self.store()
    let client = GraphQLClient([.cache(store)], configuration: .silent)
    let text = try GraphQLFragment("fragment F on Todo { id text }")
    try store.update { transaction in
      transaction.invalidate(.entity(Entity("Todo", id: "1")))
      try transaction.write(["text": "c"], for: text, of: Entity("Todo", id: "1"))
    }
    #expect(client.peek(Self.todos)?.isStale == true, "The todo's id was not written.")
    try store.update { transaction in
      transaction.invalidate(.type("Todo"))
      try transaction.write(try JSON(parsing: OptimisticTests.data), for: Self.todos)
    }
    #expect(client.peek(Self.todos)?.isStale == false)
  }

  @Test("A policy that writes to the store directly fails; the mutation's result stays (N6.1)")
  func policies() async throws {
    let holder = Locked<NormalizedStore?>(nil)
    let data = try JSON(parsing: Self.other)
    let gate = Gate()
    var configuration = NormalizedCacheConfiguration()
    configuration.mutations["rename"] = MutationPolicy { _, transaction in
      transaction.remove(.entity(Entity("Todo", id: "2")), references: .removed)
      try holder.withLock { $0 }?.write(data, for: Self.todos)
    }
    let (client, store, server) = await OptimisticTests.setUp(configuration, gate: gate) { _ in
      .data(OptimisticTests.renamed)
    }
    holder.withLock { $0 = store }
    async let result = client.mutate(
      OptimisticTests.rename.with {
        $0.optimisticData = ["rename": ["__typename": "Todo", "id": "1", "text": "guess"]]
      })
    await server.received(2)
    #expect(OptimisticTests.texts(store) == ["guess", "b"])
    gate.open()
    #expect(await result.error == nil)
    #expect(OptimisticTests.texts(store) == ["real", "b"])
    holder.withLock { $0 = nil }
  }
}
