import Weir
import WeirNormalized

/// A mutation creates a todo in a store that has a list of others, which nobody watches.
///
/// Without a policy, the store marks all lists of todos as stale. With one, even one that does
/// nothing, it leaves them alone.
enum CreateCases {
  static var all: [BenchmarkCase] {
    [1_000, 10_000].flatMap { [create($0, hasUpdater: false), create($0, hasUpdater: true)] }
  }

  private static func create(_ count: Int, hasUpdater: Bool) -> BenchmarkCase {
    BenchmarkCase(
      name: "create/\(hasUpdater ? "with updater" : "without updater")/\(count)",
      yardstick: .jsonSerialization(1)
    ) {
      let store = try TodoStore.filled(count) { configuration in
        if hasUpdater { configuration.mutations["createTodo"] = MutationPolicy { _, _ in } }
      }
      let server = InlineExchange { operation, _ in
        let id = operation.kind == .mutation ? firstNumber(in: operation.variables) : 0
        return .just(
          parsed(
            Array(
              #"{"data":{"createTodo":{"id":"\#(id)","text":"new","complete":false,"__typename":"Todo"}}}"#
                .utf8)))
      }
      let client = GraphQLClient([.dedup, .normalizedCache(store), server])
      let list = try TodoStore.data(of: Payloads.todos(count))
      let round = Counter()
      return Workload(
        // The lists must not be stale already.
        reset: { try TodoStore.write(list, to: store) },
        run: { _ in
          let id = "\(1_000_000 + round.next())"
          let result = await client.mutate(Queries.createTodo, IDVariables(id: id))
          try expect(result.data?.checksum == id.utf8.count + 3, "A mutation has failed.")
        },
        check: {
          let isFresh = store.explain(TodoStore.list).status == .complete
          try expect(isFresh == hasUpdater, "The list is \(store.explain(TodoStore.list).status).")
        })
    }
  }
}
