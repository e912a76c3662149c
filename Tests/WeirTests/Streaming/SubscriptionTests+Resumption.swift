import Testing
import Weir
import WeirTesting

extension SubscriptionTests {
  /// Expects one connection after each of these delays in milliseconds, and not earlier.
  func connectAgain(_ transport: ScriptedTransport, after delays: [Int]) async {
    for (count, delay) in delays.enumerated() {
      await clock.sleepers(1)
      clock.advance(by: .milliseconds(delay - 1))
      #expect(clock.sleeperCount == 1)
      #expect(transport.requests.count == count + 1)
      clock.advance(by: .milliseconds(1))
      await transport.received(count + 2)
    }
  }

  // MARK: - Resuming

  @Test("A lost subscription resumes with growing delays and the last event's id (H6)")
  func reconnect() async throws {
    let answers = Script([
      .success(Self.events("id: 7\nretry: 900\n" + Self.next)),
      .failure(HTTPTransportError(.offline, "")), .success(Self.events("", status: 521)),
      .success(Self.events(Self.next + Self.end)),
    ])
    let transport = ScriptedTransport { _ in try answers.next() }
    let client = try client(transport)
    let results = Task { await collect(client.subscribe(counter)) }
    // Half of 0.5, 1 and 2 seconds; the server asks for at least 0.9.
    await connectAgain(transport, after: [900, 900, 1000])
    #expect(await results.value == ["1", "1"])
    #expect(transport.requests.map { $0.headers["last-event-id"] } == [nil, "7", "7", "7"])
  }

  @Test(
    "A heartbeat without a name does not make a lost stream of named events complete (H6)",
    arguments: ["data:\n\n", "data: {}\n\n", "event: message\ndata: null\n\n"])
  func unnamedHeartbeat(_ heartbeat: String) async throws {
    let answers = Script([
      .success(Self.events(Self.next + heartbeat)),
      .success(Self.events(Self.next + heartbeat + Self.end)),
    ])
    let transport = ScriptedTransport { _ in try answers.next() }
    let client = try client(transport) { $0.reconnection?.initialDelay = .zero }
    #expect(await collect(client.subscribe(counter)) == ["1", "1"])
    #expect(transport.requests.count == 2)
  }

  @Test("The last event id and retry time hold until a later stream changes them (H6)")
  func resumption() async throws {
    let answers = Script([
      .success(Self.events("id: 7\nretry: 900\n" + Self.next)), .success(Self.events(":\n\n")),
      .success(Self.events("id\n" + Self.next)), .success(Self.events(Self.next + Self.end)),
    ])
    let transport = ScriptedTransport { _ in try answers.next() }
    let client = try client(transport)
    let results = Task { await collect(client.subscribe(counter)) }
    // The third delay is half of 2 seconds: an event does not shorten it.
    await connectAgain(transport, after: [900, 900, 1000])
    #expect(await results.value == ["1", "1", "1"])
    #expect(transport.requests.map { $0.headers["last-event-id"] } == [nil, "7", "7", nil])
  }

  @Test("A subscription whose stream is cut within an event resumes before that event (H5, H6)")
  func cutEvent() async throws {
    let answers = Script([
      .success(Self.events("id: 7\n" + Self.next + "id: 8\nevent: next\ndata: {\"data\":{\"cou")),
      .success(Self.events(Self.next + Self.end)),
    ])
    let transport = ScriptedTransport { _ in try answers.next() }
    let client = try client(transport) { $0.reconnection?.initialDelay = .zero }
    #expect(await collect(client.subscribe(counter)) == ["1", "1"])
    #expect(transport.requests.map { $0.headers["last-event-id"] } == [nil, "7"])
  }

  @Test("An id that no header can carry is not sent back when a subscription resumes (H6)")
  func unusableID() async throws {
    let answers = Script([
      .success(Self.events("id: 7\u{1}\n" + Self.next)),
      .success(Self.events(Self.next + Self.end)),
    ])
    let transport = ScriptedTransport { _ in try answers.next() }
    let client = try client(transport) { $0.reconnection?.initialDelay = .zero }
    #expect(await collect(client.subscribe(counter)) == ["1", "1"])
    #expect(transport.requests.map { $0.headers["last-event-id"] } == [nil, nil])
  }

  @Test(
    "After 30 connected seconds a loss counts as the first one, even without an event (H6)",
    arguments: [(29_999, 500), (30_000, 250)])
  func stable(connected: Int, delay: Int) async throws {
    let asked = Gate()
    let lost = Gate()
    let answers = Script([
      .success(Self.events(Self.next)),
      .success(
        HTTPResponse(
          status: 200, headers: ["content-type": "text/event-stream"],
          body: HTTPBody(
            AsyncStream<[UInt8]> {
              asked.open()
              await lost.pass()
              return nil
            }))),
      .success(Self.events(Self.next + Self.end)),
    ])
    let transport = ScriptedTransport { _ in try answers.next() }
    let client = try client(transport)
    let results = Task { await collect(client.subscribe(counter)) }
    await clock.sleepers(1)
    clock.advance(by: .milliseconds(250))
    await asked.pass()
    clock.advance(by: .milliseconds(connected))
    lost.open()
    await clock.sleepers(1)
    clock.advance(by: .milliseconds(delay - 1))
    #expect(clock.sleeperCount == 1 && transport.requests.count == 2)
    clock.advance(by: .milliseconds(1))
    #expect(clock.sleeperCount == 0)
    clock.advance(by: .seconds(60))
    #expect(await results.value == ["1", "1"])
  }

  @Test("When a lost subscription resumes, watches are refetched (H6)")
  func refresh() async throws {
    let connections = Counter()
    let queries = Counter()
    let gate = Gate()
    let transport = ScriptedTransport { request in
      if request.text.contains("subscription") {
        return connections.next() == 1
          ? Self.events(Self.next)
          : HTTPResponse(
            status: 200, headers: ["content-type": "text/event-stream"],
            body: HTTPBody(AsyncStream<[UInt8]> { _ in }))
      }
      let number = queries.next()
      if number == 2 { await gate.pass() }
      let body = #"{"data":{"post":{"id":"1","title":"\#(number)","__typename":"Post"}}}"#
      return HTTPResponse(
        status: 200, headers: ["content-type": "application/json"], body: HTTPBody(Array(body.utf8))
      )
    }
    let client = try client(transport, cached: true)
    let watcher = Watcher(client.watch(postQuery()))
    #expect(await watcher.next(1) == ["1"])
    let subscription = Watcher(client.subscribe(counter))
    #expect(await subscription.next(1) == ["data more"])
    await clock.sleepers(1)
    #expect(queries.count == 1)
    clock.advance(by: .seconds(1))
    #expect(await watcher.next(1) == ["1 stale"])
    gate.open()
    #expect(await watcher.next(1) == ["2"])
    #expect(queries.count == 2)
    subscription.cancel()
  }

  // MARK: - Retry-After

  @Test("A lost subscription waits for the server's Retry-After before it resumes (H6)")
  func retryAfter() async throws {
    let later: HTTPHeaders = ["retry-after": "40"]
    let answers = Script([
      .success(Self.events(Self.next)), .success(HTTPResponse(status: 503, headers: later)),
      .success(Self.events(Self.next + Self.end)),
    ])
    let transport = ScriptedTransport { _ in try answers.next() }
    let client = try client(transport)
    let results = Task { await collect(client.subscribe(counter)) }
    await connectAgain(transport, after: [250, 40_500])
    #expect(await results.value == ["1", "1"])
  }

  @Test("A lost subscription ends if the server's Retry-After is too long (H6)")
  func retryAfterTooLong() async throws {
    let later: HTTPHeaders = ["retry-after": "40"]
    let answers = Script([
      .success(Self.events(Self.next)), .success(HTTPResponse(status: 429, headers: later)),
      .success(Self.events(Self.next + Self.end)),
    ])
    let transport = ScriptedTransport { _ in try answers.next() }
    let client = try client(transport) {
      $0.reconnection?.initialDelay = .zero
      $0.reconnection?.maximumRetryAfter = .seconds(39)
    }
    #expect(await collect(client.subscribe(counter)) == ["1", "httpStatus"])
    #expect(transport.requests.count == 2)
  }

  @Test("A lost subscription ends if the event stream's retry time is too long (H6)")
  func retryTooLong() async throws {
    let answers = Script([
      .success(Self.events("retry: 9223372036854775807\n" + Self.next)),
      .success(Self.events(Self.next + Self.end)),
    ])
    let transport = ScriptedTransport { _ in try answers.next() }
    let client = try client(transport) { $0.reconnection?.initialDelay = .zero }
    #expect(await collect(client.subscribe(counter)) == ["1", "transport"])
    #expect(transport.requests.count == 1)
  }

  @Test("A connection that is silent for too long is lost; before an answer, that is an error (H6)")
  func silence() async throws {
    let silent = AsyncThrowingStream<[UInt8], any Error> { chunks in
      chunks.yield(Array(Self.next.utf8))
      chunks.finish(throwing: HTTPTransportError(.timedOut, ""))
    }
    let answers = Script([
      .success(
        HTTPResponse(
          status: 200, headers: ["content-type": "text/event-stream"], body: HTTPBody(silent))),
      .success(Self.events(Self.next + Self.end)),
    ])
    let transport = ScriptedTransport { _ in try answers.next() }
    let client = try client(transport) { $0.reconnection?.initialDelay = .zero }
    #expect(await collect(client.subscribe(counter)) == ["1", "1"])
    #expect(transport.requests.count == 2)
    let mute = ScriptedTransport { _ in throw HTTPTransportError(.timedOut, "") }
    #expect(await collect(try self.client(mute).subscribe(counter)) == ["transport"])
    #expect(mute.requests.count == 1)
  }

  // MARK: - The end

  @Test(
    "Status 204 ends a lost subscription, but is an error for one that never ran (H6)",
    arguments: [[:], ["content-type": "text/event-stream"]] as [HTTPHeaders])
  func noContent(headers: HTTPHeaders) async throws {
    let answers = Script([
      .success(Self.events(Self.next)), .success(HTTPResponse(status: 204, headers: headers)),
    ])
    let transport = ScriptedTransport { _ in try answers.next() }
    let client = try client(transport) { $0.reconnection?.initialDelay = .zero }
    #expect(await collect(client.subscribe(counter)) == ["1"])
    #expect(transport.requests.count == 2)
    let empty = ScriptedTransport("", status: 204, headers: headers)
    #expect(await collect(try self.client(empty).subscribe(counter)) == ["malformedResponse"])
  }

  @Test("A subscription that cannot resume ends with the error (H6)")
  func givesUp() async throws {
    let answers = Script([.success(Self.events(Self.next))])
    let transport = ScriptedTransport { _ in try answers.next() }
    let client = try client(transport) { $0.reconnection?.maximumAttempts = 2 }
    let results = Task { await collect(client.subscribe(counter)) }
    for attempt in 1...2 {
      await clock.sleepers(1)
      clock.advance(by: .seconds(60))
      await transport.received(attempt + 1)
    }
    #expect(await results.value == ["1", "transport"])
    #expect(transport.requests.count == 3)
  }

  @Test("Without reconnection a loss is the last result, and an invalid event always is (H6)")
  func noReconnection() async throws {
    let lost = ScriptedTransport { _ in Self.events(Self.next) }
    #expect(
      await collect(try client(lost) { $0.reconnection = nil }.subscribe(counter))
        == ["1", "transport"])
    let bad = ScriptedTransport { _ in Self.events(Self.next + "event: next\ndata: 7\n\n") }
    #expect(await collect(try client(bad).subscribe(counter)) == ["1", "malformedResponse"])
    #expect(bad.requests.count == 1)
  }

  @Test("Leaving a subscription that waits to reconnect ends it (H9)")
  func leave() async throws {
    let transport = ScriptedTransport { _ in Self.events(Self.next) }
    let client = try client(transport)
    let results = Task { await collect(client.subscribe(counter)) }
    await clock.sleepers(1)
    results.cancel()
    #expect(await results.value.prefix(1) == ["1"])
    #expect(transport.requests.count == 1)
  }
}
