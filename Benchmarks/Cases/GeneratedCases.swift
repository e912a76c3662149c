import Weir

/// Hits of a query that was generated from `Benchmarks/Documents`, beside one whose `Encodable` and
/// `Decodable` the compiler has synthesized.
enum GeneratedCases {
  static var all: [BenchmarkCase] {
    [
      make("hit two variables", .lookUp, floor: { try await Floors.hit(Post(id: "1", size: 3)) }) {
        try await hit { try check(await $0.query(Post(id: "1", size: 3))) { $0.checksum } }
      },
      make("hit two variables, Encodable", .lookUp) {
        let query = Query<PostData, SizedVariables>(Post.document)
        return try await hit {
          try check(await $0.query(query, SizedVariables(id: "1", size: 3))) { $0.checksum }
        }
      },
    ]
  }

  private static func make(
    _ name: String, _ yardstick: Yardstick, floor: (() async throws -> Workload)? = nil,
    _ prepare: @escaping () async throws -> Workload
  ) -> BenchmarkCase {
    BenchmarkCase(name: "generated/\(name)", yardstick: yardstick, floor: floor, prepare: prepare)
  }

  /// Asks for a result that the cache has.
  private static func hit(
    _ ask: @escaping (GraphQLClient) async throws -> Int
  ) async throws -> Workload {
    let answers = AnswerExchange(posts: 2)
    let client = MeasuredClient(answers).client
    _ = await client.query(Post(id: "1", size: 3))
    let sum = try Payloads.postChecksum(1)
    return Workload(
      run: { operations in
        for _ in 0..<operations { try expect(try await ask(client) == sum, "Data is wrong.") }
      },
      check: { try expect(answers.requestCount == 1, "A hit has sent a request.") },
      isCounted: true)
  }

  private static func check<Data>(
    _ result: TypedResult<Data>, _ checksum: (Data) -> Int
  ) throws -> Int {
    try expect(result.outcome == .hit, "A hit was not a hit.")
    return result.data.map(checksum) ?? 0
  }
}

/// The variables of the generated query `Post`.
private struct SizedVariables: Encodable, Sendable {
  let id: String
  let size: Int
}

extension Post.Data: Inspectable {
  var checksum: Int {
    post.id.utf8.count &+ post.title.utf8.count &+ post.body.utf8.count
      &+ (post.published ? 1 : 0) &+ post.author.id.utf8.count &+ post.author.name.utf8.count
  }
}
