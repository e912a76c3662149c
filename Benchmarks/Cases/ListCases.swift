import Weir
import WeirNormalized

/// A view shows a whole list, and holds it while the list changes or is fetched again.
enum ListCases {
  static var all: [BenchmarkCase] {
    [1_000, 10_000, 100_000].flatMap { count in
      Place.allCases.filter { $0 == .pool || count == 10_000 }
        .map { change(count, on: $0, isLazy: false) }
    } + [change(10_000, on: .pool, isLazy: true)]
      + Cache.allCases.flatMap { [refetch($0, isChanged: false), refetch($0, isChanged: true)] }
  }

  // MARK: One item changes

  /// One mutation changes an item, until a view of the list shows it. The view looks at every field
  /// of every item, or at the changed one only.
  private static func change(_ count: Int, on place: Place, isLazy: Bool) -> BenchmarkCase {
    BenchmarkCase(
      name: "list/one changes\(isLazy ? ", lazy" : "")/\(count)/\(place.rawValue)",
      yardstick: .jsonSerialization(count),
      scaling: place == .pool && !isLazy
        ? Scaling(line: "one of a watched list changes", axis: "items of a list", size: count)
        : nil,
      isSlow: count > 10_000
    ) {
      let server = TodoUpdates()
      let store = try TodoStore.filled(count)
      let client = GraphQLClient([.dedup, .normalizedCache(store), server])
      let stopwatch = Stopwatch()
      let mutations =
        isLazy
        ? ListMutations(
          client,
          view: await LiveViews(
            [client.watch(Query<LazyTodosData, NoVariables>(GraphQLDocument(Documents.todos)))],
            on: place, text: { $0.list.todos.first?.text }))
        : ListMutations(
          client,
          view: await LiveViews(
            [client.watch(Queries.todos)], on: place, text: { $0.todos.first?.text }))
      return Workload(
        run: { operations in
          for _ in 0..<operations {
            try await mutations.next(server, stopwatch, isolation: place.actor)
          }
        },
        stopwatch: stopwatch,
        check: {
          try expect(server.queryCount == 0, "The view has sent a query.")
          try expect(
            client.peek(Queries.todos)?.data?.todos.count == count, "Items are missing.")
        },
        tearDown: { await mutations.end() })
    }
  }

  // MARK: The whole list is fetched again

  private enum Cache: String, CaseIterable {
    case normalized = ""
    case document = ", document cache"
  }

  /// The list is fetched again as bytes, parsed, written, and every field of it is looked at, while
  /// the result before it is still held. Nothing has changed, or one item.
  private static func refetch(_ cache: Cache, isChanged: Bool) -> BenchmarkCase {
    let count = 10_000
    return BenchmarkCase(
      name: "refetch/\(isChanged ? "one changed" : "identical")\(cache.rawValue)/\(count)",
      yardstick: .jsonSerialization(count)
    ) {
      let bodies = [0, isChanged ? 1 : 0].map { version in
        Payloads.todos(count) { version == 1 && $0 == count / 2 ? "Changed" : nil }
      }
      let round = Counter()
      let network = AnswerTransport { _ in bodies[round.next() % 2] }
      var configuration = DocumentCacheConfiguration()
      configuration.maximumBytes = 1 << 30
      let exchange: any Exchange =
        cache == .document
        ? DocumentCacheExchange(configuration)
        : NormalizedCacheExchange(store: NormalizedStore(TodoStore.configuration()))
      let client = GraphQLClient([.dedup, exchange, try network.exchange()])
      let checksums = try bodies.map {
        try JSON(parsing: $0).decode(Response<TodosData>.self).data.checksum
      }
      try expect(!isChanged || checksums[0] != checksums[1], "The lists are equal.")
      var held: TodosData?
      var number = 0
      return Workload(run: { operations in
        for _ in 0..<operations {
          number += 1
          let result = await client.query(
            Queries.todos, context: OperationContext(requestPolicy: .networkOnly))
          let checksum = result.data?.checksum ?? 0
          try expect(
            checksum == checksums[number % 2] && result.outcome == .miss,
            "A list was not fetched again, or is wrong.")
          held = result.data
        }
        use(held)
      })
    }
  }
}

/// Mutations of the first item of a list, and a view of the list.
struct ListMutations {
  private let round = Counter()
  private let client: GraphQLClient
  private let setAwaited: @Sendable (String) -> Void
  private let shown: @Sendable () async -> ContinuousClock.Instant
  let end: @Sendable () async -> Void

  init<Data>(_ client: GraphQLClient, view: LiveViews<Data>) {
    self.client = client
    setAwaited = { view.expect($0, in: 1) }
    shown = { await view.shown() }
    end = { await view.end() }
  }

  func next(
    _ server: TodoUpdates, _ stopwatch: Stopwatch, isolation: isolated (any Actor)?
  ) async throws {
    let round = round.next()
    let update = UpdateTodoVariables(id: "0", text: "changed \(round)", complete: true)
    try server.prepare(update)
    setAwaited(update.text)
    let start = ContinuousClock.now
    let result = await client.mutate(Queries.updateTodo, update)
    let returned = ContinuousClock.now
    stopwatch.add(from: start, to: max(returned, await shown()))
    try expect(result.data?.checksum == update.checksum, "A mutation has failed.")
  }
}

/// A list whose check sum looks at its first item only.
private struct LazyTodosData: Decodable, Sendable, Inspectable {
  let list: TodosData

  init(from decoder: any Decoder) throws {
    list = try TodosData(from: decoder)
  }

  var checksum: Int { list.todos.first?.checksum ?? 0 }
}
