import Testing
import Weir
import WeirNormalized
import WeirTesting

/// How often optimistic results are applied (N6.1).
@Suite(.timeLimit(.minutes(10)), .overStorages)
struct LayerTests {
  private final class Calls: Sendable {
    private let list = Locked<[String]>([])
    var taken: [String] {
      list.withLock { list in
        defer { list = [] }
        return list
      }
    }
    func add(_ call: String) { list.withLock { $0.append(call) } }
  }

  private static func rename(_ id: String, _ text: String) -> GraphQLOperation {
    GraphQLOperation(
      "mutation Rename($id: ID!, $text: String!) { rename(id: $id, text: $text) { id text } }",
      variables: ["id": .string(id), "text": .string(text)])
  }

  @Test("A new optimistic result is applied to what is shown, and the ones below stay (N6.1)")
  func newestAlone() async throws {
    let calls = Calls()
    var configuration = NormalizedCacheConfiguration()
    configuration.mutations["rename"] = MutationPolicy()
    configuration.mutations["rename"]?.optimistic = { field, _ in
      let text = field.arguments["text"]?.string ?? ""
      calls.add(text)
      return ["__typename": "Todo", "id": field.arguments["id"] ?? .null, "text": .string(text)]
    }
    let gate = Gate()
    let (client, store, server) = await OptimisticTests.setUp(configuration, gate: gate) { _ in
      .failure("no")
    }
    let texts = ["1a", "2a", "1b", "2b"]
    var mutations: [Task<OperationResult, Never>] = []
    for (number, text) in texts.enumerated() {
      let mutation = Self.rename(String(text.prefix(1)), text)
      mutations.append(Task { await client.mutate(mutation) })
      await server.received(number + 2)
      #expect(calls.taken == [text])
    }
    #expect(OptimisticTests.texts(store) == ["1b", "2b"])
    // A change below them applies all of them again.
    try store.write(try JSON(parsing: OptimisticTests.data), for: OptimisticTests.todos)
    let below = #"{"todos":[{"__typename":"Todo","id":"2","text":"c"}]}"#
    _ = calls.taken
    try store.write(try JSON(parsing: below), for: OptimisticTests.todos)
    #expect(calls.taken == texts)
    #expect(OptimisticTests.texts(store) == ["2b"])
    gate.open()
    for mutation in mutations { #expect(await mutation.value.error != nil) }
    #expect(OptimisticTests.texts(store) == ["c"])
  }
}
