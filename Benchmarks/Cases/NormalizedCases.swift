import Weir
import WeirNormalized

/// The normalized store by itself, and through a client.
enum NormalizedCases {
  static var all: [BenchmarkCase] {
    [1_000, 10_000, 100_000].flatMap(growing) + single + client
  }

  // MARK: What grows with the data

  private static func growing(_ count: Int) -> [BenchmarkCase] {
    func make(
      _ name: String, _ prepare: @escaping () throws -> Workload
    ) -> BenchmarkCase {
      BenchmarkCase(
        name: "normalized/\(name)/\(count)", yardstick: .jsonSerialization,
        scaling: Scaling(line: "normalized, \(name)", axis: "todos", size: count),
        isSlow: count != 10_000, prepare: prepare)
    }
    return [
      make("write") { writing(Payloads.todos(count), todos: count) },
      make("write shuffled") { writing(try Payloads.shuffledTodos(count), todos: count) },
      make("wait for a write") { try waiting(todos: count) },
      make("write identical") {
        let bytes = Payloads.todos(count)
        let store = try TodoStore.filled(count)
        return Workload(run: { operations in
          for _ in 0..<operations {
            try expect(try TodoStore.write(bytes, to: store) == 0, "Something changed.")
          }
        })
      },
      make("read") { try reading(count) { $0.read($1)?["todos"]?.count ?? 0 } },
      make("read typed") { try readingTyped(count, TodosData.self, \.todos.count) },
      make("read by initializers") {
        try readingTyped(count, TodosSelection.self, \.todos.count)
      },
      make("make the values alone") {
        let json = try JSON(parsing: Payloads.todos(count))
        let texts = TodoTexts(try json.decode(Response<TodosSelection>.self).data.todos)
        return Workload(run: { operations in
          for _ in 0..<operations {
            try expect(texts.made().count == count, "Not all was made.")
          }
        })
      },
      make("read again") {
        try readingAgain(count) {
          try JSON(parsing: "{\"user\":{\"__typename\":\"User\",\"id\":\"1\",\"age\":\($0)}}")
        }
      },
      make("read again, new root field") {
        try readingAgain(count) { try JSON(parsing: "{\"number\":\($0)}") }
      },
      make("collect") {
        Workload(run: { operations in
          for _ in 0..<operations {
            let store = try TodoStore.filled(count)
            try store.update { $0.remove(.field("todos")) }
            try expect(store.collect() == count + count / 10, "Not all was collected.")
          }
        })
      },
    ]
  }

  private static func writing(_ bytes: [UInt8], todos count: Int) -> Workload {
    Workload(run: { operations in
      for _ in 0..<operations {
        let changed = try TodoStore.write(bytes, to: NormalizedStore())
        try expect(changed == count + count / 10 + 1, "Not all was written.")
      }
    })
  }

  /// How long others have to wait at most while a response is written: as long as the store's lock
  /// is held.
  private static func waiting(todos count: Int) throws -> Workload {
    let json = try JSON(parsing: Payloads.todos(count))
    let data = json["data"] ?? json
    var waits: [Double] = []
    return Workload(
      reset: {},
      run: { _ in
        let store = NormalizedStore()
        let bystander = Bystander(of: store)
        let changed = store.write(data, for: GraphQLOperation(TodoStore.rows))
        waits.append(bystander.longestWait().nanoseconds)
        try expect(changed == count + count / 10 + 1, "Not all was written.")
      },
      latencies: { waits })
  }

  /// Two operations take turns in a store that keeps one result, so each read is a whole one.
  private static func reading(
    _ count: Int, _ read: @escaping (NormalizedStore, GraphQLOperation) throws -> Int
  ) throws -> Workload {
    let store = try TodoStore.filled(count, maximumResults: 1)
    let operations = [GraphQLOperation(TodoStore.rows), GraphQLOperation(TodoStore.otherRows)]
    let turn = Counter()
    return Workload(run: { number in
      for _ in 0..<number {
        let operation = operations[turn.next() % 2]
        try expect(try read(store, operation) == count, "Not all was read.")
      }
    })
  }

  /// Something else changes each time, so that it has to be looked at.
  private static func readingAgain(
    _ count: Int, changing data: @escaping (Int) throws -> JSON
  ) throws -> Workload {
    let store = try TodoStore.filled(count)
    let operation = GraphQLOperation(TodoStore.rows)
    let round = Counter()
    return Workload(run: { operations in
      for _ in 0..<operations {
        let changed = try store.write(
          data(round.next()), for: GraphQLOperation("{ number user { id age } }"))
        try expect(changed > 0, "Nothing changed.")
        try expect(store.read(operation)?["todos"]?.count == count, "Not all was read.")
      }
    })
  }

  private static func readingTyped<Data: Decodable & Sendable>(
    _ count: Int, _ type: Data.Type, _ rows: @escaping (Data) -> Int
  ) throws -> Workload {
    let query = Query<Data, NoVariables>(TodoStore.rows)
    let other = Query<Data, NoVariables>(TodoStore.otherRows)
    return try reading(count) { store, operation in
      let query = operation.name == "Todos" ? query : other
      return try store.read(query, NoVariables()).map(rows) ?? 0
    }
  }

  // MARK: One entity

  private static var single: [BenchmarkCase] {
    [
      BenchmarkCase(name: "normalized/write one/10000") {
        let store = try TodoStore.filled(10_000)
        let changes = try TodoChanges()
        return Workload(
          run: { operations in
            for _ in 0..<operations { try changes.write(to: store) }
          }, countsAllocations: true)
      },
      BenchmarkCase(name: "normalized/read one, changed/10000") {
        let store = try TodoStore.filled(10_000)
        let changes = try TodoChanges()
        return Workload(
          run: { operations in
            for _ in 0..<operations {
              let expected = try changes.write(to: store)
              let text = store.read(TodoStore.oneOperation)?["todo"]?["text"]?.string
              try expect(text == expected, "The text is \(text ?? "missing").")
            }
          }, countsAllocations: true)
      },
    ]
  }

  // MARK: Through a client

  private static var client: [BenchmarkCase] {
    [
      BenchmarkCase(name: "normalized/hit one, typed/10000") {
        let client = GraphQLClient([
          .dedup, .normalizedCache(try TodoStore.filled(10_000)), AnswerExchange.nothing,
        ])
        let query = Query<OneTodoData, PostVariables>(TodoStore.one)
        return Workload(
          run: { operations in
            for _ in 0..<operations {
              let result = await client.query(query, PostVariables(id: "0"))
              try expect(result.data?.todo.id == "0" && result.outcome == .hit, "No hit.")
            }
          }, countsAllocations: true)
      },
      wake(typed: true), wake(typed: false), mutation(of: 0), mutation(of: 5_000),
      mutation(of: 5_000, todos: 100_000),
      optimisticRound,
    ]
  }

  /// One of 10,000 todos changes under a watched list, until the watch shows the new list.
  private static func wake(typed: Bool) -> BenchmarkCase {
    BenchmarkCase(
      name: "normalized/one of a watched list\(typed ? ", typed" : "")/10000",
      yardstick: .jsonSerialization
    ) {
      let store = try TodoStore.filled(10_000)
      let client = GraphQLClient([.dedup, .normalizedCache(store), AnswerExchange.nothing])
      let watch = WatchedList(
        client.watch(Query<TodosData, NoVariables>(TodoStore.rows), NoVariables()),
        untyped: typed ? nil : client.watch(GraphQLOperation(TodoStore.rows)))
      try expect(await watch.next() != nil, "The list is not there.")
      let round = Counter()
      return Workload(run: { operations in
        for _ in 0..<operations {
          let text = "changed \(round.next())"
          store.write(try TodoStore.todo(text: text), for: TodoStore.oneOperation)
          let shown = await watch.next()
          try expect(shown == text, "The watch shows \(shown ?? "nothing").")
        }
      })
    }
  }

  /// 100 watches of a todo each, one of which a mutation concerns, or none.
  private static func mutation(of id: Int, todos count: Int = 10_000) -> BenchmarkCase {
    let concerned = id < 100 ? 1 : 0
    return BenchmarkCase(
      name: "normalized/mutation, \(concerned) of 100 watches/\(count)", isSlow: count > 10_000
    ) {
      let (store, client, watches) = try await watched(todos: count)
      let round = Counter()
      return Workload(
        run: { operations in
          for _ in 0..<operations {
            let text = "changed \(round.next())"
            let result = await client.mutate(
              GraphQLOperation(
                TodoStore.update,
                variables: ["id": .string("\(id)"), "text": .string(text), "complete": true]))
            try expect(result.error == nil, "The mutation failed.")
            if concerned > 0 { await watches.show(text) }
          }
        },
        tearDown: {
          watches.cancel()
          withExtendedLifetime(store) {}
        })
    }
  }

  private static var optimisticRound: BenchmarkCase {
    BenchmarkCase(name: "normalized/optimistic round, 1 of 100 watches/10000") {
      let (store, client, watches) = try await watched()
      let round = Counter()
      return Workload(
        run: { operations in
          for _ in 0..<operations {
            let text = "changed \(round.next())"
            var operation = GraphQLOperation(
              TodoStore.update,
              variables: ["id": "0", "text": .string(text), "complete": true])
            operation.context.optimisticData = [
              "updateTodo": [
                "__typename": "Todo", "id": "0", "text": .string(text), "complete": true,
              ]
            ]
            let result = await client.mutate(operation)
            try expect(result.error == nil, "The mutation failed.")
            await watches.show(text)
          }
        },
        tearDown: {
          watches.cancel()
          withExtendedLifetime(store) {}
        })
    }
  }

  /// A store with 100 watches of a todo each.
  static func watched(
    todos count: Int = 10_000, onScreen: Bool = false
  ) async throws -> (NormalizedStore, GraphQLClient, TodoWatches) {
    let store = try TodoStore.filled(count)
    let client = GraphQLClient([.dedup, .normalizedCache(store), AnswerExchange.updates])
    let watches = TodoWatches(
      (0..<100).map { GraphQLOperation(TodoStore.one, variables: ["id": .string("\($0)")]) },
      of: client, onScreen: onScreen)
    await watches.started()
    return (store, client, watches)
  }
}
