import Weir
import WeirNormalized
import WeirTesting

/// A mutation changes one of 10,000 todos, while 100 views show a todo each.
///
/// The time goes from the call of `mutate` until it has returned and every view that the mutation
/// concerns has shown the new text. Everything happens on the pool, or everything on the main
/// actor.
enum WakeCases {
  private static let views = 100
  private static let todos = 10_000

  static var all: [BenchmarkCase] {
    [0, 1, views].flatMap { concerned in Place.allCases.map { wake(concerned, on: $0) } }
      + [1, views].flatMap { concerned in Place.allCases.map { optimistic(concerned, on: $0) } }
  }

  private static func wake(_ concerned: Int, on place: Place) -> BenchmarkCase {
    BenchmarkCase(
      name: "wake/\(concerned) of \(views)/\(place.rawValue)",
      yardstick: .jsonSerialization(max(concerned, 1)),
      floor: { try await Floors.wake(concerned, of: views, todos: todos, on: place) }
    ) {
      let server = TodoUpdates()
      let store = try TodoStore.filled(todos)
      let client = GraphQLClient(ChainCount.noting([.dedup, .normalizedCache(store), server]))
      let screen = try await Screen(client, store, concerned: concerned, on: place)
      let stopwatch = Stopwatch()
      return Workload(
        run: { operations in
          for _ in 0..<operations {
            let update = screen.nextUpdate()
            try server.prepare(update)
            try await screen.mutate(update, stopwatch, isolation: place.actor)
          }
        },
        stopwatch: stopwatch,
        check: {
          try expect(server.queryCount == 0, "A view has sent a query.")
        },
        tearDown: { await screen.views.end() }, isCounted: true)
    }
  }

  /// The same until the optimistic result is shown, which is before the server answers. Four
  /// mutations of other todos are in flight meanwhile.
  private static func optimistic(_ concerned: Int, on place: Place) -> BenchmarkCase {
    BenchmarkCase(
      name: "optimistic/\(concerned) of \(views)/\(place.rawValue)",
      yardstick: .jsonSerialization(concerned),
      floor: {
        try await Floors.wake(concerned, of: views, todos: todos, on: place, isOptimistic: true)
      }
    ) {
      let gate = Gate()
      let waiting = Countdown(4)
      let shown = Locked(
        Wait {
          waiting.arrive()
          await gate.pass()
        })
      let server = TodoUpdates(after: { await shown.withLock(\.self).action() })
      let store = try TodoStore.filled(todos)
      let client = GraphQLClient(ChainCount.noting([.dedup, .normalizedCache(store), server]))
      let screen = try await Screen(client, store, concerned: concerned, on: place)
      let pending = inFlight(4, client)
      _ = await waiting.done()
      shown.withLock { $0 = Wait { _ = await screen.views.shown() } }
      let stopwatch = Stopwatch()
      return Workload(
        run: { operations in
          for _ in 0..<operations {
            let update = screen.nextUpdate()
            try server.prepare(update)
            try await screen.mutateOptimistically(update, stopwatch, isolation: place.actor)
          }
        },
        stopwatch: stopwatch,
        check: {
          try expect(server.queryCount == 0, "A view has sent a query.")
          try expect(store.statistics.layers == 4, "Optimistic results were left behind.")
        },
        tearDown: {
          gate.open()
          for task in pending { await task.value }
          await screen.views.end()
          // The server would otherwise keep the views, and through them itself.
          shown.withLock { $0 = Wait {} }
        }, isCounted: true)
    }
  }

  /// Mutations that the server does not answer before the end, of todos that nobody shows.
  private static func inFlight(
    _ count: Int, _ client: GraphQLClient
  ) -> [Task<Void, Never>] {
    (0..<count).map { number in
      Task {
        let update = UpdateTodoVariables(id: "\(200 + number)", text: "waits", complete: true)
        use(await client.mutate(Queries.updateTodo, update, context: update.optimisticContext))
      }
    }
  }
}

/// An action that the server waits for. A closure alone would be wrapped once more with each access
/// under the lock, because a generic lock holds closures in another form than their callers use.
private struct Wait: Sendable {
  let action: @Sendable () async -> Void
}

/// Views of a todo each, and the mutations that change it.
private struct Screen {
  let views: LiveViews<TodoViewData>
  private let client: GraphQLClient
  private let concerned: Int
  private let round = Counter()

  /// The first `concerned` views show todo 0.
  init(
    _ client: GraphQLClient, _ store: NormalizedStore, concerned: Int, on place: Place
  ) async throws {
    self.client = client
    self.concerned = concerned
    try TodoStore.writeSlots(100, concerned: concerned, of: 10_000, to: store)
    views = await LiveViews(
      (0..<100).map { client.watch(Queries.todoView, SlotVariables(slot: $0)) }, on: place,
      text: { $0.todoAt.text })
  }

  /// A new text for todo 0.
  func nextUpdate() -> UpdateTodoVariables {
    let round = round.next()
    views.expect("changed \(round)", in: concerned)
    return UpdateTodoVariables(id: "0", text: "changed \(round)", complete: round % 2 == 0)
  }

  func mutate(
    _ update: UpdateTodoVariables, _ stopwatch: Stopwatch, isolation: isolated (any Actor)?
  ) async throws {
    let start = ContinuousClock.now
    let result = await client.mutate(Queries.updateTodo, update)
    let checksum = result.data?.checksum
    let returned = ContinuousClock.now
    stopwatch.add(from: start, to: concerned == 0 ? returned : max(returned, await views.shown()))
    try expect(checksum == update.checksum, "A mutation has returned wrong data.")
  }

  /// The views let the server answer as soon as they show the optimistic result.
  func mutateOptimistically(
    _ update: UpdateTodoVariables, _ stopwatch: Stopwatch, isolation: isolated (any Actor)?
  ) async throws {
    let start = ContinuousClock.now
    let result = await client.mutate(
      Queries.updateTodo, update, context: update.optimisticContext)
    stopwatch.add(from: start, to: await views.shown())
    try expect(result.data?.checksum == update.checksum, "A mutation has returned wrong data.")
  }
}

extension UpdateTodoVariables {
  /// The check sum of the answer.
  var checksum: Int { id.utf8.count &+ text.utf8.count &+ (complete ? 1 : 0) }

  /// Expects the todo to become what the variables say.
  var optimisticContext: OperationContext {
    var context = OperationContext()
    context.optimisticData = [
      "updateTodo": [
        "__typename": "Todo", "id": .string(id), "text": .string(text),
        "complete": .bool(complete),
      ]
    ]
    return context
  }
}
