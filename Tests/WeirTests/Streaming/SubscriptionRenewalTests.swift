import Testing
import Weir
import WeirTesting

/// A server that tells only after a subscription has been sent that it rejects the credentials.
@Suite("Rejected subscriptions", .timeLimit(.minutes(10)))
struct SubscriptionRenewalTests {
  private static let counter = GraphQLOperation("subscription { counter }")
  private let clock = ManualClock()
  private let refreshes = Counter()

  /// Closes each connection with 4401 once a closure has returned, but completes the fifth one.
  private struct RejectingTransport: SubscriptionTransport {
    let connections = Counter()
    let wait: @Sendable () async throws -> JSON?

    func subscribe(to operation: GraphQLOperation) async throws -> SubscriptionEvents {
      let number = connections.next()
      let isFirst = Locked(true)
      return SubscriptionEvents { [wait] in
        if number == 5 { return nil }
        let isBeginning = isFirst.withLock { isFirst in
          defer { isFirst = false }
          return isFirst
        }
        if isBeginning, let event = try await wait() { return event }
        throw SocketClosure(code: 4401, reason: "Unauthorized")
      }
    }
  }

  /// The number of renewals until a subscription ends, and its last result.
  private func renewals(
    _ reconnection: Reconnection? = nil, _ wait: @escaping @Sendable () async throws -> JSON?
  ) async -> (count: Int, last: OperationResult?) {
    var auth = AuthConfiguration<String>(
      load: { "old" }, attach: { $1.headers["authorization"] = $0 },
      refresh: { [refreshes] _ in "new \(refreshes.next())" })
    auth.isRejection = { error, _ in (error.underlying as? SocketClosure)?.code == 4401 }
    let transport = RejectingTransport(wait: wait)
    let client = GraphQLClient([
      .auth(auth),
      .subscription(transport, reconnection: reconnection ?? Reconnection(clock: clock)),
    ])
    var last: OperationResult?
    for await result in client.subscribe(Self.counter) { last = result }
    return (refreshes.count, last)
  }

  /// Accepts one connection, and after its loss no other with the old token.
  private struct ForbiddingTransport: SubscriptionTransport {
    let tokens = Locked<[String?]>([])
    /// How the first connection ends after an event.
    let loss: SocketClosure

    func subscribe(to operation: GraphQLOperation) async throws -> SubscriptionEvents {
      let token = operation.context.headers["authorization"]
      let number = tokens.withLock { tokens in
        tokens.append(token)
        return tokens.count
      }
      guard number > 1 else {
        let hasEvent = Locked(false)
        return SubscriptionEvents { [loss] in
          if hasEvent.withLock({ $0 }) { throw loss }
          hasEvent.withLock { $0 = true }
          return try JSON(parsing: #"{"data":{"counter":1}}"#)
        }
      }
      if token == "old" { throw SocketClosure(code: 4403, reason: "Forbidden") }
      return SubscriptionEvents { nil }
    }
  }

  /// The tokens of each attempt, if the exchange takes the code 4403 for a rejection or not, and the
  /// number of results.
  private func attempts(
    after loss: SocketClosure, rejectedBy code: Int
  ) async -> (tokens: [String?], results: Int) {
    var auth = AuthConfiguration<String>(
      load: { "old" }, attach: { $1.headers["authorization"] = $0 },
      refresh: { [refreshes] _ in "new \(refreshes.next())" })
    auth.isRejection = { error, _ in (error.underlying as? SocketClosure)?.code == code }
    let transport = ForbiddingTransport(loss: loss)
    var reconnection = Reconnection(clock: clock)
    (reconnection.initialDelay, reconnection.maximumAttempts) = (.zero, 3)
    let client = GraphQLClient([
      .auth(auth), .subscription(transport, reconnection: reconnection),
    ])
    let results = await client.subscribe(Self.counter).reduce(0) { count, _ in count + 1 }
    return (transport.tokens.withLock { $0 }, results)
  }

  @Test(
    "A lost subscription makes no attempt with a token that was rejected, whatever the code (A1)",
    arguments: [4403, 1006])
  func forbidden(code: Int) async {
    let (tokens, results) = await attempts(after: SocketClosure(code: code), rejectedBy: 4403)
    #expect(tokens == (code == 4403 ? ["old", "new 1"] : ["old", "old", "new 1"]))
    #expect(results == 1)
  }

  @Test("A code that no exchange takes for a rejection is a loss like any other (H6)")
  func forbiddenWithoutRejection() async {
    let (tokens, results) = await attempts(after: SocketClosure(code: 4403), rejectedBy: 4401)
    #expect(tokens == ["old", "old", "old", "old"])
    #expect(results == 2)
  }

  @Test("A subscription that is closed when it is sent gets new credentials once (A1)")
  func closedAtOnce() async {
    let (count, last) = await renewals { nil }
    #expect(count == 1)
    #expect((last?.error?.underlying as? SocketClosure)?.code == 4401)
  }

  @Test("A subscription that has lasted for a while gets new credentials again (A1)")
  func lasting() async {
    let (count, _) = await renewals { [clock] in
      clock.advance(by: .seconds(30))
      return nil
    }
    #expect(count == 4)
  }

  @Test("Rejections after an event each get new credentials, and more and more slowly (A1, H6)")
  func afterEvent() async {
    var reconnection = Reconnection(clock: clock, random: { 0.999 })
    reconnection.initialDelay = .seconds(1)
    async let end = renewals(reconnection) { try JSON(parsing: #"{"data":{"counter":1}}"#) }
    // The first new credentials are used at once, the others wait for 1, 2 and 4 seconds.
    for (number, delay) in [1, 2, 4].enumerated() {
      await clock.sleepers(1)
      #expect(refreshes.count == number + 2)
      clock.advance(by: .seconds(delay))
    }
    #expect(await end.count == 4)
  }

  /// Loses the first connection after an event, refuses two more, and then the token.
  private struct OutageTransport: SubscriptionTransport {
    let attempts = Counter()

    func subscribe(to operation: GraphQLOperation) async throws -> SubscriptionEvents {
      let number = attempts.next()
      if number == 2 || number == 3 { throw SocketClosure(code: 1006) }
      if number == 4 { throw SocketClosure(code: 4401) }
      let hasEvent = Locked(number == 5)
      return SubscriptionEvents {
        let isOver = hasEvent.withLock { hasEvent in
          defer { hasEvent = true }
          return hasEvent
        }
        if isOver, number == 5 { return nil }
        if isOver { throw SocketClosure(code: 1006) }
        return try JSON(parsing: #"{"data":{"counter":1}}"#)
      }
    }
  }

  @Test("After an outage, new credentials are used at once, and the rejection is reported (A1, H6)")
  func afterOutage() async {
    var auth = AuthConfiguration<String>(
      load: { "old" }, attach: { $1.headers["authorization"] = $0 }, refresh: { _ in "new" })
    auth.isRejection = { error, _ in (error.underlying as? SocketClosure)?.code == 4401 }
    let client = GraphQLClient([
      .auth(auth),
      .subscription(OutageTransport(), reconnection: Reconnection(clock: clock, random: { 0.5 })),
    ])
    let changes = Locked<[String]>([])
    let context = OperationContext.cacheFirst.with { context in
      context.onConnectionChange { change in
        let text =
          switch change {
          case .open: "open"
          case .lost(let error, let delay):
            "\((error.underlying as? SocketClosure)?.code ?? 0) \(delay)"
          }
        changes.withLock { $0.append(text) }
      }
    }
    let events = client.subscribe(GraphQLOperation("subscription { counter }", context: context))
    let end = Task { for await _ in events {} }
    for _ in 0..<3 {
      await clock.sleepers(1)
      clock.advance(by: .seconds(2))
    }
    await end.value
    #expect(
      changes.withLock { $0 } == [
        "open", "1006 0.25 seconds", "1006 0.5 seconds", "1006 1.0 seconds", "4401 0.0 seconds",
        "open",
      ])
  }
}
