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
    _ wait: @escaping @Sendable () async throws -> JSON?
  ) async -> (count: Int, last: OperationResult?) {
    var auth = AuthConfiguration<String>(
      load: { "old" }, attach: { $1.headers["authorization"] = $0 },
      refresh: { [refreshes] _ in "new \(refreshes.next())" })
    auth.isRejection = { error, _ in (error.underlying as? SocketClosure)?.code == 4401 }
    let transport = RejectingTransport(wait: wait)
    let client = GraphQLClient([
      .auth(auth), .subscription(transport, reconnection: Reconnection(clock: clock)),
    ])
    var last: OperationResult?
    for await result in client.subscribe(Self.counter) { last = result }
    return (refreshes.count, last)
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

  @Test("A subscription that has brought an event gets new credentials again (A1)")
  func afterEvent() async {
    let (count, _) = await renewals { try JSON(parsing: #"{"data":{"counter":1}}"#) }
    #expect(count == 4)
  }
}
