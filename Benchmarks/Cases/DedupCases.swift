import Weir
import WeirTesting

/// Many queries that are started at once: equal ones share a request, different ones do not. Each
/// runs in a task of its own, and looks at every field of its typed result.
enum DedupCases {
  static var all: [BenchmarkCase] {
    [1_000, 10_000].flatMap { count in Place.allCases.map { identical(count, on: $0) } }
      + [100, 1_000, 5_000].map { distinct($0) } + [overHTTP]
  }

  private static func identical(_ count: Int, on place: Place) -> BenchmarkCase {
    atOnce(
      "identical/\(count)/\(place.rawValue)", count, requests: 1, on: place,
      Scaling(
        line: "identical queries, \(place.rawValue)", axis: "queries at once", size: count),
      floor: { try await Floors.identical(count, on: place) })
  }

  private static func distinct(_ count: Int) -> BenchmarkCase {
    atOnce(
      "distinct/\(count)/pool", count, requests: count, on: .pool,
      Scaling(line: "distinct queries, pool", axis: "queries at once", size: count))
  }

  private static func atOnce(
    _ name: String, _ count: Int, requests: Int, on place: Place, _ scaling: Scaling,
    floor: (() async throws -> Workload)? = nil
  ) -> BenchmarkCase {
    BenchmarkCase(
      name: "dedup/\(name)", yardstick: .jsonSerialization(count),
      scaling: scaling, isSlow: count > 1_000, floor: floor
    ) {
      let answers = AnswerExchange(posts: requests)
      var burst = Burst(answers, count)
      var sent = 0
      let stopwatch = Stopwatch()
      return Workload(
        parts: (count, "query"),
        reset: {
          burst = Burst(answers, count)
          sent = answers.requestCount
        },
        run: { _ in
          try await burst.run(posts: requests, on: place, stopwatch, isolation: place.actor)
          let asked = answers.requestCount - sent
          try expect(asked == requests, "\(asked) requests instead of \(requests).")
        },
        stopwatch: stopwatch, isCounted: true)
    }
  }

  /// Identical queries over a socket to a server in the same process.
  private static var overHTTP: BenchmarkCase {
    let count = 1_000
    return BenchmarkCase(
      name: "dedup/identical/\(count)/HTTP", yardstick: .jsonSerialization(count)
    ) {
      let server = try LoopbackServer(body: Payloads.post(0))
      let fetch = FetchExchange(server.url)
      var burst = Burst(fetch, count, isHeldBack: false)
      var sent = 0
      let stopwatch = Stopwatch()
      return Workload(
        parts: (count, "query"),
        reset: {
          burst = Burst(fetch, count, isHeldBack: false)
          sent = server.requestCount
        },
        run: { _ in
          try await burst.run(posts: 1, on: .pool, stopwatch, isolation: nil)
          let asked = server.requestCount - sent
          try expect(asked == 1, "\(asked) requests instead of one.")
        },
        stopwatch: stopwatch, tearDown: { server.stop() })
    }
  }
}

/// Queries that are started at once, by a client that has not seen them.
private struct Burst {
  private let client: GraphQLClient
  private let count: Int
  private let isHeldBack: Bool
  private let asked: Countdown
  private let answered: Countdown
  private let sum = Locked(0)

  /// If `isHeldBack`, no answer arrives before all queries have been asked.
  init(_ terminal: any Exchange, _ count: Int, isHeldBack: Bool = true) {
    let asked = Countdown(count)
    let hold = InlineExchange { operation, forward in
      ResultStream { yield in
        _ = await asked.done()
        await yield.all(forward(operation))
      }
    }
    client = GraphQLClient(
      ChainCount.noting(
        [.dedup, .documentCache] + (isHeldBack ? [hold, terminal] : [terminal])))
    self.count = count
    self.isHeldBack = isHeldBack
    self.asked = asked
    answered = Countdown(count)
  }

  /// Measures the time from the first task's creation until the last query has its data. The
  /// queries ask for the given number of posts in turn.
  func run(
    posts: Int, on place: Place, _ stopwatch: Stopwatch,
    isolation: isolated (any Actor)?
  ) async throws {
    let start = ContinuousClock.now
    for number in 0..<count {
      let variables = IDVariables(id: "\(number % posts)")
      // Without a list of captures: with one, Swift 6.3 runs the closure on no actor.
      place.start {
        asked.arrive()
        let result = await client.query(Queries.post, variables)
        let checksum = result.data?.checksum ?? 0
        sum.withLock { $0 &+= checksum }
        answered.arrive()
      }
    }
    stopwatch.add(from: start, to: await answered.done())
    let expected = try (0..<posts).reduce(0) { try $0 &+ Payloads.postChecksum($1) } * count / posts
    try expect(sum.withLock { $0 } == expected, "A query has no data, or wrong data.")
  }
}
