import Weir

/// One mutation drops many cached results. Nobody but the cache holds them, or what they were asked
/// with.
enum InvalidationCases {
  static var all: [BenchmarkCase] {
    [1_000, 10_000].flatMap { [call($0), call($0, again: true), freed($0), cacheAlone($0)] } + [
      live(10_000, live: 100, .synchronous), live(10_000, live: 100, .fetch),
      live(1_000, live: 1_000, .synchronous),
    ]
  }

  private static let mutation = Queries.updatePost.operation(
    UpdatePostVariables(id: "0", title: "x"))

  // MARK: No result is watched

  /// The time until `mutate` has returned. Memory that the cache frees later is not part of it.
  ///
  /// It is the first mutation of a new client, or one of many, after which the client caches the results
  /// `again`.
  private static func call(_ cached: Int, again: Bool = false) -> BenchmarkCase {
    BenchmarkCase(
      name: "invalidate/call\(again ? " again" : "")/\(cached)",
      yardstick: .jsonSerialization(cached),
      scaling: again ? nil : Scaling(line: "mutation", axis: "cached results", size: cached),
      floor: { Floors.dropping(cached, by: mutation, again: again) }
    ) {
      let answers = AnswerExchange(posts: cached)
      var measured = try await filled(cached, answers)
      let stopwatch = Stopwatch()
      return Workload(
        parts: (cached, "cached"),
        reset: {
          if again {
            try await measured.cache((0..<cached).lazy.map { postOperation($0) })
            try expect(
              measured.cache.statistics.entryCount == cached, "Not every result is cached.")
          } else {
            measured = try await filled(cached, answers)
          }
          // The allocator sorts what was freed when it makes the next large block.
          use([UInt8](repeating: 0, count: 1 << 16))
        },
        run: { _ in
          let start = ContinuousClock.now
          let result = await measured.client.mutate(mutation)
          stopwatch.add(from: start)
          try expect(result.data != nil, "The mutation has failed.")
        },
        stopwatch: stopwatch,
        check: {
          for id in 0..<cached {
            try expect(measured.client.peek(postOperation(id)) == nil, "A result is still served.")
          }
        }, isCounted: true)
    }
  }

  /// The same, and all memory is given back within the time: the client and its cache are released,
  /// so it does not matter when the cache frees what it has dropped.
  private static func freed(_ cached: Int) -> BenchmarkCase {
    BenchmarkCase(
      name: "invalidate/freed/\(cached)", yardstick: .jsonSerialization(cached),
      scaling: Scaling(line: "mutation, freed", axis: "cached results", size: cached)
    ) {
      let answers = AnswerExchange(posts: cached)
      var measured: MeasuredClient?
      return Workload(
        parts: (cached, "cached"),
        reset: { measured = try await filled(cached, answers) },
        run: { _ in
          let result = await measured?.client.mutate(mutation)
          measured = nil
          try expect(result?.data != nil, "The mutation has failed.")
        })
    }
  }

  /// The cache by itself, without a client: it forwards the mutation and handles its result.
  private static func cacheAlone(_ cached: Int) -> BenchmarkCase {
    BenchmarkCase(
      name: "invalidate/cache alone/\(cached)", yardstick: .jsonSerialization(cached)
    ) {
      let answers = AnswerExchange(posts: cached)
      var cache = DocumentCacheExchange()
      return Workload(
        parts: (cached, "cached"),
        reset: {
          cache = DocumentCacheExchange()
          for id in 0..<cached {
            for await _ in cache.execute(postOperation(id), forward: Forward([answers])) {}
          }
          try expect(cache.statistics.entryCount == cached, "Not every result is cached.")
        },
        run: { _ in
          for await result in cache.execute(mutation, forward: Forward([answers])) {
            try expect(result.data != nil, "The mutation has failed.")
          }
        },
        check: { try await expectEmpty(cache) })
    }
  }

  private static func filled(
    _ count: Int, _ answers: AnswerExchange
  ) async throws -> MeasuredClient {
    let measured = MeasuredClient(answers)
    try await measured.cache((0..<count).lazy.map { postOperation($0) })
    try expect(measured.cache.statistics.entryCount == count, "Not every result is cached.")
    return measured
  }

  private static func expectEmpty(_ cache: DocumentCacheExchange) async throws {
    for await result in cache.execute(
      postOperation(0).with { $0.requestPolicy = .cacheOnly }, forward: Forward([]))
    {
      try expect(result.data == nil, "A result is still served.")
    }
  }

  // MARK: Some results are watched

  private enum Terminal: String {
    case synchronous = ""
    case fetch = ", fetch"
  }

  /// The time until every view shows what the server has now.
  private static func live(_ cached: Int, live: Int, _ terminal: Terminal) -> BenchmarkCase {
    BenchmarkCase(
      name: "invalidate/\(cached) cached \(live) live\(terminal.rawValue)",
      yardstick: .jsonSerialization(live), isSlow: terminal == .fetch,
      floor: { try await Floors.refetch(live, of: cached, on: .pool) }
    ) {
      let titles = Locked("v0")
      let fetches = AtomicWord()
      let network = AnswerTransport { request in
        fetches.add(1)
        // The variables of the mutation end with the title "x", those of a query with a number.
        return request.dropLast(3).last == UInt8(ascii: "x")
          ? Payloads.updatedPost
          : Payloads.post(firstNumber(in: request.suffix(20)), title: titles.withLock { $0 })
      }
      let answers = AnswerExchange(posts: cached)
      let measured = MeasuredClient(terminal == .fetch ? try network.exchange() : answers)
      let views = await LiveViews(
        (0..<live).map { measured.client.watch(Queries.post, IDVariables(id: "\($0)")) },
        on: .pool, text: { $0.post.title })
      let round = Counter()
      let stopwatch = Stopwatch()
      var requests = 0
      func requestCount() -> Int {
        terminal == .fetch ? Int(fetches.load()) : answers.requestCount
      }
      return Workload(
        parts: (live, "live"),
        reset: {
          try await measured.cache((0..<cached).lazy.map { postOperation($0) })
          try expect(
            measured.cache.statistics.entryCount == cached, "Not every result is cached.")
          let title = "v\(round.next())"
          answers.rename(first: live, to: title)
          titles.withLock { $0 = title }
          views.expect(title, in: live)
          requests = requestCount()
        },
        run: { _ in
          let start = ContinuousClock.now
          let result = await measured.client.mutate(mutation)
          let returned = ContinuousClock.now
          stopwatch.add(from: start, to: max(returned, await views.shown()))
          try expect(result.data != nil, "The mutation has failed.")
          let sent = requestCount() - requests
          try expect(sent == 1 + live, "\(sent) requests instead of 1 + \(live).")
        },
        stopwatch: stopwatch, tearDown: { await views.end() }, isCounted: true)
    }
  }
}
