import Foundation
import TestSupport
import Testing
import Weir
import WeirTesting

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// An exchange that cannot renew the credentials of a subscription for a while.
@Suite("Failed renewals of subscriptions", .timeLimit(.minutes(10)))
struct FailedRenewalTests {
  struct SignedOut: Error {}

  private let clock = ManualClock()
  private let renewals = Counter()
  /// The delays that were reported, with the code of the error.
  private let losses = Locked<[String]>([])

  private static let offline = HTTPTransportError(.offline, "")
  private static let unavailable = OperationError(
    code: .httpStatus, message: "", httpStatus: 503)
  /// One event, after which the connection is lost.
  private static let event = SubscriptionTests.events(SubscriptionTests.next)
  private static let lastEvent = SubscriptionTests.events(
    SubscriptionTests.next + SubscriptionTests.end)
  private static let rejected = HTTPResponse(status: 401)

  /// Answers with `answers`, then with one event and the end.
  private func transport(_ answers: [HTTPResponse] = []) -> ScriptedTransport {
    let script = SubscriptionTests.Script((answers + [Self.lastEvent]).map { .success($0) })
    return ScriptedTransport { _ in try script.next() }
  }

  /// Makes a client whose renewals throw these errors, and otherwise bring the token "new". A token that
  /// expires is renewed before it is sent.
  private func client(
    _ transport: ScriptedTransport, renewalsThrow errors: [(any Error)?], expires: Bool = false,
    isComposed: Bool = false, isBatched: Bool = false,
    _ configure: (inout Reconnection) -> Void = { _ in }
  ) throws -> GraphQLClient {
    let errors = Locked(errors)
    var auth = AuthConfiguration<String>(
      load: { "old" }, attach: { $1.headers["authorization"] = $0 },
      refresh: { [renewals] _ in
        _ = renewals.next()
        let error = errors.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        if let error { throw error }
        return "new"
      })
    if expires { auth.willExpire = { $0 == "old" } }
    var configuration = FetchConfiguration()
    configuration.transport = transport
    var reconnection = Reconnection(clock: clock, random: { 0.5 })
    configure(&reconnection)
    configuration.reconnection = reconnection
    let url = try #require(URL(string: "https://example.org/graphql"))
    if isBatched { return GraphQLClient([.auth(auth), .batchFetch(url, configuration)]) }
    return GraphQLClient(
      isComposed
        ? [ComposeExchange([.auth(auth)]), ComposeExchange([.fetch(url, configuration)])]
        : [.auth(auth), .fetch(url, configuration)])
  }

  private func subscribe(_ client: GraphQLClient) -> Task<[String], Never> {
    let context = OperationContext.cacheFirst.with { [losses] context in
      context.onConnectionChange { change in
        guard case .lost(let error, let delay) = change else { return }
        losses.withLock { $0.append("\(error.code) \(delay)") }
      }
    }
    let operation = GraphQLOperation("subscription { counter }", context: context)
    return Task {
      await SubscriptionTests().collect(client.subscribe(operation))
    }
  }

  /// Lets the next delay pass.
  private func pass(_ delay: Duration) async {
    await clock.sleepers(1)
    clock.advance(by: delay)
  }

  @Test(
    "The first attempt waits for credentials that cannot be renewed yet, if it is to be repeated (A1, H6)",
    arguments: [false, true])
  func firstAttempt(isComposed: Bool) async throws {
    let transport = transport()
    let client = try client(
      transport, renewalsThrow: [POSIXError(.ECONNABORTED), URLError(.notConnectedToInternet)],
      expires: true, isComposed: isComposed
    ) { $0.includesFirstAttempt = true }
    let results = subscribe(client)
    await pass(.milliseconds(250))
    await pass(.milliseconds(500))
    #expect(await results.value == ["1"])
    #expect(
      losses.withLock { $0 } == ["authentication 0.25 seconds", "authentication 0.5 seconds"])
    #expect(transport.requests.map { $0.headers["authorization"] } == ["new"])
  }

  @Test("By default, a renewal that fails before the first attempt ends the subscription (H6)")
  func withoutFirstAttempt() async throws {
    let client = try client(transport(), renewalsThrow: [Self.offline], expires: true)
    #expect(await subscribe(client).value == ["authentication"])
    #expect(losses.withLock { $0 } == [] && renewals.count == 1)
  }

  @Test(
    "A running subscription survives renewals that fail for a while (A1, H6)",
    arguments: [false, true])
  func running(isBatched: Bool) async throws {
    let transport = transport([Self.event, Self.rejected])
    let client = try client(
      transport, renewalsThrow: [Self.unavailable, Self.offline], isBatched: isBatched)
    let results = subscribe(client)
    for delay in [250, 500, 1_000] { await pass(.milliseconds(delay)) }
    #expect(await results.value == ["1", "1"])
    #expect(
      losses.withLock { $0 } == [
        "transport 0.25 seconds", "authentication 0.5 seconds", "authentication 1.0 seconds",
        // The new credentials are used at once.
        "httpStatus 0.0 seconds",
      ])
    // Nothing is sent with the token that was rejected.
    #expect(transport.requests.map { $0.headers["authorization"] } == ["old", "old", "new"])
  }

  @Test(
    "Clients that share the exchange wait as long as each of them says (H6)",
    arguments: [10, 3_600])
  func sharedExchange(seconds: Int) async throws {
    let errors = Locked<[(any Error)?]>([Self.offline, nil, Self.offline])
    var configuration = AuthConfiguration<String>(
      load: { "old" }, attach: { $1.headers["authorization"] = $0 },
      refresh: { _ in
        if let error = errors.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { throw error }
        return "old"
      })
    configuration.willExpire = { $0 == "old" }
    let auth = AuthExchange(configuration)
    for _ in 0..<2 {
      var fetch = FetchConfiguration()
      fetch.transport = transport()
      fetch.reconnection = Reconnection(clock: clock, random: { 0.5 })
      fetch.reconnection?.includesFirstAttempt = true
      // The next client's clock begins later.
      clock.advance(by: .seconds(seconds))
      let url = try #require(URL(string: "https://example.org/graphql"))
      let results = subscribe(GraphQLClient([auth, .fetch(url, fetch)]))
      await pass(.milliseconds(250))
      #expect(await results.value == ["1"])
    }
    #expect(
      losses.withLock { $0 } == ["authentication 0.25 seconds", "authentication 0.25 seconds"])
  }

  @Test("The page of a rejection says nothing about the renewal (H6)")
  func rejectedByPage() async throws {
    let page = HTTPResponse(status: 401, headers: ["content-type": "text/html"])
    let refusal = OperationError(code: .graphQL, message: "The token was revoked.")
    let client = try client(transport([Self.event, page]), renewalsThrow: [refusal]) {
      $0.shouldReopen = { $0.isTransient || $0.mediaType == "text/html" }
    }
    let results = subscribe(client)
    await pass(.milliseconds(250))
    #expect(await results.value == ["1", "authentication"])
    #expect(renewals.count == 1)
  }

  @Test("An error of the app's own ends a subscription at once (A1)", arguments: [false, true])
  func signedOut(isRunning: Bool) async throws {
    let client = try client(
      transport(isRunning ? [Self.event, Self.rejected] : []), renewalsThrow: [SignedOut()],
      expires: !isRunning
    ) { reconnection in
      reconnection.includesFirstAttempt = true
      reconnection.shouldReopen = { _ in true }
    }
    let results = subscribe(client)
    if isRunning { await pass(.milliseconds(250)) }
    #expect(await results.value == (isRunning ? ["1", "authentication"] : ["authentication"]))
    #expect(renewals.count == 1)
  }

  @Test("Renewals are tried again as often as a connection, and not if the app says so (H6)")
  func limits() async throws {
    let errors = [(any Error)?](repeating: Self.offline, count: 10)
    let limited = try client(transport(), renewalsThrow: errors, expires: true) {
      ($0.includesFirstAttempt, $0.maximumAttempts) = (true, 2)
    }
    let results = subscribe(limited)
    await pass(.milliseconds(250))
    await pass(.milliseconds(500))
    #expect(await results.value == ["authentication"])
    #expect(renewals.count == 3)
    let refused = try client(transport(), renewalsThrow: errors, expires: true) {
      $0.includesFirstAttempt = true
      $0.shouldReopen = { $0.code != .authentication }
    }
    #expect(await subscribe(refused).value == ["authentication"])
    #expect(renewals.count == 4)
  }

  @Test("After an event, renewals may fail as often again (H6)")
  func limitAfterEvent() async throws {
    let transport = transport([Self.event, Self.rejected, Self.event, Self.rejected])
    let client = try client(transport, renewalsThrow: [Self.offline, nil, Self.offline]) {
      $0.maximumAttempts = 1
    }
    let results = subscribe(client)
    // The first new credentials are used at once, the second ones after a second.
    for delay in [250, 500, 1_000, 2_000, 1_000] { await pass(.milliseconds(delay)) }
    #expect(await results.value == ["1", "1", "1"])
    #expect(renewals.count == 4)
  }

  @Test("A subscription that waits for another renewal ends when it is left (H6)")
  func cancelled() async throws {
    let client = try client(transport(), renewalsThrow: [Self.offline], expires: true) {
      $0.includesFirstAttempt = true
    }
    let results = subscribe(client)
    await clock.sleepers(1)
    results.cancel()
    #expect(await results.value == [])
    #expect(clock.sleeperCount == 0 && renewals.count == 1)
  }

  @Test("A subscription that waits for another renewal ends with its session (C10)")
  func sessionSwitch() async throws {
    let client = try client(transport(), renewalsThrow: [Self.offline], expires: true) {
      $0.includesFirstAttempt = true
    }
    let results = subscribe(client)
    await clock.sleepers(1)
    client.switchSession()
    #expect(await results.value == ["cancelled"])
    await eventually { clock.sleeperCount == 0 }
    #expect(renewals.count == 1)
  }

  @Test("Loading that takes too long is tried again (A1, H6)")
  func timeout() async throws {
    let loads = Counter()
    let auth = AuthExchange(
      AuthConfiguration<String>(
        load: {
          if loads.next() == 1 { await Gate().pass() }
          return "new"
        }, attach: { $1.headers["authorization"] = $0 }, refresh: { $0 }), clock: clock)
    var configuration = FetchConfiguration()
    configuration.transport = transport()
    configuration.reconnection = Reconnection(clock: clock, random: { 0.5 })
    configuration.reconnection?.includesFirstAttempt = true
    let url = try #require(URL(string: "https://example.org/graphql"))
    let results = subscribe(GraphQLClient([auth, .fetch(url, configuration)]))
    await pass(.seconds(30))
    await pass(.milliseconds(250))
    #expect(await results.value == ["1"])
    #expect(losses.withLock { $0 } == ["authentication 0.25 seconds"])
  }

  @Test("Subscriptions whose renewal has failed ask again at the same time (A1)")
  func together() async throws {
    let fractions = Counter()
    let errors = [(any Error)?](repeating: Self.offline, count: 3)
    let transport = ScriptedTransport { _ in Self.lastEvent }
    let client = try client(transport, renewalsThrow: errors, expires: true) { [clock] in
      $0 = Reconnection(clock: clock, random: { 1 / Double(fractions.next() + 1) })
      $0.includesFirstAttempt = true
    }
    let results = (0..<3).map { _ in subscribe(client) }
    await clock.sleepers(3)
    #expect(Set(losses.withLock { $0 }) == ["authentication 0.25 seconds"])
    for result in results { result.cancel() }
  }

  @Test(
    "A failure of authentication is transient if its cause passes, and is not the app's own (A1)")
  func transience() {
    let closed = SocketClosure(code: 1006)
    let passing: [any Error] = [
      Self.offline, Self.unavailable, URLError(.networkConnectionLost), URLError(.timedOut),
      OperationError(code: .transport, message: "", underlying: closed),
      POSIXError(.ECONNABORTED), POSIXError(.ENOTCONN), POSIXError(.ETIMEDOUT),
      POSIXError(.ENETDOWN),
    ]
    let final: [any Error] = [
      SignedOut(), CancellationError(), HTTPTransportError(.insecure, ""),
      URLError(.badServerResponse), URLError(.userAuthenticationRequired), POSIXError(.ENOENT),
      OperationError(code: .httpStatus, message: "", httpStatus: 401),
    ]
    func isTransient(_ error: any Error) -> Bool {
      OperationError(code: .authentication, message: "", httpStatus: 401, underlying: error)
        .isTransient
    }
    #expect(passing.allSatisfy(isTransient))
    #expect(!final.contains(where: isTransient))
    #expect(!OperationError(code: .authentication, message: "").isTransient)
  }
}
