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

  @Test("A lost subscription resumes after the errors that the configuration names (H6)")
  func shouldReopen() async throws {
    let answers = Script([
      .success(Self.events(Self.next)), .failure(HTTPTransportError(.insecure, "")),
      .success(HTTPResponse(status: 200, headers: ["content-type": "text/html"])),
      .success(Self.events(Self.next + "event: next\ndata: 7\n\n")),
      .success(Self.events(Self.next + Self.end)),
    ])
    let asked = Locked<[String]>([])
    let transport = ScriptedTransport { _ in try answers.next() }
    let client = try client(transport) {
      $0.reconnection?.initialDelay = .zero
      $0.reconnection?.shouldReopen = { error in
        asked.withLock { $0.append(error.code.description) }
        return true
      }
    }
    #expect(await collect(client.subscribe(counter)) == ["1", "1", "1"])
    let malformed = "malformedResponse"
    #expect(asked.withLock(\.self) == ["transport", "transport", malformed, malformed])
  }

  @Test("A configuration may end a subscription after a loss, but not bring back an ended one (H6)")
  func shouldNotReopen() async throws {
    let losses = Script([.success(Self.events(Self.next))])
    let lost = ScriptedTransport { _ in try losses.next() }
    let fussy = try client(lost) {
      $0.reconnection?.initialDelay = .zero
      $0.reconnection?.shouldReopen = { _ in false }
    }
    #expect(await collect(fussy.subscribe(counter)) == ["1", "transport"])
    #expect(lost.requests.count == 1)
    for last in [
      .success(HTTPResponse(status: 204)), .failure(HTTPTransportError(.cancelled, "")),
    ] as [Result<HTTPResponse, HTTPTransportError>] {
      let answers = Script([.success(Self.events(Self.next)), last])
      let ended = ScriptedTransport { _ in try answers.next() }
      let client = try client(ended) {
        $0.reconnection?.initialDelay = .zero
        $0.reconnection?.shouldReopen = { _ in true }
      }
      _ = await collect(client.subscribe(counter))
      #expect(ended.requests.count == 2)
    }
  }
}
