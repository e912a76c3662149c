import Foundation
import Testing
import Weir

@Suite("Operations that are rejected together by a real server (A1)", .timeLimit(.minutes(10)))
struct RenewalTests {
  @Test("Twenty rejections cause one refresh; then each operation, mutation or not, runs once")
  func twenty() async throws {
    let space = try await Space()
    // The server rejects them only when all twenty have arrived.
    let url = space.view("guarded").appending(queryItems: [
      URLQueryItem(name: "gather", value: "20")
    ])
    let auth = AuthExchange(
      AuthConfiguration(
        load: { "expired" },
        attach: { token, context in context.headers["authorization"] = "Bearer \(token)" },
        refresh: { _ in try await space.renewToken() }))
    let client = GraphQLClient([.dedup, .documentCache, auth, .fetch(url, .patient)])
    let queries = (1...18).map {
      GraphQLOperation(GraphQLDocument("query Q\($0) { hello(name: \"\($0)\") }"))
    }
    let mutation = GraphQLOperation("mutation M { createTodo(text: \"x\") { id } }")
    let answers = await withTaskGroup(of: String?.self) { group in
      for query in queries { group.addTask { await client.query(query).data?["hello"]?.string } }
      for _ in 1...2 {
        group.addTask { await client.mutate(mutation).data?["createTodo"]?["id"]?.string }
      }
      return await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(answers == Set((1...18).map { "Hello, \($0)!" } + ["11", "12"]))
    let stats = try await space.stats()
    #expect(stats.marks == ["refused": 20, "renewed": 1])
    var expected = Dictionary(uniqueKeysWithValues: (1...18).map { ("Q\($0)", 1) })
    expected["M"] = 2
    #expect(stats.operations == expected)
    // Later operations send the new token from the start.
    #expect(await client.query(GraphQLOperation("query Later { hello }")).error == nil)
    #expect(try await space.stats().marks == stats.marks)
  }

  @Test("A failed refresh is the error of every waiting operation, and nothing was executed")
  func failure() async throws {
    let space = try await Space()
    let url = space.view("guarded").appending(queryItems: [URLQueryItem(name: "gather", value: "3")]
    )
    let auth = AuthExchange(
      AuthConfiguration(
        load: { "expired" },
        attach: { token, context in context.headers["authorization"] = "Bearer \(token)" },
        refresh: { _ in throw URLError(.notConnectedToInternet) }))
    let client = GraphQLClient([.dedup, .documentCache, auth, .fetch(url, .patient)])
    let errors = await withTaskGroup(of: OperationError?.self) { group in
      for number in 1...3 {
        group.addTask {
          await client.query(
            GraphQLOperation(GraphQLDocument("query Q { hello(name: \"\(number)\") }"))
          ).error
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(errors.allSatisfy { $0?.code == .authentication && $0?.httpStatus == 401 })
    let stats = try await space.stats()
    #expect(stats.marks == ["refused": 3])
    #expect(stats.total == 0)
  }
}
