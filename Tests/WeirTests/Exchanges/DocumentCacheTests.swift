import Foundation
import Testing
import Weir
import WeirTesting

@Suite("Document cache: complete results, invalidated by type", .timeLimit(.minutes(10)))
struct DocumentCacheTests {
  static let todos = GraphQLOperation("query Todos { todos { id author { id } } }")
  static let addTodo = GraphQLOperation("mutation Add { addTodo { id } }")

  /// A client whose server answers by operation name.
  func client(
    _ answers: [String: String], cache: DocumentCacheExchange = DocumentCacheExchange()
  ) -> (GraphQLClient, ScriptedExchange) {
    let server = ScriptedExchange { operation in
      answers[operation.name ?? ""].map { .data($0) } ?? .failure("no answer")
    }
    return (GraphQLClient([DedupExchange(), cache, server]), server)
  }

  // MARK: - Stored results (C1, C7)

  @Test(
    "Partial data with errors is stored only on request (C1)",
    arguments: [false, true])
  func partialData(stores: Bool) async {
    var configuration = DocumentCacheConfiguration()
    configuration.storesPartialResults = stores
    let server = ScriptedExchange { _ in
      .data(#"{"post":null}"#, errors: [GraphQLError(message: "no", path: [.key("post")])])
    }
    let client = GraphQLClient([.dedup, .documentCache(configuration), server])
    for _ in 0..<2 {
      let result = await client.query(postQuery())
      #expect(result.data != nil && result.error?.graphQLErrors.count == 1)
    }
    #expect(server.operations.count == (stores ? 1 : 2))
  }

  @Test("Incomplete results are not stored, and leaving a stream halfway stores nothing (C7)")
  func incomplete() async {
    let rest = Gate()
    let server = ScriptedExchange(streaming: { _ in
      ResultStream { yield in
        var half = post("half")
        half.hasNext = true
        yield(half)
        await rest.pass()
        yield(post("whole"))
      }
    })
    let client = GraphQLClient([.dedup, .documentCache, server])
    for await result in client.results(of: postQuery()) {
      #expect(result.summary == "half more")
      break
    }
    #expect(client.peek(postQuery()) == nil)
    rest.open()
    #expect(await client.results(of: postQuery()).all() == ["half more", "whole"])
    #expect(client.peek(postQuery())?.summary == "whole")
  }

  // MARK: - Emissions (C8, C11)

  @Test("Staleness belongs to an emission; outcome and timing belong to the result (C8, C11)")
  func emissions() async {
    let timing = ResultTiming(receivedAt: Date(timeIntervalSince1970: 1), duration: .seconds(2))
    let server = ScriptedExchange { _ in
      OperationResult(data: post("title").data, timing: timing)
    }
    let client = GraphQLClient([.dedup, .documentCache, server])
    #expect(await client.query(postQuery()).outcome == .miss)
    var emissions: [String] = []
    for await result in client.results(of: postQuery(policy: .cacheAndNetwork)) {
      emissions.append("\(result.isStale) \(result.outcome == .hit) \(result.timing == timing)")
    }
    #expect(emissions == ["true true true", "false false true"])
    let hit = await client.query(postQuery())
    #expect(!hit.isStale && hit.outcome == .hit && hit.timing == timing)
  }
}
