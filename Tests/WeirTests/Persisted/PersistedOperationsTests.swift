import Foundation
import Testing
import Weir

@Suite("Persisted operations", .timeLimit(.minutes(10)))
struct PersistedOperationsTests {
  /// A server with automatic persisted queries, which stores documents by hash. It records the form
  /// of each request: "hash", "hash+text" or "text", preceded by "GET " if it is one.
  final class HashServer: Sendable {
    struct State {
      var known: Set<String> = []
      var requests: [String] = []
    }

    static let notFound = #"{"errors":[{"message":"PersistedQueryNotFound"}]}"#
    let state = Locked(State())
    private let refusal: String?

    /// - Parameter refusal: The response to every hash, if the server refuses hashes.
    init(refusal: String? = nil) {
      self.refusal = refusal
    }

    var requests: [String] { state.withLock { $0.requests } }

    var transport: ScriptedTransport {
      ScriptedTransport { [self] request in
        HTTPResponse(status: 200, body: HTTPBody(Array(try answer(request).utf8)))
      }
    }

    private func answer(_ request: HTTPRequest) throws -> String {
      var text: String?
      var hash: String?
      if request.method == .get {
        let items = URLComponents(url: request.url, resolvingAgainstBaseURL: true)?.queryItems ?? []
        func value(_ name: String) -> String? { items.first { $0.name == name }?.value }
        text = value("query")
        hash = try value("extensions").flatMap { try JSON(parsing: $0).hash }
      } else {
        let body = try JSON(parsing: request.body)
        text = body["query"]?.string
        hash = body["extensions"]?.hash
      }
      return state.withLock { state in
        let kind = [hash.map { _ in "hash" }, text.map { _ in "text" }].compactMap { $0 }
        state.requests.append(
          (request.method == .get ? "GET " : "") + kind.joined(separator: "+"))
        guard let hash else { return #"{"data":{"hello":"x"}}"# }
        if let refusal { return refusal }
        if let text {
          guard SHA256Digest.hexadecimal(of: Array(text.utf8)) == hash else {
            return #"{"errors":[{"message":"provided sha does not match query"}]}"#
          }
          state.known.insert(hash)
        }
        return state.known.contains(hash) ? #"{"data":{"hello":"x"}}"# : Self.notFound
      }
    }
  }

  let hello = GraphQLOperation("query Hello { hello }")
  let change = GraphQLOperation("mutation Change { hello }")

  func client(
    _ transport: ScriptedTransport,
    _ configure: (inout PersistedOperationsConfiguration) throws -> Void = { _ in }
  ) throws -> GraphQLClient {
    var fetch = FetchConfiguration()
    fetch.transport = transport
    var configuration = PersistedOperationsConfiguration()
    try configure(&configuration)
    let url = try #require(URL(string: "https://example.org/graphql"))
    return GraphQLClient([.persistedOperations(configuration), .fetch(url, fetch)])
  }

  // MARK: Automatic

  @Test("The hash is sent first, hash and text after a miss, and then only the hash (H8)")
  func hashFirst() async throws {
    let server = HashServer()
    let client = try client(server.transport)
    for _ in 1...3 { #expect(await client.query(hello).data?["hello"]?.string == "x") }
    #expect(server.requests == ["hash", "hash+text", "hash", "hash"])
  }

  @Test("Both requests have exactly the bytes that servers expect (H8)")
  func bytes() async throws {
    let transport = ScriptedTransport(HashServer.notFound)
    _ = try await client(transport).query(hello)
    let hash = SHA256Digest.hexadecimal(of: Array(hello.text.utf8))
    #expect(hash == "c3480ac7c119a88553b36f3f0ff43583b7c01f3b399dfe074d84b7daad442e38")
    let extensions = #""extensions":{"persistedQuery":{"sha256Hash":"\#(hash)","version":1}}}"#
    #expect(
      transport.requests.map(\.text) == [
        #"{"operationName":"Hello",\#(extensions)"#,
        #"{"operationName":"Hello","query":"query Hello {\n  hello\n}",\#(extensions)"#,
      ])
  }

  @Test(
    "A miss is recognized by its message or its code, with any status (H8)",
    arguments: [
      #"{"errors":[{"message":"PersistedQueryNotFound"}]}"#,
      #"{"data":null,"errors":[{"message":"?","extensions":{"code":"PERSISTED_QUERY_NOT_FOUND"}}]}"#,
      #"{"errors":[{"message":"other"},{"message":"PersistedQueryNotFound"}]}"#,
    ], [200, 400, 404])
  func misses(body: String, status: Int) async throws {
    let transport = ScriptedTransport(body, status: status)
    let result = try await client(transport).query(hello)
    #expect(transport.requests.count == 2)
    // If the server also refuses the text, the client sends no third request.
    #expect(result.error?.code == .graphQL)
  }

  @Test(
    "Any other response is the result (H8)",
    arguments: [
      #"{"errors":[{"message":"boom"}]}"#, #"{"data":{"hello":"x"}}"#, "<html>", "",
      #"{"data":{"hello":"x"},"errors":[{"message":"PersistedQueryNotFound"}]}"#,
    ])
  func otherResults(body: String) async throws {
    let transport = ScriptedTransport(body)
    let plain = ScriptedTransport(body)
    let result = try await client(transport).query(hello)
    let expected = try await client(plain) { $0.unregistered = .text }.query(hello)
    #expect(transport.requests.count == 1)
    #expect(result.error == expected.error)
    #expect(result.data == expected.data)
  }

  @Test(
    "A server without support for hashes is asked once per session and endpoint (H8)",
    arguments: [
      #"{"errors":[{"message":"PersistedQueryNotSupported"}]}"#,
      #"{"errors":[{"message":"?","extensions":{"code":"PERSISTED_QUERY_NOT_SUPPORTED"}}]}"#,
    ])
  func unsupported(refusal: String) async throws {
    let server = HashServer(refusal: refusal)
    let client = try client(server.transport)
    for _ in 1...2 { #expect(await client.query(hello).data != nil) }
    #expect(server.requests == ["hash", "text", "text"])
    let other = try #require(URL(string: "https://other.example/"))
    for _ in 1...2 { #expect(await client.query(hello.with { $0.endpoint = other }).data != nil) }
    #expect(server.requests.suffix(3) == ["hash", "text", "text"])
    client.switchSession()
    _ = await client.query(hello)
    #expect(server.requests.suffix(2) == ["hash", "text"])
  }

  @Test("The hash and the text that follows a miss have the execution's time limit each (H8)")
  func timeouts() async throws {
    let transport = ScriptedTransport(HashServer.notFound)
    _ = try await client(transport).query(hello.with { $0.requestTimeout = .seconds(180) })
    #expect(transport.requests.map(\.timeout) == [.seconds(180), .seconds(180)])
  }

  @Test("Hashes can be sent by GET, and the text that follows a miss is a POST (H8)")
  func get() async throws {
    let server = HashServer()
    let client = try client(server.transport) { $0.prefersGET = true }
    for _ in 1...2 { #expect(await client.query(hello).data != nil) }
    _ = await client.query(hello.with { $0.prefersGET = false })
    #expect(server.requests == ["GET hash", "hash+text", "GET hash", "hash"])
  }

  @Test("Mutations send their text unless configured to send a hash, and never use GET (H8)")
  func mutations() async throws {
    let server = HashServer()
    #expect(try await client(server.transport).mutate(change).data != nil)
    #expect(server.requests == ["text"])
    let client = try client(server.transport) {
      $0.automaticKinds = [.query, .mutation]
      $0.prefersGET = true
    }
    for _ in 1...2 { #expect(await client.mutate(change).data != nil) }
    #expect(server.requests == ["text", "hash", "hash+text", "hash"])
  }

  @Test("Operations with files send their text, so that no file is sent twice (H7, H8)")
  func files() async throws {
    let server = ScriptedTransport(#"{"data":{"hello":"x"}}"#)
    let upload = GraphQLOperation(
      "mutation Upload($file: Upload!) { hello(file: $file) }",
      uploads: ["file": Upload(bytes: [1], filename: "a")])
    let client = try client(server) { $0.automaticKinds = [.query, .mutation] }
    _ = await client.mutate(upload)
    let segment = try #require(server.requests.first?.streamedBody?.segments.first)
    guard case .bytes(let operations) = segment else {
      Issue.record("No operations.")
      return
    }
    let text = String(decoding: operations, as: UTF8.self)
    #expect(text.contains("hello(file: $file)"))
    #expect(!text.contains("persistedQuery"))
  }

  @Test("A new iteration starts with the hash again, and a stream sends nothing before it (H8)")
  func cold() async throws {
    let server = HashServer()
    let client = try client(server.transport)
    let results = client.results(of: hello)
    #expect(client.peek(hello) == nil)
    #expect(server.requests.isEmpty)
    for _ in 1...2 { #expect(await results.reduce(0) { count, _ in count + 1 } == 1) }
    #expect(server.requests == ["hash", "hash+text", "hash"])
  }

  @Test(
    "A subscription that resumes at a server without its hash sends the text (H6, H8)",
    arguments: [0, 2])
  func resumption(failures: Int) async throws {
    let events = [
      #"{"data":{"hello":"1"}}"#, HashServer.notFound, #"{"data":{"hello":"2"}}"#,
    ]
    let requests = Counter()
    let transport = ScriptedTransport { _ in
      var number = requests.next()
      if number > 2, number <= 2 + failures { throw HTTPTransportError(.offline, "") }
      if number > 2 { number -= failures }
      let id = number == 1 ? "id: 7\n" : ""
      let end = number == 1 ? "" : "event: complete\n\n"
      return HTTPResponse(
        status: 200, headers: ["content-type": "text/event-stream"],
        body: HTTPBody(Array("\(id)event: next\ndata: \(events[number - 1])\n\n\(end)".utf8)))
    }
    var fetch = FetchConfiguration()
    fetch.transport = transport
    fetch.reconnection?.initialDelay = .zero
    var configuration = PersistedOperationsConfiguration()
    configuration.automaticKinds = [.subscription]
    let url = try #require(URL(string: "https://example.org/graphql"))
    let client = GraphQLClient([.persistedOperations(configuration), .fetch(url, fetch)])
    let missed = Counter()
    let hello = GraphQLOperation("subscription { hello }").with {
      $0.onMissedEvents { _ = missed.next() }
    }
    var seen: [String?] = []
    for await result in client.subscribe(hello) { seen.append(result.data?["hello"]?.string) }
    #expect(seen == ["1", "2"])
    #expect(missed.count == 2)
    let hasText = [false, false] + Array(repeating: true, count: failures + 1)
    #expect(transport.requests.map { $0.text.contains("subscription {") } == hasText)
    #expect(
      transport.requests.map { $0.headers["last-event-id"] }
        == [nil] + Array(repeating: "7", count: failures + 2))
  }

  @Test("Existing extensions are sent together with the hash")
  func otherExtensions() async throws {
    let transport = ScriptedTransport(#"{"data":{}}"#)
    let traced = hello.with { $0.requestParameters.extensions = ["trace": true] }
    _ = try await client(transport).query(traced)
    let sent = try JSON(parsing: try #require(transport.requests.first).body)
    #expect(sent["extensions"]?["trace"]?.bool == true)
    #expect(sent["extensions"]?.hash != nil)
    let endless = hello.with { $0.requestParameters.extensions = ["x": .double(.infinity)] }
    #expect(try await client(transport).query(endless).error?.code == .variables)
    #expect(transport.requests.count == 1)
  }
}

extension JSON {
  fileprivate var hash: String? {
    let persisted = self["persistedQuery"]
    return persisted?["version"]?.int == 1 ? persisted?["sha256Hash"]?.string : nil
  }
}
