import Foundation
import Weir

/// Typed queries that nothing is cached for, one after the other, through the whole chain: the
/// bytes of the response are parsed, kept, decoded, and every field is looked at.
enum MissCases {
  private static let count = 1_000

  static var all: [BenchmarkCase] {
    [
      misses("synchronous typed", on: .pool, floor: { try Floors.miss(count) }) {
        AnswerExchange(posts: count)
      },
      misses("synchronous typed, main actor", on: .mainActor) { AnswerExchange(posts: count) },
      misses("fetch typed", on: .pool, floor: { try Floors.fetch(count) }) {
        try AnswerTransport.posts(count).exchange()
      },
      misses("fetch typed, main actor", on: .mainActor) {
        try AnswerTransport.posts(count).exchange()
      },
    ]
  }

  private static func misses(
    _ name: String, on place: Place, floor: (() throws -> Workload)? = nil,
    _ terminal: @escaping () throws -> any Exchange
  ) -> BenchmarkCase {
    BenchmarkCase(name: "miss/\(name)", yardstick: .jsonSerialization(1), floor: floor) {
      let terminal = try terminal()
      let expected = try (0..<count).map { try Payloads.postChecksum($0) }
      var client = GraphQLClient([])
      return Workload(
        batch: count,
        reset: {
          client = GraphQLClient(ChainCount.noting([.dedup, .documentCache, terminal]))
        },
        run: { operations in
          try await ask(operations, client, expected, isolation: place.actor)
        }, isCounted: true)
    }
  }

  private static func ask(
    _ operations: Int, _ client: GraphQLClient, _ expected: [Int], isolation: isolated (any Actor)?
  ) async throws {
    let query = Queries.post
    for id in 0..<operations {
      let result = await client.query(query, IDVariables(id: "\(id)"))
      try expect(
        result.outcome == .miss && result.data?.checksum == expected[id], "A miss is wrong.")
    }
  }
}
