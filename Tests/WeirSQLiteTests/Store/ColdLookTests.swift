import TestSupport
import Testing
import WeirNormalized
import WeirTesting

@testable import Weir

/// Executions whose data is only in the storage, while the network is asked for it.
@Suite("Stored data and a request in flight", .timeLimit(.minutes(10)))
struct ColdLookTests {
  /// A client over a store that has read nothing yet, with one `networkOnly` execution that waits for
  /// the server, and for the gate.
  private struct Start {
    let gate = Gate()
    let dedup = DedupExchange()
    let client: GraphQLClient
    let server: ScriptedExchange
    private let refresh: Task<OperationResult, Never>

    init(debugged: Bool = false) async throws {
      let server = ScriptedExchange { [gate] _ in
        await gate.pass()
        return .failure("Offline.")
      }
      let store = try await Place.memory.filled().store()
      let debug: [any Exchange] = debugged ? [.debug("cache") { _ in }] : []
      let client = GraphQLClient([dedup] + debug + [.normalizedCache(store), server])
      (self.client, self.server) = (client, server)
      refresh = Task { await client.query(Todos.all.with { $0.requestPolicy = .networkOnly }) }
      await server.received(1)
    }

    /// Waits for something that must happen before the server answers. If the request is shared instead,
    /// the server answers.
    func result(
      _ next: @escaping @Sendable () async -> OperationResult?
    ) async -> OperationResult? {
      let isDone = Locked(false)
      let task = Task {
        let result = await next()
        isDone.withLock { $0 = true }
        return result
      }
      await eventually {
        isDone.withLock(\.self) || dedup.flights.withLock { $0.shareCount } > 1
      }
      gate.open()
      _ = await refresh.value
      return await task.value
    }
  }

  @Test(
    "A query whose data is in the storage does not wait for another execution's request (D3)",
    arguments: [false, true])
  func query(debugged: Bool) async throws {
    let start = try await Start(debugged: debugged)
    let result = await start.result { [client = start.client] in await client.query(Todos.all) }
    #expect(result?.outcome == .hit && result?.error == nil)
    #expect(Todos.texts(result?.data)?.count == 3)
    #expect(start.server.operations.count == 1)
  }

  @Test("A watch shows what is in the storage while another execution's request is in flight (D3)")
  func watch() async throws {
    let start = try await Start()
    let operation = Todos.all.with { $0.requestPolicy = .cacheAndNetwork }
    let results = start.client.watch(operation)
    let shown = await start.result { await results.first { _ in true } }
    #expect(shown?.isStale == true && shown?.error == nil)
    #expect(Todos.texts(shown?.data)?.count == 3)
  }

  @Test("What the storage lacks is requested once for all that look into it at the same time (D1)")
  func miss() async throws {
    let data = try JSON(Todos.data)
    let server = ScriptedExchange { _ in OperationResult(data: data) }
    let store = try Place.memory.medium().store()
    let client = GraphQLClient([.dedup, .normalizedCache(store), server])
    let results = await withTaskGroup(of: OperationResult.self) { group in
      for _ in 0..<20 { group.addTask { await client.query(Todos.all) } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(results.allSatisfy { $0.data?["todos"] != nil })
    #expect(server.operations.count == 1)
  }

  @Test("An execution that is cancelled while the storage is read requests nothing (A4)")
  func cancelled() async throws {
    let data = try JSON(["todo": Todos.todo("1")])
    let storage = ScriptedStorage()
    let server = ScriptedExchange.immediate { _ in OperationResult(data: data) }
    let client = GraphQLClient([
      .dedup, .normalizedCache(NormalizedStore(storage: storage)), server,
    ])
    storage.hold(.load)
    let query = Task { await client.query(Todos.all) }
    await storage.waitUntilHeld()
    query.cancel()
    #expect(await query.value.error?.code == .cancelled)
    storage.release()
    // The storage is read for it after the former look.
    #expect(await client.query(Todos.first).data != nil)
    #expect(server.operations.map(\.name) == [Todos.first.name])
  }
}
