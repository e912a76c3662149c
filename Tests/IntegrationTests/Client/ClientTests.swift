import Foundation
import TestSupport
import Testing
import Weir

@Suite("The client against a real server", .timeLimit(.minutes(10)))
struct ClientTests {
  private func client(
    _ space: Space, _ configure: (inout FetchConfiguration) -> Void = { _ in }
  ) -> GraphQLClient {
    var configuration = FetchConfiguration.patient
    configure(&configuration)
    return GraphQLClient([.dedup, .documentCache, .fetch(space.graphQL, configuration)])
  }

  @Test("A repeated query is served from the cache, without a second request")
  func query() async throws {
    let space = try await Space()
    let client = client(space)
    let query = GraphQLOperation(
      "query Post($id: ID!) { post(id: $id) { title author { name } } }", variables: ["id": "p2"])
    for outcome in [CacheOutcome.miss, .hit] {
      let result = await client.query(query)
      #expect(result.error == nil)
      #expect(result.outcome == outcome)
      #expect(result.data?["post"]?["title"]?.string == "Post 2")
      #expect(result.data?["post"]?["author"]?["name"]?.string == "Alan Turing")
      #expect(result.data?["post"]?["__typename"]?.string == "Post")
    }
    #expect(try await space.stats().operations == ["Post": 1])
  }

  @Test("Any JSON value survives the round trip, by GET and by POST (K2)")
  func values() async throws {
    let space = try await Space()
    let client = client(space)
    let value: JSONValue = [
      "text": "\"\\\u{8}\n\u{0}é\u{1F600}\u{2028}", "large": 9_007_199_254_740_993, "negative": -1,
      "fraction": 0.1, "none": nil, "list": [[], [true, false]], "": [:],
    ]
    for method in [false, true] {
      let echo = GraphQLOperation(
        "query Echo($value: JSON) { echo(value: $value) method }", variables: ["value": value]
      ).with { [method] in
        ($0.prefersGET, $0.requestPolicy) = (method, .networkOnly)
      }
      let result = await client.query(echo)
      #expect(result.error == nil)
      #expect(result.data?["echo"]?.value == value)
      #expect(result.data?["method"]?.string == (method ? "GET" : "POST"))
    }
  }

  @Test("Server errors reach the caller, beside data or instead of it (H2)")
  func errors() async throws {
    let space = try await Space()
    let client = client(space)
    let partial = await client.query(
      GraphQLOperation("{ hello boom post(id: \"p1\") { id broken } }"))
    #expect(partial.data?["hello"]?.string == "Hello, world!")
    #expect(partial.error?.graphQLErrors.map(\.message) == ["boom", "Post p1 is broken"])
    #expect(partial.error?.graphQLErrors.last?.path == [.key("post"), .key("broken")])
    #expect(partial.error?.graphQLErrors.last?.extensions == ["code": "BROKEN_FIELD"])
    let whole = await client.query(GraphQLOperation("{ hello boomNonNull }"))
    #expect(whole.data == nil)
    #expect(whole.error?.graphQLErrors.map(\.message) == ["boom"])
    let invalid = await client.query(GraphQLOperation("{ nonsense }"))
    #expect(invalid.error?.code == .graphQL)
    let badVariable = await client.query(
      GraphQLOperation("query Q($n: Int!) { items(n: $n) { id } }", variables: ["n": "x"]))
    #expect(badVariable.error?.code == .graphQL)
    #expect(try await space.stats().total == 4)
    let unparsable = await client.query(GraphQLOperation("{ hello"))
    #expect(unparsable.error?.code == .document)
    #expect(try await space.stats().total == 4)
  }

  @Test("A successful mutation invalidates queries that show its type; a failed one does not (C3)")
  func mutation() async throws {
    let space = try await Space()
    let client = client(space)
    let query = GraphQLOperation("query P { post(id: \"p1\") { id title } }")
    _ = await client.query(query)
    let failed = await client.mutate(GraphQLOperation("mutation F { fail { id } }"))
    #expect(failed.error?.graphQLErrors.first?.extensions == ["code": "REFUSED"])
    #expect(await client.query(query).outcome == .hit)
    let update = GraphQLOperation(
      "mutation U($title: String!) { updatePost(id: \"p1\", title: $title) { id title } }",
      variables: ["title": "Ünïcödé"])
    #expect(await client.mutate(update).error == nil)
    let after = await client.query(query)
    #expect(after.outcome == .miss)
    #expect(after.data?["post"]?["title"]?.string == "Ünïcödé")
    let partly = await client.mutate(
      GraphQLOperation(
        "mutation W { updatePostPartly(id: \"p1\", title: \"x\") { post { id } problem } }"))
    #expect(partly.data != nil)
    #expect(partly.error?.graphQLErrors.first?.extensions == ["code": "PARTLY"])
    #expect(await client.query(query).data?["post"]?["title"]?.string == "x")
    #expect(try await space.stats().operations == ["P": 3, "F": 1, "U": 1, "W": 1])
  }

  @Test("A watched list is refetched after a mutation that adds to it (C4)")
  func watch() async throws {
    let space = try await Space()
    let client = client(space)
    let query = GraphQLOperation("query T { todosOf(author: \"a1\") { id text } }")
    var shown: [Int] = []
    for await result in client.watch(query) where !result.isStale {
      shown.append(result.data?["todosOf"]?.count ?? -1)
      if shown.count == 3 { break }
      _ = await client.mutate(GraphQLOperation("mutation C { createTodo(text: \"x\") { id } }"))
    }
    #expect(shown == [3, 4, 5])
    #expect(try await space.stats().operations == ["T": 3, "C": 2])
  }

  @Test("A thousand executions of one query share one request (D1)")
  func dedup() async throws {
    let space = try await Space()
    let client = client(space)
    let query = GraphQLOperation("query S { slow(ms: 200) }")
    let answers = await withTaskGroup(of: String?.self) { group in
      for _ in 0..<1_000 {
        group.addTask { await client.query(query).data?["slow"]?.string }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(answers == Array(repeating: "waited 200 ms", count: 1_000))
    #expect(try await space.stats().operations == ["S": 1])
  }

  @Test("A mutation whose caller is cancelled still runs, and its result reaches the cache (M1)")
  func cancelledMutation() async throws {
    let space = try await Space()
    let client = client(space)
    let query = GraphQLOperation("query P { post(id: \"p1\") { id title } }")
    let update = GraphQLOperation(
      "mutation U { updatePost(id: \"p1\", title: \"new\", hold: true) { id title } }")
    var titles: [String?] = []
    for await result in client.watch(query) where !result.isStale {
      titles.append(result.data?["post"]?["title"]?.string)
      if titles.count == 2 { break }
      let task = Task { await client.mutate(update) }
      _ = try await space.stats(when: "inFlight", reaches: 1)
      task.cancel()
      #expect(await task.value.error == .cancelled)
      try await space.release()
    }
    #expect(titles == ["Post 1", "new"])
    let stats = try await space.stats()
    #expect(stats.closedEarly == 0)
    #expect(stats.operations == ["P": 2, "U": 1])
  }

  @Test("A mutation that aborts when cancelled closes its request (M1)")
  func abortedMutation() async throws {
    let space = try await Space()
    let client = client(space)
    let update = GraphQLOperation(
      "mutation U { updatePost(id: \"p1\", title: \"new\", ms: 600000) { id title } }"
    ).with { $0.abortsWhenCancelled = true }
    let task = Task { await client.mutate(update) }
    _ = try await space.stats(when: "inFlight", reaches: 1)
    task.cancel()
    #expect(await task.value.error == .cancelled)
    #expect(try await space.stats(when: "closedEarly", reaches: 1).operations == ["U": 1])
  }

  @Test("A header that is computed for each request reaches the server")
  func headers() async throws {
    let space = try await Space()
    let client = client(space) { $0.headers = { ["Authorization": "Bearer \($0.name ?? "")"] } }
    let result = await client.query(
      GraphQLOperation("query Mine { header(name: \"authorization\") }"))
    #expect(result.data?["header"]?.string == "Bearer Mine")
  }

  @Test("A list of 10,000 items and a list of an abstract type arrive complete")
  func large() async throws {
    let space = try await Space()
    let client = client(space)
    let items = await client.query(GraphQLOperation("{ items(n: 10000) { id text number } }"))
    #expect(items.data?["items"]?.count == 10_000)
    #expect(items.data?["items"]?[9_999]?["number"]?.int == 9_999_000)
    let found = await client.query(
      GraphQLOperation("{ search(text: \"1\") { ... on Post { title } ... on Todo { text } } }"))
    #expect(
      found.data?["search"]?.elements.map { $0["__typename"]?.string } == ["Post", "Todo", "Todo"])
  }

  @Test("An unreachable server is a transport error (H3)")
  func unreachable() async throws {
    let url = try #require(URL(string: "http://127.0.0.1:1/graphql"))
    let error = await GraphQLClient([.fetch(url, .patient)]).query(GraphQLOperation("{ hello }"))
      .error
    #expect(error?.code == .transport)
    #expect((error?.underlying as? HTTPTransportError)?.code == .cannotConnect)
  }

  @Test(
    "Every broken response becomes a result or a typed error, after one request (H2, H3)",
    arguments: Sender.allCases)
  func brokenResponses(sender: Sender) async throws {
    let space = try await Space()
    let kinds = try await space.brokenKinds(for: sender)
    #expect(kinds.count > 200)
    for kind in Stress.some(of: kinds) {
      var configuration = sender.configuration
      configuration.timeout =
        kind.outcomes.contains("timedOut") ? .milliseconds(300) : .seconds(600)
      configuration.maximumResponseBytes = 1_000_000
      let client = GraphQLClient([
        .dedup, .documentCache, .fetch(space.broken(kind.name), configuration),
      ])
      let result = await client.query(GraphQLOperation("{ hello }"))
      let outcome = result.brokenOutcome
      #expect(
        outcome != "nothing" && (kind.expected == "any" || kind.outcomes.contains(outcome)),
        "\(kind): \(outcome), not \(kind.expected): \(String(describing: result.error))")
      if let error = result.error, [.httpStatus, .malformedResponse].contains(error.code) {
        #expect(error.httpStatus != nil && error.bodyPrefix != nil, "\(kind)")
      }
    }
    let redirected = ["redirect-loop", "redirect-slow", "type-text"]
    // A query is idempotent, so a lost connection may be retried once.
    let counts = try await space.stats().operations.filter { !redirected.contains($0.key) }
    #expect(counts.values.allSatisfy { $0 <= 2 })
  }
}

extension OperationResult {
  /// Classifies the result with the words that the server uses for its expectations.
  fileprivate var brokenOutcome: String {
    guard let error else { return data == nil ? "nothing" : "data" }
    switch error.code {
    case .graphQL: return "errors"
    case .httpStatus: return "http"
    case .malformedResponse: return "malformed"
    default:
      return (error.underlying as? HTTPTransportError)?.code.description ?? error.code.description
    }
  }
}
