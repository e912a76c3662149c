import Weir

/// How much memory something takes, by what `malloc` has given out.
struct MemoryCase {
  /// A path, such as `memory/cached result/10000`.
  let name: String
  /// How many of the things that are measured there are.
  let count: Int
  /// What one of them is called.
  let unit: String
  /// Whether a quick run leaves it out, unless it is asked for by name.
  var isSlow = false
  /// The bytes of the JSON that they come from, if that says more about the size.
  var jsonBytes: Int?
  /// Makes them, and answers what keeps them alive.
  let make: () async throws -> Any
}

/// What memory a case takes.
struct MemoryMeasurement {
  let name: String
  let bytesEach: Double
  /// What is still taken when all is released; what the first use of something costs for good is in
  /// it.
  let remainderEach: Double
  let unit: String
  /// What is held as a multiple of the JSON that it comes from.
  var multipleOfJSON: Double?
}

extension MemoryCase {
  /// Nil where memory in use is not known.
  func measure() async throws -> MemoryMeasurement? {
    // What is made once and for all is not what is measured.
    _ = try await held()
    await settle()
    guard let before = AllocationCount.bytesInUse, let held = try await held() else { return nil }
    await settle()
    let rest = AllocationCount.bytesInUse ?? before
    return MemoryMeasurement(
      name: name, bytesEach: Double(held - before) / Double(count),
      remainderEach: Double(rest - before) / Double(count), unit: unit,
      multipleOfJSON: jsonBytes.map { Double(held - before) / Double($0) })
  }

  /// Lets tasks that were cancelled come to their end.
  private func settle() async {
    for _ in 0..<10_000 { await Task.yield() }
  }

  /// A function of its own, at whose end everything is released.
  @inline(never)
  private func held() async throws -> Int? {
    let made = try await make()
    let bytes = AllocationCount.bytesInUse
    withExtendedLifetime(made) {}
    return bytes
  }
}

enum MemoryCases {
  static var all: [MemoryCase] {
    [1_000, 10_000].map(cachedResults) + [1_000, 10_000].map(watchedResults) + [document, tree]
      + [10_000, 100_000].map(entities)
  }

  /// Small results in a cache, with all that it takes to find and to drop them.
  private static func cachedResults(_ count: Int) -> MemoryCase {
    MemoryCase(
      name: "memory/cached result/\(count)", count: count, unit: "result", isSlow: count > 1_000
    ) {
      let measured = MeasuredClient(parsingAnswers)
      for id in 0..<count { try await cache(id, measured.client) }
      return measured.client
    }
  }

  /// Small results that are cached, and watched in a task of its own each.
  private static func watchedResults(_ count: Int) -> MemoryCase {
    MemoryCase(
      name: "memory/watched result/\(count)", count: count, unit: "result", isSlow: count > 1_000
    ) {
      let measured = MeasuredClient(parsingAnswers)
      let operations = (0..<count).map { Queries.post.operation(PostVariables(id: "\($0)")) }
      return await EndingWatches(LiveQueries(operations, of: measured.client))
    }
  }

  private static func cache(_ id: Int, _ client: GraphQLClient) async throws {
    let result = await client.query(Queries.post.operation(PostVariables(id: "\(id)")))
    try expect(result.data != nil, "A post cannot be cached.")
  }

  private static var document: MemoryCase {
    MemoryCase(
      name: "memory/json document/10000", count: 10_000, unit: "item",
      jsonBytes: Payloads.todosCount(10_000)
    ) {
      try JSON(parsing: Payloads.todos(10_000))
    }
  }

  private static var tree: MemoryCase {
    MemoryCase(
      name: "memory/json tree/10000", count: 10_000, unit: "item",
      jsonBytes: Payloads.todosCount(10_000)
    ) {
      try JSON(parsing: Payloads.todos(10_000)).value
    }
  }

  /// A normalized store that has so many todos, and a tenth as many authors; nobody reads them.
  private static func entities(_ todos: Int) -> MemoryCase {
    let count = todos + todos / 10
    return MemoryCase(
      name: "memory/entity/\(count)", count: count, unit: "entity", isSlow: todos > 10_000,
      jsonBytes: Payloads.todosCount(todos)
    ) {
      try TodoStore.filled(todos)
    }
  }

  /// Parses each answer, so that nobody but the cache holds it.
  private static var parsingAnswers: InlineExchange {
    InlineExchange { operation, _ in
      let id = AnswerExchange.firstNumber(in: operation.variables)
      do {
        return .just(try AnswerExchange.result(of: Payloads.post(id)))
      } catch {
        return .just(
          OperationResult(error: OperationError(code: .malformedResponse, message: "\(error)")))
      }
    }
  }
}

/// Ends watches when it is released.
private final class EndingWatches {
  private let watches: LiveQueries

  init(_ watches: LiveQueries) {
    self.watches = watches
  }

  deinit {
    watches.cancel()
  }
}
