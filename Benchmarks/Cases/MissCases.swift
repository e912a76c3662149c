import Foundation
import Weir

/// Queries that are sent, one after the other, through the whole chain.
enum MissCases {
  private static let count = 10_000

  static var all: [BenchmarkCase] {
    [
      misses("synchronous terminal") { try AnswerExchange(posts: count) },
      misses("fetch") { try fetch() },
      onMainActor,
    ]
  }

  private static func misses(
    _ name: String, _ terminal: @escaping () throws -> any Exchange
  ) -> BenchmarkCase {
    BenchmarkCase(name: "miss/\(count) \(name)", isSlow: name == "fetch") {
      let terminal = try terminal()
      let operations = postOperations(count)
      var client = GraphQLClient([])
      return Workload(
        parts: (count, "miss"),
        reset: { client = GraphQLClient([.dedup, .documentCache, terminal]) },
        run: { _ in try await ask(operations, client) })
    }
  }

  private static var onMainActor: BenchmarkCase {
    BenchmarkCase(name: "miss/\(count) fetch, main actor", isSlow: true) {
      let terminal = try fetch()
      let operations = postOperations(count)
      var client = GraphQLClient([])
      return Workload(
        parts: (count, "miss"),
        reset: { client = GraphQLClient([.dedup, .documentCache, terminal]) },
        run: { [operations] _ in try await askOnMainActor(operations, client) })
    }
  }

  private static func ask(
    _ operations: [GraphQLOperation], _ client: GraphQLClient
  ) async throws {
    for operation in operations {
      let result = await client.query(operation)
      try expect(result.outcome == .miss && result.data != nil, "A miss has brought no data.")
    }
  }

  @MainActor
  private static func askOnMainActor(
    _ operations: [GraphQLOperation], _ client: GraphQLClient
  ) async throws {
    try await ask(operations, client)
  }

  private static func fetch() throws -> FetchExchange {
    guard let url = URL(string: "http://localhost/graphql") else {
      throw WrongAnswer(description: "The address is none.")
    }
    var configuration = FetchConfiguration()
    configuration.transport = AnswerTransport(posts: count)
    return FetchExchange(url, configuration: configuration)
  }
}

/// HTTP without a network: the response is there when it is asked for, as bytes.
private struct AnswerTransport: HTTPTransport {
  private let bodies: [[UInt8]]

  init(posts: Int) {
    bodies = (0..<posts).map { Payloads.post($0) }
  }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    let variables = request.body.suffix(20)
    let id = AnswerExchange.firstNumber(in: Array(variables))
    return HTTPResponse(
      status: 200, headers: ["content-type": "application/graphql-response+json"],
      body: HTTPBody(bodies[id]))
  }
}
