import Testing
import Weir
import WeirNormalized
import WeirTesting

/// Optimistic results that are removed while others remain.
@Suite(.timeLimit(.minutes(10)), .overStorages)
struct RemovedLayerTests {
  @Test("A removed optimistic result disappears at once, however many others remain (N6.1)")
  func removedBelowOthers() async throws {
    let gates = (0..<3).map { _ in Gate() }
    let server = ScriptedExchange { operation in
      guard operation.kind == .mutation else {
        return .data(
          """
          {"todos":[{"__typename":"Todo","id":"0","text":"a"},\
          {"__typename":"Todo","id":"1","text":"b"},{"__typename":"Todo","id":"2","text":"c"}]}
          """)
      }
      await gates[operation.text.contains("0") ? 0 : operation.text.contains("1") ? 1 : 2].pass()
      return .failure("no")
    }
    let store = StoreKind.store()
    let client = GraphQLClient([.dedup, .cache(store), server])
    _ = await client.query(OptimisticTests.todos)
    var mutations: [Task<OperationResult, Never>] = []
    for id in 0..<3 {
      let mutation = GraphQLOperation(GraphQLDocument("mutation { rename(id: \(id)) { id text } }"))
        .with {
          $0.optimisticData = [
            "rename": ["__typename": "Todo", "id": .string("\(id)"), "text": "new"]
          ]
        }
      mutations.append(Task { await client.mutate(mutation) })
      await server.received(id + 2)
    }
    #expect(OptimisticTests.texts(store) == ["new", "new", "new"])
    for (id, left) in [["a", "new", "new"], ["a", "b", "new"], ["a", "b", "c"]].enumerated() {
      gates[id].open()
      _ = await mutations[id].value
      #expect(OptimisticTests.texts(store) == left)
    }
  }

  @Test("An entity that only an optimistic result had made is removed with it (N4.2, N6.1)")
  func removedEntity() async {
    let gate = Gate()
    let (client, store, _) = await OptimisticTests.setUp(gate: gate) { _ in .failure("no") }
    var changes = store.changes().makeAsyncIterator()
    let mutation = GraphQLOperation("mutation { add { id text } }").with {
      $0.optimisticData = ["add": ["__typename": "Todo", "id": "temporary", "text": "new"]]
    }
    async let result = client.mutate(mutation)
    #expect(await changes.next()?.fields == [Entity("Todo", id: "temporary"): []])
    gate.open()
    #expect(await result.error != nil)
    #expect(await changes.next()?.fields == [Entity("Todo", id: "temporary"): []])
  }

  @Test("An optimistic result's entity is removed when the real one takes its row (N4.2, N6.1)")
  func replacedEntity() async {
    let gate = Gate()
    let (client, store, _) = await OptimisticTests.setUp(gate: gate) { _ in
      .data(#"{"add":{"__typename":"Todo","id":"real","text":"new"}}"#)
    }
    var changes = store.changes().makeAsyncIterator()
    let mutation = GraphQLOperation("mutation { add { id text } }").with {
      $0.optimisticData = ["add": ["__typename": "Todo", "id": "temporary", "text": "new"]]
    }
    async let result = client.mutate(mutation)
    let temporary = Entity("Todo", id: "temporary")
    #expect(await changes.next()?.fields == [temporary: []])
    gate.open()
    #expect(await result.error == nil)
    let fields = await changes.next()?.fields
    #expect(fields?[temporary] == [])
    #expect(fields?[Entity("Todo", id: "real")] == [])
  }
}
