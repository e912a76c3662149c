import Foundation
import TestSupport
import Testing
import WeirTesting

@testable import Weir

@Suite("Headers and endpoints in keys", .timeLimit(.minutes(10)))
struct HeaderKeyTests {
  static let neutral = [
    "accept", "Content-Type", "cache-control", "User-Agent", "idempotency-key", "traceparent",
    "tracestate", "baggage", "b3", "X-B3-TraceId", "x-b3-spanid", "sentry-trace", "x-request-id",
    "x-datadog-trace-id", "x-amzn-trace-id", "x-apollo-operation-name",
    "Apollo-Require-Preflight", "GraphQL-Preflight",
  ]

  /// A server whose answer names what distinguishes its callers.
  static func server(
    before answer: @escaping @Sendable (GraphQLOperation) async -> Void = { _ in }
  ) -> ScriptedExchange {
    ScriptedExchange { operation in
      await answer(operation)
      return post(name(of: operation.context))
    }
  }

  static func name(of context: OperationContext) -> String {
    ["authorization", "accept-language"].compactMap { context.headers[$0] }.joined(separator: " ")
      + (context.endpoint?.host() ?? "")
  }

  @Test("German, English, and two endpoints get four answers with four requests (K3, K8)")
  func languages() async {
    let server = Self.server()
    let client = GraphQLClient([.dedup, .documentCache, server])
    let contexts: [@Sendable (inout OperationContext) -> Void] = [
      { $0.headers["Accept-Language"] = "de" }, { $0.headers["accept-language"] = "en" },
      { $0.endpoint = URL(string: "https://eu.example") },
      { $0.endpoint = URL(string: "https://us.example") },
    ]
    for _ in 0..<2 {
      var titles: [String?] = []
      for change in contexts { titles.append(await client.query(postQuery().with(change)).title) }
      #expect(titles == ["de", "en", "eu.example", "us.example"])
    }
    #expect(server.operations.count == 4)
    #expect(client.peek(postQuery().with { $0.headers["ACCEPT-LANGUAGE"] = "de" })?.title == "de")
    #expect(client.peek(postQuery()) == nil)
  }

  @Test("Two hundred users with tokens of their own never get each other's results (K8)")
  func users() async {
    let gate = Gate()
    let server = Self.server { _ in await gate.pass() }
    let client = GraphQLClient([.dedup, .documentCache, server])
    let wrong = await withTaskGroup(of: Bool.self) { group in
      for number in 0..<400 {
        group.addTask {
          let token = "Bearer \(number % 200)"
          let operation = postQuery().with { $0.headers["authorization"] = token }
          let first = await client.query(operation).title
          return first != token || client.peek(operation)?.title != token
        }
      }
      await server.received(200)
      gate.open()
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(wrong == 0)
    #expect(server.operations.count == 200)
  }

  @Test("Neutral headers change no key, and do not keep executions from sharing a request (K8)")
  func neutralHeaders() async {
    let plain = postQuery()
    for name in Self.neutral {
      #expect(plain.with { $0.headers[name] = "1" }.identity == plain.identity, "\(name)")
    }
    for name in ["x-b", "x-tenant", "x-apollo-operation", "b3x", "authorization"] {
      #expect(plain.with { $0.headers[name] = "1" }.identity != plain.identity, "\(name)")
    }
    let gate = Gate()
    let dedup = DedupExchange()
    let client = GraphQLClient([dedup, .documentCache, postServer { _ in await gate.pass() }])
    async let one = client.query(plain.with { $0.headers["traceparent"] = "1" })
    async let two = client.query(plain.with { $0.headers["traceparent"] = "2" })
    await dedup.shares(2)
    #expect(dedup.flightCount == 1)
    gate.open()
    _ = await (one, two)
  }

  @Test("An invalidated operation has the key that the client's header rules give it (K8)")
  func invalidation() async {
    var configuration = ClientConfiguration()
    configuration.headerRules.neutral.insert("x-build-number")
    let client = GraphQLClient([.documentCache, postServer()], configuration: configuration)
    let query = postQuery().with { $0.headers["x-build-number"] = "7" }
    _ = await client.query(query)
    client.invalidate(.operation(query))
    #expect(client.peek(query) == nil)
  }

  @Test("A client can declare further neutral headers, whatever their case (K8)")
  func declaredNeutral() async {
    var configuration = ClientConfiguration()
    configuration.headerRules.neutral.formUnion(["X-Build-Number", "X-Trace-*"])
    let server = postServer()
    let cache = DocumentCacheExchange()
    let client = GraphQLClient([.dedup, cache, server], configuration: configuration)
    let operation = postQuery().with { $0.headers = ["x-build-number": "1", "x-trace-id": "a"] }
    let other = postQuery().with { $0.headers = ["X-BUILD-NUMBER": "2", "X-Trace-Span": "b"] }
    #expect(await client.query(operation).title == "title 1")
    #expect(await client.query(other).outcome == .hit)
    client.invalidate(operation)
    #expect(client.peek(other) == nil)
    #expect(server.operations.count == 1)
  }

  @Test("Names are not case-sensitive, and their order does not matter; values do (K8)")
  func spelling() {
    func identity(_ headers: HTTPHeaders) -> OperationIdentity {
      postQuery().with { $0.headers = headers }.identity
    }
    #expect(identity(["X-A": "1", "x-b": "2"]) == identity(["X-B": "2", "x-a": "1"]))
    #expect(identity(["x-a": "1"]) != identity(["x-a": "1 "]))
    #expect(identity(["x-a": "1", "x-b": ""]) != identity(["x-a": "1"]))
    #expect(identity(["x-a": "1", "X-A": "2"]) != identity(["x-a": "2", "X-A": "1"]))
    #expect(identity(["x-ab": "c"]) != identity(["x-a": "bc"]))
  }

  @Test("Neither keys nor snapshots contain a header's value, and keys for logs no credential (K8)")
  func secrets() async throws {
    let cache = DocumentCacheExchange()
    let snapshots = SnapshotExchange()
    let client = GraphQLClient([snapshots, .dedup, cache, Self.server()])
    let german = postQuery().with { $0.headers["accept-language"] = "de-secret" }
    let user = german.with { $0.headers["authorization"] = "Bearer secret" }
    let other = german.with { $0.headers["authorization"] = "Bearer other" }
    #expect(user.identity != other.identity)
    #expect(user.key == other.key && user.key != german.key && german.key != postQuery().key)
    #expect(user.identity.scope?.contains("secret") == false)
    _ = await client.query(german)
    _ = await client.query(user)
    let saved = cache.snapshot()
    #expect(saved.count == 1 && snapshots.snapshot().count == 1)
    #expect(saved.entries.allSatisfy { $0.scope?.contains("secret") == false })
    let restored = DocumentCacheExchange()
    restored.restore(saved)
    let next = GraphQLClient([restored, Self.server()])
    #expect(next.peek(german)?.title == "de-secret" && next.peek(user) == nil)
  }

  @Test("Neither keys nor snapshots contain an endpoint's password or query items (K8)")
  func endpoints() async throws {
    let snapshots = SnapshotExchange()
    let client = GraphQLClient([snapshots, .dedup, .documentCache, Self.server()])
    let operations = try ["ann:secret@", "ann:other@", ""].map { user in
      let url = try #require(URL(string: "https://\(user)example.com/graphql?token=secret"))
      return postQuery().with { $0.endpoint = url }
    }
    for operation in operations {
      #expect(operation.identity.scope?.contains("secret") == false)
      #expect(await client.query(operation).outcome == .miss)
    }
    // A later process finds only results that need no password.
    #expect(snapshots.snapshot().count == 1)
    #expect(operations[0].key == operations[1].key && operations[0].key != operations[2].key)
  }

  @Test("Operations whose stable keys collide have different hashes in tables (K9)")
  func craftedCollisions() {
    let document: GraphQLDocument = "query A($id: ID) { a(id: $id) }"
    let texts = collidingTexts(100, after: GraphQLOperation(document).identity)
    let identities = texts.map { text in
      GraphQLOperation(document, variables: ["id": .string(text)]).identity
    }
    #expect(Set(identities.map(\.key)).count == 1)
    #expect(Set(identities.map(\.variables)).count == identities.count)
    let comparisons = Counter()
    var table: Set<Counted> = []
    for identity in identities { table.insert(Counted(identity: identity, count: comparisons)) }
    #expect(table.count == identities.count)
    // With equal hashes, it would be 4,950.
    #expect(comparisons.count < 10 * identities.count)
  }

  private static func text(of length: Int) -> String { String(repeating: "x", count: length) }

  @Test("The headers of an operation are digested once, however often it is executed (P1)")
  func repeatedExecution() async {
    var configuration = ClientConfiguration()
    configuration.headerRules.neutral.insert("x-build")
    let client = GraphQLClient(
      [.dedup, .documentCache, postServer()], configuration: configuration)
    func time(_ length: Int) async -> Duration {
      let operation = postQuery().with { $0.headers["x-tenant"] = Self.text(of: length) }
      _ = await client.query(operation)
      return processorTime {
        for _ in 0..<100 { #expect(client.peek(operation)?.title != nil) }
      }
    }
    let short = await time(10)
    let long = await time(20_000)
    #expect(long < short * 10)
  }

  @Test("Headers that are set one by one are digested once (P1)")
  func headersOneByOne() {
    func time(_ count: Int) -> Duration {
      processorTime {
        let operation = postQuery().with {
          for number in 0..<count { $0.headers["x-\(number)"] = Self.text(of: 4_000) }
        }
        _ = operation.identity
      }
    }
    _ = time(1)
    #expect(time(40) < time(1) * 200)
  }

  /// An identity that counts how often a table compares it.
  private struct Counted: Hashable {
    let identity: OperationIdentity
    let count: Counter

    static func == (left: Counted, right: Counted) -> Bool {
      _ = left.count.next()
      return left.identity == right.identity
    }

    func hash(into hasher: inout Hasher) { identity.hash(into: &hasher) }
  }

  /// Texts of 16 printable bytes that leave the stable hash in one state, after `{"id":"` and an
  /// aligned byte. Each step of the hash mixes the state with a word, so a second word can undo
  /// what a first one has done.
  private func collidingTexts(_ count: Int, after identity: OperationIdentity) -> [String] {
    var start = StableHash()
    start.combine(identity.text)
    var state = StableHash(seed: start.value)
    state.combine(word(Array(#"{"id":"x"#.utf8)))
    var generator = SeededRandom(seed: 1)
    var found: [String] = []
    let target = generator.next()
    while found.count < count {
      let first = (0..<8).map { _ in UInt8(ascii: "a") + UInt8(generator.next() % 26) }
      var after = state
      after.combine(word(first))
      let second = (0..<8).map { UInt8(truncatingIfNeeded: (after.value ^ target) >> ($0 * 8)) }
      guard second.allSatisfy({ (0x20..<0x7F).contains($0) && $0 != 0x22 && $0 != 0x5C }) else {
        continue
      }
      found.append("x" + String(decoding: first + second, as: UTF8.self))
    }
    return found
  }

  private func word(_ bytes: [UInt8]) -> UInt64 {
    bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}
