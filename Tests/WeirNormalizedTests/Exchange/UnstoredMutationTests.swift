import Foundation
import Testing
import Weir
import WeirNormalized
import WeirTesting

/// Mutations whose results are not stored, or with difficulty.
@Suite(.timeLimit(.minutes(10)), .overStorages)
struct UnstoredMutationTests {
  private static let add = GraphQLOperation("mutation { add { id text } }")
  private static let added = #"{"add":{"__typename":"Todo","id":"3","text":"c"}}"#
  private static let text = StoreTests.fragment("fragment Text on Todo { text }")
  private static let third = Entity("Todo", id: "3")

  @Test("A mutation makes lists stale, whether its result is stored or not (N5.4)")
  func lists() async {
    for change: @Sendable (inout OperationContext) -> Void in [
      { $0.storesResult = false },
      {
        $0.storesResult = false
        $0.additionalTypenames = ["Todo"]
      },
    ] {
      let (client, store, server) = await OptimisticTests.setUp { _ in .data(Self.added) }
      _ = await client.mutate(Self.add.with(change))
      #expect(store.read(Self.text, of: Self.third) == nil)
      #expect(await client.query(OptimisticTests.todos).outcome == .miss)
      #expect(server.operations.count == 3)
    }
  }

  @Test("A result that is not stored changes nothing, but refreshes what its policy says (N5.3)")
  func policy() async throws {
    var configuration = NormalizedCacheConfiguration()
    configuration.mutations["add"] = .refreshing("Query.todos")
    configuration.mutations["add"]?.update = { _, transaction in
      transaction.remove(.entity(Entity("Todo", id: "1")))
    }
    let (client, store, _) = await OptimisticTests.setUp(configuration) { _ in
      .data(Self.added)
    }
    _ = await client.mutate(Self.add.with { $0.storesResult = false })
    #expect(OptimisticTests.texts(store) == ["a", "b"])
    #expect(await client.query(OptimisticTests.todos).outcome == .miss)
  }

  /// The text of the first todo, and whether it is requested again.
  private static func text(_ client: GraphQLClient) async -> [String?] {
    let result = await client.query(OptimisticTests.todos)
    return [result.data?["todos"]?[0]?["text"]?.string, result.outcome == .miss ? "asked" : nil]
  }

  @Test("A mutation across a clear makes stale what was requested in the meantime (N4.2, N6.2)")
  func refilled() async {
    let gate = Gate()
    let (client, store, server) = await OptimisticTests.setUp(gate: gate) { _ in
      .data(OptimisticTests.renamed)
    }
    async let result = client.mutate(OptimisticTests.rename)
    await server.received(2)
    client.clear()
    #expect(await Self.text(client) == ["a", "asked"])
    #expect(await Self.text(client) == ["a", nil])
    gate.open()
    #expect(await result.error == nil)
    #expect(OptimisticTests.texts(store) == ["a", "b"])
    #expect(await Self.text(client) == ["a", "asked"])
    #expect(await Self.text(client) == ["a", nil])
  }

  @Test("A mutation across a clear makes the lists stale that it should have changed (N4.2, N5.4)")
  func refilledLists() async {
    let gate = Gate()
    let (client, store, server) = await OptimisticTests.setUp(gate: gate) { _ in
      .data(Self.added)
    }
    async let result = client.mutate(Self.add)
    await server.received(2)
    client.clear()
    #expect(await Self.text(client) == ["a", "asked"])
    gate.open()
    #expect(await result.error == nil)
    #expect(store.read(Self.text, of: Self.third) == nil)
    #expect(await Self.text(client) == ["a", "asked"])
  }

  @Test("A mutation across a switch of sessions makes nothing stale (C10)")
  func switched() async {
    let (gate, ended) = (Gate(), Gate())
    let store = StoreKind.store()
    let server = ScriptedExchange { operation in
      guard operation.kind == .mutation else { return .data(OptimisticTests.data) }
      await Task { await gate.pass() }.value
      return .data(OptimisticTests.renamed)
    }
    let whenDone = InlineExchange { operation, forward in
      guard operation.kind == .mutation else { return forward(operation) }
      return ResultStream { yield in
        await yield.all(forward(operation))
        ended.open()
      }
    }
    let client = GraphQLClient([whenDone, .cache(store), server])
    async let result = client.mutate(OptimisticTests.rename)
    await server.received(1)
    client.switchSession()
    #expect(await result.error?.code == .cancelled)
    _ = await client.query(OptimisticTests.todos)
    gate.open()
    await ended.pass()
    #expect(await Self.text(client) == ["a", nil])
  }

  @Test("A result is stored even if others write during each attempt of its policy (N5.3)")
  func contention() async {
    let writer = Locked<(@Sendable () -> Void)?>(nil)
    let diagnostics = Locked<[StoreDiagnostic.Code]>([])
    var configuration = NormalizedCacheConfiguration()
    configuration.onDiagnostic = { diagnostic in
      diagnostics.withLock { $0.append(diagnostic.code) }
    }
    configuration.mutations["rename"] = MutationPolicy { _, _ in
      let isWritten = DispatchSemaphore(value: 0)
      let write = writer.withLock(\.self)
      Thread.detachNewThread {
        write?()
        isWritten.signal()
      }
      #expect(isWritten.wait(timeout: .now() + 540) == .success)
    }
    let (client, store, _) = await OptimisticTests.setUp(configuration) { _ in
      .data(OptimisticTests.renamed)
    }
    let count = Locked(Int64(0))
    writer.withLock {
      $0 = {
        let number = count.withLock { count in
          count += 1
          return count
        }
        _ = try? store.write(["count": .int(number)], for: GraphQLOperation("{ count }"))
      }
    }
    #expect(await client.mutate(OptimisticTests.rename).error == nil)
    #expect(OptimisticTests.texts(store) == ["real", "b"])
    #expect(diagnostics.withLock(\.self).contains(.mutationPolicy))
    writer.withLock { $0 = nil }
  }

  @Test("A mutation across a clear supersedes the queries in flight when it ends (N4.2, N6.2)")
  func inFlight() async {
    let (mutated, queried) = (Gate(), Gate())
    let fetches = Locked(0)
    let server = ScriptedExchange { operation in
      guard operation.kind == .query else {
        await mutated.pass()
        return .data(OptimisticTests.renamed)
      }
      let isFirst = fetches.withLock { count in
        count += 1
        return count == 1
      }
      guard isFirst else { return .data(OptimisticTests.data.replacing("\"a\"", with: "\"real\"")) }
      await queried.pass()
      return .data(OptimisticTests.data)
    }
    let client = GraphQLClient([.dedup, .normalizedCache(StoreKind.store()), server])
    async let result = client.mutate(OptimisticTests.rename)
    await server.received(1)
    client.clear()
    async let query = client.query(OptimisticTests.todos)
    await server.received(2)
    mutated.open()
    #expect(await result.error == nil)
    queried.open()
    #expect(await query.data?["todos"]?[0]?["text"]?.string == "real")
    #expect(fetches.withLock { $0 } == 2)
  }
}
