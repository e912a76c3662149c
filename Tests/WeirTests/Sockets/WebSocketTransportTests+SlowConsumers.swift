import Testing
import WeirTesting

@testable import Weir

extension WebSocketTransportTests {
  // MARK: - Slow consumers

  /// A consumer that stops reading when the gate is closed, and its connection.
  private func subscribed(
    _ gate: Gate
  ) async throws -> (client: GraphQLClient, slow: Consumer, socket: ScriptedSocket) {
    let server = ScriptedServer()
    let client = client(server, reconnects: true) {
      $0.keepAlive = nil
      $0.maximumUnreadBytes = 20_000
    }
    let slow = Consumer(client.subscribe(counter), gate: gate)
    let socket = try await server.acknowledged()
    _ = await socket.sent(2)
    return (client, slow, socket)
  }

  @Test("A consumer that does not read ends at the limit, and others go on (H6)")
  func stalled() async throws {
    let gate = Gate(isOpen: true)
    let (client, slow, socket) = try await subscribed(gate)
    let quick = Consumer(client.subscribe(counter))
    _ = await socket.sent(3)
    gate.close()
    for number in 0..<1000 {
      socket.next("1", number)
      socket.next("2", number)
      #expect(try await quick.next() == String(number))
    }
    // The server is asked to stop although its consumer still does not read.
    #expect(await socket.words(4).last == "complete 1")
    gate.open()
    var read = 0
    var last = try await slow.next()
    while last == String(read) {
      read += 1
      last = try await slow.next()
    }
    #expect(last == "transport tooLarge")
    #expect(try await slow.next() == "end")
    // About 280 bytes each, plus those that had already left for the consumer.
    #expect((75...95).contains(read))
    #expect(backoff.sleeperCount == 0, "the operation did not resume")
    socket.next("2", 7)
    #expect(try await quick.next() == "7")
  }

  @Test("The limit counts whole messages, also members that mean nothing (H6)")
  func largeMessages() async throws {
    let gate = Gate(isOpen: true)
    let (client, slow, socket) = try await subscribed(gate)
    defer { withExtendedLifetime(client) {} }
    gate.close()
    let text = String(repeating: "x", count: 10_000)
    for number in 0..<100 {
      socket.say(
        #"{"id":"1","type":"next","payload":{"data":{"counter":\#(number)}},"x":"\#(text)"}"#)
    }
    #expect(await socket.words(3).last == "complete 1")
    gate.open()
    var read = 0
    while try await slow.next() == String(read) { read += 1 }
    // One or two wait, and a few had already left for the consumer.
    #expect(read < 30)
  }

  @Test("A subscription is read on demand, at most a few events ahead (H6)")
  func demand() async throws {
    let events = Counter()
    let source = ScriptedExchange(streaming: { _ in
      ResultStream(AsyncStream { .data(#"{"counter":\#(events.next())}"#) })
    })
    var iterator = GraphQLClient([source]).subscribe(counter).makeAsyncIterator()
    for number in 1...20 {
      #expect(await iterator.next()?.data?["counter"]?.int == Int64(number))
      #expect(events.count <= number + 18)
    }
    // Each exchange with a task of its own reads a few more ahead.
    let passing = InlineExchange { operation, forward in
      ResultStream { await $0.all(forward(operation)) }
    }
    var through = GraphQLClient([.context { _, _ in }, passing, source]).subscribe(counter)
      .makeAsyncIterator()
    let before = events.count
    for number in 1...20 {
      #expect(await through.next()?.data != nil)
      #expect(events.count - before <= number + 60)
    }
  }

  @Test("Events are released when they are read, even if the reader always lags a little (H6)")
  func memory() async throws {
    let queue = PayloadQueue(limit: 1 << 20)
    for number in 0..<3 { #expect(queue.append(try JSON(parsing: "[\(number)]"))) }
    weak var first: JSONDocument?
    for number in 3..<500 {
      let payload = try JSON(parsing: "[\(number)]")
      if number == 3 { first = payload.document }
      #expect(queue.append(payload))
      #expect(try await queue.next()?[0]?.int == Int64(number - 3))
    }
    #expect(first == nil)
    #expect(
      queue.append(try JSON(parsing: "[\"\(String(repeating: "x", count: 1 << 20))\"]")) == false)
    for number in 497..<500 { #expect(try await queue.next()?[0]?.int == Int64(number)) }
    await #expect(throws: OperationError.self) { try await queue.next() }
  }

  @Test("One payload may exceed the limit if nothing else is waiting (H6)")
  func large() async throws {
    let queue = PayloadQueue(limit: 100)
    let payload = try JSON(parsing: "\"\(String(repeating: "x", count: 1000))\"")
    #expect(queue.append(payload))
    #expect(!queue.append(payload))
    #expect(queue.append(payload), "payloads after the failure are ignored")
    #expect(try await queue.next() == payload)
    await #expect(throws: OperationError.self) { try await queue.next() }
  }
}
