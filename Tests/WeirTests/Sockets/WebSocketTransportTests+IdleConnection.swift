import Testing
import Weir
import WeirTesting

extension WebSocketTransportTests {
  // MARK: - Keeping a connection alive

  /// A subscription over a connection that sends a ping every 30 seconds.
  private func keptAlive(
    acknowledgementTimeout: Duration
  ) async throws -> (Consumer, ScriptedSocket) {
    let server = ScriptedServer()
    let client = client(server) {
      $0.keepAlive = .seconds(30)
      $0.acknowledgementTimeout = acknowledgementTimeout
    }
    let consumer = Consumer(client.subscribe(counter))
    let socket = try await server.acknowledged()
    #expect(await socket.words(2) == ["connection_init", "subscribe 1"])
    return (consumer, socket)
  }

  @Test("A server that answers pings stays connected; a silent one is lost (H6)")
  func keepAlive() async throws {
    let (consumer, socket) = try await keptAlive(acknowledgementTimeout: .seconds(1000))
    await clock.sleepers(2)
    clock.advance(by: .seconds(30))
    #expect(await socket.words(3).last == "ping")
    socket.say(#"{"type":"pong"}"#)
    socket.next("1", 1)
    #expect(try await consumer.next() == "1")
    await clock.sleepers(2)
    clock.advance(by: .seconds(30))
    #expect(await socket.words(4).last == "ping")
    await clock.sleepers(2)
    clock.advance(by: .seconds(30))
    #expect(try await consumer.next(2) == ["transport timedOut", "end"])
    #expect(await socket.closed().map(\.code) == [4499])
    await socket.released()
  }

  @Test("A ping that waits behind a large message does not end the connection (H6)")
  func waitingPing() async throws {
    let (consumer, socket) = try await keptAlive(acknowledgementTimeout: .seconds(10))
    await clock.sleepers(2)
    socket.gate.close()
    // Many intervals, which the task that sends the pings may notice.
    for _ in 0..<500 {
      clock.advance(by: .seconds(30))
      await Task.yield()
    }
    socket.next("1", 1)
    try #require(try await consumer.next() == "1")
    socket.gate.open()
    #expect(await socket.words(3).last == "ping")
    // From then on, the server has the interval to answer.
    await clock.sleepers(1)
    socket.say(#"{"type":"pong"}"#)
    socket.next("1", 2)
    #expect(try await consumer.next() == "2")
    clock.advance(by: .seconds(30))
    #expect(await socket.words(4).last == "ping")
    await clock.sleepers(1)
    clock.advance(by: .seconds(30))
    #expect(try await consumer.next(2) == ["transport timedOut", "end"])
  }

  @Test("Parts of a message keep the connection alive if the socket reports them (H6)")
  func partsOfMessage() async throws {
    let (consumer, socket) = try await keptAlive(acknowledgementTimeout: .seconds(1000))
    for count in 3..<10 {
      await clock.sleepers(2)
      socket.sayPart(1)
      clock.advance(by: .seconds(30))
      #expect(await socket.words(count).last == "ping")
    }
    await clock.sleepers(2)
    clock.advance(by: .seconds(30))
    #expect(try await consumer.next(2) == ["transport timedOut", "end"])
    #expect(await socket.closed().map(\.code) == [4499])
  }

  @Test("Without a positive interval, nothing is sent to keep a connection alive (H6)")
  func noKeepAlive() async throws {
    for interval in [Duration.zero, .seconds(-1)] {
      let server = ScriptedServer()
      let client = client(server) { $0.keepAlive = interval }
      let consumer = Consumer(client.subscribe(counter))
      let socket = try await server.acknowledged()
      #expect(await socket.words(2) == ["connection_init", "subscribe 1"])
      for number in 1...100 {
        socket.next("1", number)
        #expect(try await consumer.next() == "\(number)")
      }
      #expect(await socket.words(2).count == 2)
    }
  }

  @Test("The server's pings are answered, and many waiting pings get at least one pong (H6)")
  func serverPings() async throws {
    let server = ScriptedServer()
    let client = client(server)
    let consumer = Consumer(client.subscribe(counter))
    let socket = try await server.connection(1)
    _ = await socket.sent(1)
    socket.say(#"{"type":"ping"}"#)
    #expect(await socket.words(2) == ["connection_init", "pong"])
    socket.gate.close()
    socket.say(#"{"type":"connection_ack"}"#)
    for _ in 0..<1000 { socket.say(#"{"type":"ping","payload":{}}"#) }
    socket.next("1", 1)
    #expect(try await consumer.next() == "1")
    socket.gate.open()
    let words = await socket.words(4)
    #expect(words[2] == "subscribe 1")
    #expect((4...6).contains(words.count))
    #expect(words.dropFirst(3).allSatisfy { $0 == "pong" })
  }

  // MARK: - Closing a connection that is not needed

  @Test("An idle connection is closed after a delay, and opened again on demand (H6)")
  func idle() async throws {
    let server = ScriptedServer()
    let client = client(server) {
      $0.keepAlive = nil
      $0.acknowledgementTimeout = .seconds(1000)
    }
    var consumer: Consumer? = Consumer(client.subscribe(counter))
    let socket = try await server.acknowledged()
    #expect(await socket.words(2).last == "subscribe 1")
    consumer = nil
    #expect(await socket.words(3).last == "complete 1")
    await clock.sleepers(2)
    clock.advance(by: .seconds(4))
    // The connection is used again in time, so its idle timer restarts.
    consumer = Consumer(client.subscribe(counter))
    #expect(await socket.words(4).last == "subscribe 2")
    socket.complete("2")
    #expect(try await consumer?.next() == "end")
    clock.advance(by: .seconds(1))
    await clock.sleepers(2)
    clock.advance(by: .seconds(4))
    consumer = Consumer(client.subscribe(counter))
    #expect(await socket.words(5).last == "subscribe 3")
    consumer = nil
    #expect(await socket.words(6).last == "complete 3")
    clock.advance(by: .seconds(1))
    await clock.sleepers(2)
    clock.advance(by: .seconds(5))
    #expect(await socket.closed() == [SocketClosure(code: 1000)])
    await socket.released()

    consumer = Consumer(client.subscribe(counter))
    let next = try await server.acknowledged(2)
    #expect(await next.words(2) == ["connection_init", "subscribe 4"])
    // A late message on the old connection does not affect the new one.
    socket.say("nope")
    next.next("4", 1)
    #expect(try await consumer?.next() == "1")
  }

  private enum Trace {
    @TaskLocal static var name: String?
  }

  @Test("A connection does not keep the task-local values of its first operation (H6)")
  func taskLocalValues() async throws {
    let names = Locked<[String?]>([])
    let server = ScriptedServer(answer: ScriptedServer.acknowledging)
    let client = client(server) {
      $0.connectionParameters = { _ in
        names.withLock { $0.append(Trace.name) }
        return [:]
      }
    }
    let consumer = Trace.$name.withValue("first") { Consumer(client.subscribe(counter)) }
    let socket = try await server.connection(1)
    _ = await socket.sent(2)
    socket.complete("1")
    #expect(try await consumer.next() == "end")
    #expect(names.withLock { $0 } == [nil])
  }

  @Test("Releasing the client closes an idle connection and cancels a pending one (H6)")
  func release() async throws {
    let server = ScriptedServer(answer: ScriptedServer.acknowledging)
    var client: GraphQLClient? = client(server)
    var consumer = client.map { Consumer($0.subscribe(counter)) }
    let socket = try await server.connection(1)
    _ = await socket.sent(2)
    socket.complete("1")
    #expect(try await consumer?.next() == "end")
    consumer = nil
    client = nil
    #expect(await socket.closed() == [SocketClosure(code: 1000)])
    await socket.released()

    let isCancelled = Gate()
    let gate = Gate()
    let slow = ScriptedServer(accept: { _ in
      await gate.pass()
      if Task.isCancelled { isCancelled.open() }
      try Task.checkCancellation()
    })
    client = self.client(slow)
    consumer = client.map { Consumer($0.subscribe(counter)) }
    await slow.wasTried(1)
    client = nil
    consumer = nil
    await isCancelled.pass()
  }
}
