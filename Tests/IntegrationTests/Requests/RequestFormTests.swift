import Foundation
import Testing
import Weir

@Suite("Persisted operations and batches against a real server", .timeLimit(.minutes(10)))
struct RequestFormTests {
  private let post = GraphQLOperation(
    "query Post($id: ID!) { post(id: $id) { title author { name } } }", variables: ["id": "p2"])
  private let update = GraphQLOperation(
    "mutation Update { updatePost(id: \"p1\", title: \"new\") { id title } }")

  // MARK: Persisted

  @Test("A document's text is sent once; later requests send its hash, by POST or GET (H8)")
  func automatic() async throws {
    let space = try await Space()
    let transport = CountingTransport()
    var configuration = PersistedOperationsConfiguration()
    configuration.automaticKinds = [.query, .mutation]
    let client = GraphQLClient([
      .persistedOperations(configuration), .fetch(space.view("persisted"), transport.configuration),
    ])
    for _ in 1...3 {
      #expect(await client.query(post).data?["post"]?["title"]?.string == "Post 2")
    }
    #expect(transport.forms == ["hash", "hash+text", "hash", "hash"])
    let byGET = await client.query(post.with { $0.prefersGET = true })
    #expect(byGET.data?["post"]?["author"]?["name"]?.string == "Alan Turing")
    for _ in 1...2 {
      #expect(await client.mutate(update).data?["updatePost"]?["title"]?.string == "new")
    }
    #expect(transport.forms.dropFirst(4) == ["GET hash", "hash", "hash+text", "hash"])
    #expect(try await space.stats().operations == ["Post": 5, "Update": 3])
  }

  @Test("Without support for hashes, the client tries once; then 20 operations all succeed (H8)")
  func unsupported() async throws {
    let space = try await Space()
    let transport = CountingTransport()
    let client = GraphQLClient([
      .persistedOperations(), .fetch(space.view("unpersisted"), transport.configuration),
    ])
    #expect(await client.query(post).data != nil)
    #expect(transport.forms == ["hash", "text"])
    let isAnswered = await withTaskGroup(of: Bool.self) { group in
      for _ in 1...20 { group.addTask { await client.query(post).error == nil } }
      return await group.reduce(true) { $0 && $1 }
    }
    #expect(isAnswered)
    #expect(transport.forms.dropFirst(2).allSatisfy { $0 == "text" })
    #expect(try await space.stats().total == 22)
  }

  @Test("Registered documents run by their identifier, and unregistered ones are refused")
  func registered() async throws {
    let space = try await Space()
    let manifest = PersistedManifest(hashing: [post, update])
    let upload = HTTPRequest(url: space.view("manifest"), body: try JSON.encode(manifest))
    #expect(try await URLSessionTransport.shared.send(upload).status == 200)
    var configuration = PersistedOperationsConfiguration()
    configuration.manifest = manifest
    let transport = CountingTransport()
    let url = space.view("trusted")
    let client = GraphQLClient([
      .persistedOperations(configuration), .fetch(url, transport.configuration),
    ])
    for byGET in [false, true] {
      let result = await client.query(post.with { $0.prefersGET = byGET })
      #expect(result.data?["post"]?["title"]?.string == "Post 2")
    }
    #expect(await client.mutate(update).error == nil)
    #expect(transport.forms == ["id", "GET id", "id"])
    let text = await GraphQLClient([.fetch(url, .patient)]).query(post)
    #expect(text.error?.graphQLErrors.first?.extensions == ["code": "PERSISTED_DOCUMENT_NOT_FOUND"])
    configuration.unregistered = .refused
    let strict = GraphQLClient([.persistedOperations(configuration), .fetch(url, .patient)])
    #expect(await strict.query(GraphQLOperation("{ hello }")).error?.code == .unregisteredDocument)
  }

  // MARK: Batches

  private func batching(_ count: Int) -> BatchConfiguration {
    var batching = BatchConfiguration()
    batching.window = .duration(.seconds(600))
    // The batch leaves as soon as it holds this many operations.
    batching.maximumCount = count
    return batching
  }

  private func queries(_ count: Int, _ client: GraphQLClient) async -> [String?] {
    await withTaskGroup(of: (Int, String?).self) { group in
      for number in 0..<count {
        group.addTask {
          let result = await client.query(
            GraphQLOperation(
              "query H($name: String!) { hello(name: $name) }",
              variables: ["name": .string("\(number)")]))
          return (
            number, result.data?["hello"]?.string ?? result.error?.graphQLErrors.first?.message
          )
        }
      }
      var answers = [String?](repeating: nil, count: count)
      for await (number, answer) in group { answers[number] = answer }
      return answers
    }
  }

  @Test("Five operations share one request, and each gets its own response")
  func batch() async throws {
    let space = try await Space()
    let client = GraphQLClient([
      .dedup, .documentCache, .batchFetch(space.view("batch"), batching: batching(5)),
    ])
    #expect(await queries(5, client) == (0..<5).map { "Hello, \($0)!" })
    #expect(try await space.stats().operations == ["batch of 5": 1])
    // Everything is cached now.
    #expect(await queries(5, client) == (0..<5).map { "Hello, \($0)!" })
    #expect(try await space.stats().total == 1)
  }

  @Test("An error in a batch reaches only the operation that it belongs to")
  func batchErrors() async throws {
    let space = try await Space()
    let client = GraphQLClient([.batchFetch(space.view("batch"), batching: batching(3))])
    async let good = client.query(post)
    async let partial = client.query(GraphQLOperation("query P { hello boom }"))
    async let invalid = client.query(GraphQLOperation("query N { nonsense }"))
    #expect(await good.data?["post"]?["title"]?.string == "Post 2")
    #expect(await partial.data?["hello"]?.string == "Hello, world!")
    #expect(await partial.error?.graphQLErrors.map(\.message) == ["boom"])
    #expect(await invalid.data == nil)
    #expect(await invalid.error?.code == .graphQL)
    #expect(try await space.stats().operations == ["batch of 3": 1])
  }

  @Test("If the server refuses a batch, every operation fails; a single operation is not batched")
  func noBatches() async throws {
    let space = try await Space()
    for url in [space.graphQL, space.view("batch")] {
      let client = GraphQLClient([.batchFetch(url, batching: batching(6))])
      let errors = await withTaskGroup(of: OperationError?.self) { group in
        for number in 0..<6 {
          group.addTask {
            await client.query(GraphQLOperation(GraphQLDocument("query Q\(number) { hello }")))
              .error
          }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
      #expect(errors.map { $0?.httpStatus } == Array(repeating: 400, count: 6))
      #expect(errors.allSatisfy { $0?.bodyPrefix?.isEmpty == false })
    }
    let alone = GraphQLClient([.batchFetch(space.graphQL)])
    #expect(await alone.query(post).data != nil)
  }

  @Test("Cancelling every operation of a batch closes the connection (H9)")
  func cancelBatch() async throws {
    let space = try await Space()
    let client = GraphQLClient([.batchFetch(space.view("batch"), batching: batching(2))])
    let tasks = ["A", "B"].map { name in
      Task {
        await client.query(GraphQLOperation(GraphQLDocument("query \(name) { slow(ms: 600000) }")))
      }
    }
    _ = try await space.stats(when: "inFlight", reaches: 1)
    tasks[0].cancel()
    #expect(await tasks[0].value.error == .cancelled)
    // The server notices a closed connection before it answers another request.
    #expect(await GraphQLClient([.fetch(space.graphQL, .patient)]).query(post).error == nil)
    #expect(try await space.stats().closedEarly == 0)
    tasks[1].cancel()
    #expect(await tasks[1].value.error == .cancelled)
    #expect(try await space.stats(when: "closedEarly", reaches: 1).total == 2)
  }
}

/// Sends requests with `URLSession` and records in which form each document was sent.
private final class CountingTransport: HTTPTransport {
  private let noted = Locked([String]())

  var forms: [String] { noted.withLock { $0 } }

  var configuration: FetchConfiguration {
    var configuration = FetchConfiguration.patient
    configuration.transport = self
    return configuration
  }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    let items = URLComponents(url: request.url, resolvingAgainstBaseURL: true)?.queryItems ?? []
    let isGET = request.method == .get
    let names = isGET ? items.map(\.name) : try JSON(parsing: request.body).members.map(\.key)
    let form = [("hash", "extensions"), ("id", "documentId"), ("text", "query")]
      .filter { names.contains($0.1) }.map(\.0).joined(separator: "+")
    noted.withLock { $0.append(isGET ? "GET \(form)" : form) }
    return try await URLSessionTransport.shared.send(request)
  }
}
