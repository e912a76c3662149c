import Synchronization
import Weir
import WeirTesting

/// Many queries that are started at once: equal ones share a request, different ones do not.
enum DedupCases {
  static var all: [BenchmarkCase] {
    [1_000, 10_000].map { identical($0) } + [1_000, 5_000].map { distinct($0) }
  }

  private static func identical(_ count: Int) -> BenchmarkCase {
    let operation = GraphQLOperation(
      GraphQLDocument(Documents.post), variables: PostVariables(id: "1"))
    return atOnce(
      "dedup/\(count) identical", Array(repeating: operation, count: count), requests: 1,
      scaling: Scaling(line: "identical queries at once", axis: "queries at once", size: count))
  }

  private static func distinct(_ count: Int) -> BenchmarkCase {
    atOnce(
      "dedup/\(count) distinct", postOperations(count), requests: count,
      scaling: Scaling(line: "distinct queries at once", axis: "queries at once", size: count))
  }

  private static func atOnce(
    _ name: String, _ operations: [GraphQLOperation], requests: Int, scaling: Scaling
  ) -> BenchmarkCase {
    BenchmarkCase(name: name, scaling: scaling, isSlow: operations.count > 1_000) {
      let answers = try AnswerExchange(posts: operations.count)
      var client = GraphQLClient([])
      var arrivals = Arrivals(expected: operations.count)
      var sent = 0
      return Workload(
        parts: (operations.count, "query"),
        reset: {
          arrivals = Arrivals(expected: operations.count)
          client = GraphQLClient([.dedup, .documentCache, arrivals.gateExchange, answers])
          sent = answers.requestCount
        },
        run: { [operations] _ in
          let succeeded = await successes(of: operations, client, arrivals)
          try expect(succeeded == operations.count, "\(succeeded) queries have data.")
          let asked = answers.requestCount - sent
          try expect(asked == requests, "\(asked) requests instead of \(requests).")
        })
    }
  }

  /// Runs each query in a task of its own; answers how many have got data. (A task group would be
  /// shorter, but removes its children in a time that grows with the square of their number.)
  private static func successes(
    of operations: [GraphQLOperation], _ client: GraphQLClient, _ arrivals: Arrivals
  ) async -> Int {
    let tasks = operations.map { operation in
      Task {
        arrivals.arrive()
        return await client.query(operation).data != nil
      }
    }
    var count = 0
    for task in tasks where await task.value { count += 1 }
    return count
  }
}

/// Holds the answers back until all queries have been asked.
private final class Arrivals: Sendable {
  private let expected: Int
  private let count = Atomic<Int>(0)
  private let gate = Gate()

  init(expected: Int) {
    self.expected = expected
  }

  func arrive() {
    if count.add(1, ordering: .relaxed).newValue == expected { gate.open() }
  }

  var gateExchange: InlineExchange {
    InlineExchange { [gate] operation, forward in
      ResultStream { yield in
        await gate.pass()
        await yield.all(forward(operation))
      }
    }
  }
}
