import Weir

/// One mutation that overtakes many cached results, some of them watched, until each watch shows
/// what the server has now.
enum InvalidationCases {
  static var all: [BenchmarkCase] {
    [1_000, 10_000].flatMap { cached in
      [0, 100, 1_000, 10_000].filter { $0 <= cached }.map { live in
        invalidation(cached: cached, live: live)
      }
    }
  }

  private static func invalidation(cached: Int, live: Int) -> BenchmarkCase {
    BenchmarkCase(
      name: "invalidate/\(cached) cached/\(live) live",
      scaling: live == 0
        ? Scaling(line: "mutation, no live query", axis: "cached results", size: cached)
        : live == cached
          ? Scaling(line: "mutation until all live are fresh", axis: "live queries", size: live)
          : nil,
      isSlow: live > 0 && cached > 1_000
    ) {
      let answers = try AnswerExchange(posts: cached)
      let measured = MeasuredClient(answers)
      let operations = postOperations(cached)
      let watched = await LiveQueries(Array(operations[..<live]), of: measured.client)
      let mutation = Queries.updatePost.operation(UpdatePostVariables(id: "0", title: "x"))
      var version = 0
      var requests = 0
      return Workload(
        parts: live == 0 ? (cached, "cached") : (live, "live"),
        reset: {
          try await measured.cachePosts(operations)
          try expect(
            measured.cache.statistics.entryCount == cached, "Not all that was asked is cached.")
          version += 1
          try answers.rename(first: live, to: "v\(version)")
          watched.expect(title: "v\(version)")
          requests = answers.requestCount
        },
        run: { _ in
          let result = await measured.client.mutate(mutation)
          await watched.shown()
          try expect(result.data != nil, "The mutation has failed.")
          let sent = answers.requestCount - requests
          try expect(sent == 1 + live, "\(sent) requests instead of one and \(live).")
        },
        check: {
          let left = measured.cache.statistics.entryCount
          try expect(left == live, "\(left) results are cached instead of \(live).")
        },
        tearDown: { await watched.end() })
    }
  }
}
