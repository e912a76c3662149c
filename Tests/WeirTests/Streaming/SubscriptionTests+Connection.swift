import Foundation
import Testing
import Weir

extension SubscriptionTests {
  @Test("The first attempt is repeated if that is configured, and each change is reported (H6)")
  func firstAttemptRepeated() async throws {
    let answers = Script([
      .failure(HTTPTransportError(.offline, "")), .success(Self.events(Self.next)),
      .success(Self.events(Self.next + Self.end)),
    ])
    let transport = ScriptedTransport { _ in try answers.next() }
    let client = try client(transport) { $0.reconnection?.includesFirstAttempt = true }
    let (changes, missed) = (Locked<[String]>([]), Counter())
    let context = OperationContext.cacheFirst.with { context in
      context.onMissedEvents { _ = missed.next() }
      context.onConnectionChange { change in
        let text =
          switch change {
          case .open: "open"
          case .lost(let error, let delay): "\(error.code) \(delay)"
          }
        changes.withLock { $0.append(text) }
      }
    }
    let events = client.subscribe(GraphQLOperation("subscription { counter }", context: context))
    let results = Task { await collect(events) }
    await connectAgain(transport, after: [250, 500])
    #expect(await results.value == ["1", "1"])
    #expect(
      changes.withLock { $0 } == [
        "transport 0.25 seconds", "open", "transport 0.5 seconds", "open",
      ])
    #expect(missed.count == 2)
  }

  @Test("A first attempt that is refused for good is not repeated (H6)")
  func firstAttemptRefused() async throws {
    let transport = ScriptedTransport { _ in Self.events("", status: 403) }
    let client = try client(transport) { $0.reconnection?.includesFirstAttempt = true }
    #expect(await collect(client.subscribe(counter)) == ["httpStatus"])
    #expect(transport.requests.count == 1)
  }

  @Test("A closure that loads header fields may fail before the first attempt, too (H6)")
  func headersFail() async throws {
    let transport = ScriptedTransport { _ in Self.events(Self.next + Self.end) }
    let isFirst = Locked(true)
    let client = try client(transport) { configuration in
      configuration.reconnection?.includesFirstAttempt = true
      configuration.reconnection?.initialDelay = .zero
      configuration.headers = { _ in
        let fails = isFirst.withLock { isFirst in
          defer { isFirst = false }
          return isFirst
        }
        if fails { throw CocoaError(.fileNoSuchFile) }
        return [:]
      }
    }
    #expect(await collect(client.subscribe(counter)) == ["1"])
  }
}
