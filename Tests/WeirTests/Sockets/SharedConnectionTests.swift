import Foundation
import Testing
import WeirTesting

@testable import Weir

/// Many operations on one connection.
extension WebSocketTransportTests {
  @Test("A thousand subscriptions share one connection, and each gets its own events (H6)")
  func thousand() async throws {
    let server = ScriptedServer(answer: ScriptedServer.acknowledging)
    let client = client(server)
    let consumers = (0..<1000).map { _ in Consumer(client.subscribe(counter)) }
    let socket = try await server.connection(1)
    let words = await socket.words(1001)
    #expect(Set(words.dropFirst()).count == 1000)
    #expect(words[0] == "connection_init")
    for id in 1...1000 { socket.next(String(id), id) }
    var seen: Set<String> = []
    for consumer in consumers { seen.insert(try await consumer.next()) }
    #expect(seen == Set((1...1000).map(String.init)))
    #expect(server.attemptCount == 1)

    consumers[7].cancel()
    #expect(try await consumers[7].next() == "end")
    let farewell = await socket.words(1002)
    #expect(farewell.last?.hasPrefix("complete ") == true)
    for id in 1...1000 { socket.next(String(id), 0) }
    for consumer in consumers where consumer !== consumers[7] {
      #expect(try await consumer.next() == "0")
    }
    for id in 1...1000 { socket.complete(String(id)) }
    for consumer in consumers where consumer !== consumers[7] {
      #expect(try await consumer.next() == "end")
    }
    // The client does not answer a server's complete message.
    #expect(await socket.sent(1002).count == 1002)
  }

  @Test("Leaving sends one complete message, and none if the operation was never sent (H6)")
  func leaving() async throws {
    let server = ScriptedServer()
    let client = client(server)
    let first = Consumer(client.subscribe(counter))
    let socket = try await server.connection(1)
    _ = await socket.sent(1)
    first.cancel()
    #expect(try await first.next() == "end")
    let second = Consumer(client.subscribe(counter))
    socket.say(#"{"type":"connection_ack"}"#)
    #expect(await socket.words(2) == ["connection_init", "subscribe 2"])
    socket.next("2", 1)
    #expect(try await second.next() == "1")
    second.cancel()
    #expect(try await second.next() == "end")
    socket.next("2", 2)
    socket.complete("2")
    let third = Consumer(client.subscribe(counter))
    #expect(
      await socket.words(4) == ["connection_init", "subscribe 2", "complete 2", "subscribe 3"])
    socket.complete("3")
    #expect(try await third.next() == "end")
  }

  /// Returns the ids of the operations that run on the server.
  private func open(after words: [String]) throws -> Set<Substring> {
    var open: Set<Substring> = []
    for words in words.dropFirst() {
      let id = words.split(separator: " ")[1]
      if words.hasPrefix("subscribe") {
        open.insert(id)
      } else {
        try #require(open.remove(id) != nil, "\(words) before its operation was sent")
      }
    }
    return open
  }

  /// Answers each subscription with one event that carries its id.
  static let oneEvent: ScriptedServer.Answer = { text in
    let words = ScriptedSocket.words(text).split(separator: " ")
    guard words.first == "subscribe" else { return [] }
    return [#"{"id":"\#(words[1])","type":"next","payload":{"data":{"counter":\#(words[1])}}}"#]
  }

  @Test("When leaving races with the acknowledgement, complete never precedes subscribe (H6)")
  func leavingRace() async throws {
    for _ in 0..<30 {
      let server = ScriptedServer(answer: Self.oneEvent)
      let client = client(server)
      let consumers = (0..<40).map { _ in Consumer(client.subscribe(counter)) }
      let socket = try await server.connection(1)
      _ = await socket.sent(1)
      async let leaving: Void = withTaskGroup { group in
        for consumer in consumers { group.addTask { consumer.cancel() } }
      }
      socket.say(#"{"type":"connection_ack"}"#)
      await leaving
      for consumer in consumers { while try await consumer.next() != "end" {} }
      let last = Consumer(client.subscribe(counter))
      #expect(try await last.next() != "end")
      // Once everything has been sent, only the last operation is open.
      var words = await socket.words(2)
      while try open(after: words).count != 1 { words = await socket.words(words.count + 1) }
      withExtendedLifetime(last) {}
    }
  }

  @Test("An event that follows its subscription immediately is not lost (H6)")
  func earlyEvents() async throws {
    let server = ScriptedServer(answer: { text in
      ScriptedServer.acknowledging(text) + Self.oneEvent(text)
        + Self.oneEvent(text).compactMap { try? JSON(parsing: $0)["id"]?.string }.map {
          #"{"id":"\#($0)","type":"complete"}"#
        }
    })
    let client = client(server)
    let consumers = (0..<500).map { _ in Consumer(client.subscribe(counter)) }
    var seen: Set<String> = []
    for consumer in consumers {
      seen.insert(try await consumer.next())
      #expect(try await consumer.next() == "end")
    }
    #expect(seen == Set((1...500).map(String.init)))
  }

  @Test("A message that only says that nothing follows is not an event (H6)")
  func onlyHasNext() async throws {
    let server = ScriptedServer()
    let consumer = Consumer(client(server).subscribe(counter))
    let socket = try await server.acknowledged()
    _ = await socket.sent(2)
    socket.next("1", 1)
    socket.say(#"{"id":"1","type":"next","payload":{"hasNext":false}}"#)
    socket.complete("1")
    #expect(try await consumer.next(2) == ["1", "end"])
  }

  @Test("A new session connects again, and open operations end on the old connection (C10)")
  func sessions() async throws {
    let calls = Counter()
    let server = ScriptedServer(answer: ScriptedServer.acknowledging)
    let client = client(server) {
      $0.keepAlive = nil
      $0.connectionParameters = { _ in ["user": .int(Int64(calls.next()))] }
    }
    let before = Consumer(client.subscribe(counter))
    let first = try await server.connection(1)
    #expect(await first.sent(2)[0].contains(#"{"user":1}"#))
    async let mutation = client.mutate(GraphQLOperation("mutation { counter }"))
    #expect(await first.words(3).last == "subscribe 2")
    client.switchSession()
    #expect(try await before.next(2) == ["cancelled", "end"])
    #expect(await mutation.error?.code == .cancelled)

    let after = Consumer(client.subscribe(counter))
    let second = try await server.connection(2)
    let sent = await second.sent(2)
    #expect(sent[0].contains(#"{"user":2}"#))
    second.next("1", 7)
    #expect(try await after.next() == "7")

    // The mutation goes on, and its response ends the old connection, even while other clients
    // stay.
    #expect(await first.words(4).last == "complete 1")
    first.next("2", 1)
    #expect(await first.closed() == [SocketClosure(code: 1000)])
  }

  @Test("A session switch closes an idle connection immediately (C10)")
  func idleSession() async throws {
    let server = ScriptedServer(answer: ScriptedServer.acknowledging)
    let client = client(server)
    let before = Consumer(client.subscribe(counter))
    let first = try await server.connection(1)
    _ = await first.sent(2)
    first.complete("1")
    #expect(try await before.next() == "end")
    client.switchSession()
    let after = Consumer(client.subscribe(counter))
    let second = try await server.connection(2)
    #expect(await first.closed() == [SocketClosure(code: 1000)])
    #expect(await second.words(2) == ["connection_init", "subscribe 1"])
    second.complete("1")
    #expect(try await after.next() == "end")
  }

  @Test("Clients of two sessions keep a connection each, even when they alternate (C10)")
  func turns() async throws {
    let server = ScriptedServer(answer: ScriptedServer.acknowledging)
    let subscriptions = subscriptions(server)
    let (one, two) = (GraphQLClient([subscriptions]), GraphQLClient([subscriptions]))
    two.switchSession()
    var consumers: [Consumer] = []
    for _ in 0..<3 {
      for client in [one, two] { consumers.append(Consumer(client.subscribe(counter))) }
    }
    let (first, second) = try await (server.connection(1), server.connection(2))
    let words = ["connection_init", "subscribe 1", "subscribe 2", "subscribe 3"]
    #expect(await first.words(4) == words)
    #expect(await second.words(4) == words)
    for id in 1...3 {
      first.complete("\(id)")
      second.complete("\(id)")
    }
    for consumer in consumers { #expect(try await consumer.next() == "end") }
  }

  @Test("Queries and mutations have one result, and a lost mutation is not sent again (H6)")
  func queries() async throws {
    let server = ScriptedServer()
    let client = client(server, reconnects: true)
    let query = Consumer(client.results(of: GraphQLOperation("{ counter }")))
    let socket = try await server.acknowledged()
    _ = await socket.sent(2)
    socket.next("1", 7)
    #expect(try await query.next(2) == ["7", "end"])
    socket.complete("1")
    let invalid = Consumer(client.results(of: GraphQLOperation("{ nope }")))
    _ = await socket.sent(3)
    socket.say(#"{"id":"2","type":"error","payload":[{"message":"m"}]}"#)
    #expect(try await invalid.next(2) == ["graphQL", "end"])
    async let mutation = client.mutate(GraphQLOperation("mutation { counter }"))
    #expect(
      await socket.words(4) == ["connection_init", "subscribe 1", "subscribe 2", "subscribe 3"])
    socket.fail(SocketClosure(code: 1006))
    #expect(await Consumer.summary(mutation) == "transport 1006")
    let silent = Consumer(client.results(of: GraphQLOperation("{ counter }")))
    let second = try await server.acknowledged(2)
    #expect(await second.words(2) == ["connection_init", "subscribe 4"])
    second.complete("4")
    #expect(try await silent.next(2) == ["transport connectionLost", "end"])
    #expect(server.attemptCount == 2)
  }

  @Test("An operation with files is forwarded, because a socket cannot carry them (H7)")
  func files() async throws {
    let server = ScriptedServer()
    let elsewhere = OperationResult(data: try JSON(parsing: #"{"sent":"elsewhere"}"#))
    let client = GraphQLClient([
      .subscription(
        WebSocketTransport { _ in try await server.connect() }, kinds: [.query, .mutation]),
      InlineExchange { _, _ in .just(elsewhere) },
    ])
    for document: GraphQLDocument in [
      "query ($f: F) { a(f: $f) }", "mutation ($f: F) { a(f: $f) }",
    ] {
      let file = Upload(bytes: [1], filename: "x")
      let operation = GraphQLOperation(document, variables: ["f": nil], uploads: ["f": file])
      #expect(await client.query(operation).data?["sent"]?.string == "elsewhere")
    }
    #expect(server.attemptCount == 0)
  }

  @Test("A validation error ends its operation, and an error beside data does not (H6)")
  func errors() async throws {
    let server = ScriptedServer()
    let client = client(server, reconnects: true)
    let consumers = (1...3).map { _ in Consumer(client.subscribe(counter)) }
    let socket = try await server.acknowledged()
    _ = await socket.sent(4)
    let errors = #"[{"message":"m"}]"#
    socket.say(#"{"id":"1","type":"error","payload":\#(errors)}"#)
    socket.say(#"{"id":"2","type":"next","payload":{"data":null,"errors":\#(errors)}}"#)
    socket.say(#"{"id":"3","type":"next","payload":{"neither":1}}"#)
    socket.next("2", 5)
    var seen: [[String]] = []
    for consumer in consumers { seen.append(try await consumer.next(2)) }
    #expect(
      seen.sorted { $0.joined() < $1.joined() } == [
        ["graphQL", "5"], ["graphQL", "end"], ["malformedResponse", "end"],
      ])
    // The client leaves the operation whose payload was invalid.
    #expect(await socket.words(5).last?.hasPrefix("complete") == true)
  }

  // MARK: - Lost connections

  @Test("Only live operations resume, with growing delays and one attempt for all (H6)")
  func reconnection() async throws {
    let server = ScriptedServer(accept: { number in
      if (2...3).contains(number) { throw HTTPTransportError(.cannotConnect, "") }
    })
    let client = client(server, reconnects: true)
    let operations = (0..<100).map {
      GraphQLOperation(GraphQLDocument("subscription { counter(to: \($0)) }"))
    }
    let consumers = operations.map { Consumer(client.subscribe($0)) }
    let socket = try await server.acknowledged()
    let sent = await socket.sent(101).dropFirst().map { try? JSON(parsing: $0) }
    // One operation is complete, one is cancelled now, and one is cancelled during the outage.
    var ids: [Int: String] = [:]
    for (index, operation) in operations.enumerated() {
      ids[index] =
        sent.first {
          $0?["payload"]?["query"]?.string == operation.text
        }??["id"]?.string
    }
    socket.complete(try #require(ids[0]))
    #expect(try await consumers[0].next() == "end")
    consumers[1].cancel()
    #expect(try await consumers[1].next() == "end")
    socket.fail(SocketClosure(code: 1012, reason: "Service restart"))
    // Half of 0.5, 1 and 2 seconds.
    for (attempt, delay) in [(1, 250), (2, 500), (3, 1000)] {
      await backoff.sleepers(attempt == 1 ? 98 : 97)
      if attempt == 1 {
        consumers[2].cancel()
        #expect(try await consumers[2].next() == "end")
      }
      #expect(server.attemptCount == attempt)
      backoff.advance(by: .milliseconds(delay - 1))
      #expect(server.attemptCount == attempt)
      backoff.advance(by: .milliseconds(1))
      await server.wasTried(attempt + 1)
    }
    let second = try await server.acknowledged(2)
    let again = await second.sent(98).dropFirst().compactMap { try? JSON(parsing: $0) }
    #expect(
      Set(again.compactMap { $0["payload"]?["query"]?.string })
        == Set(operations.dropFirst(3).map(\.text)))
    for message in again { second.next(try #require(message["id"]?.string), 1) }
    for consumer in consumers.dropFirst(3) { #expect(try await consumer.next() == "1") }
    #expect(server.attemptCount == 4)
  }

  @Test("A subscription that cannot resume ends with the error, and nothing of it is kept (H6)")
  func givingUp() async throws {
    let server = ScriptedServer(accept: { number in
      if number > 1 { throw HTTPTransportError(.offline, "") }
    })
    let client = client(server, reconnects: true)
    let consumer = Consumer(client.subscribe(counter))
    let socket = try await server.acknowledged()
    socket.next("1", 1)
    #expect(try await consumer.next() == "1")
    socket.fail(SocketClosure(code: 1006))
    for attempt in 1...8 {
      await backoff.sleepers(1)
      backoff.advance(by: .seconds(60))
      await server.wasTried(attempt + 1)
    }
    #expect(try await consumer.next(2) == ["transport offline", "end"])
    #expect(server.attemptCount == 9)
    await socket.released()
  }

  @Test("Resuming many subscriptions refreshes watches, but not once for each of them (H6)")
  func refresh() async throws {
    let server = ScriptedServer(answer: ScriptedServer.acknowledging)
    let posts = postServer()
    let client = GraphQLClient([
      .dedup, .documentCache, SubscriptionsOnly(base: subscriptions(server, reconnects: true)),
      posts,
    ])
    let watcher = Watcher(client.watch(postQuery()))
    #expect(await watcher.next(1) == ["title 1"])
    let consumers = (0..<50).map { _ in Consumer(client.subscribe(counter)) }
    let socket = try await server.connection(1)
    _ = await socket.sent(51)
    for id in 1...50 { socket.next(String(id), id) }
    for consumer in consumers { _ = try await consumer.next() }
    #expect(posts.operations.count == 1)
    socket.fail(SocketClosure(code: 1006))
    await backoff.sleepers(50)
    backoff.advance(by: .seconds(1))
    let second = try await server.connection(2)
    _ = await second.sent(51)
    for id in 51...100 { second.next(String(id), id) }
    for consumer in consumers { _ = try await consumer.next() }
    #expect(await watcher.next(1) == ["title 1 stale"])
    // A response that is superseded by a later resumption is shown as stale first.
    var shown = await watcher.next(1)
    while shown[0].hasSuffix("stale") { shown = await watcher.next(1) }
    #expect(shown[0].hasPrefix("title "))
    #expect(posts.operations.count < 25)
    withExtendedLifetime(watcher) {}
  }

  // MARK: - Slow consumers

  @Test("A consumer that does not read ends at the limit, and others go on (H6)")
  func stalled() async throws {
    let server = ScriptedServer()
    let client = client(server, reconnects: true) {
      $0.keepAlive = nil
      $0.maximumUnreadBytes = 20_000
    }
    let gate = Gate(isOpen: true)
    let slow = Consumer(client.subscribe(counter), gate: gate)
    let socket = try await server.acknowledged()
    _ = await socket.sent(2)
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

/// Forwards queries, because the exchange under test accepts all kinds.
private struct SubscriptionsOnly: Exchange {
  let base: SubscriptionExchange

  func execute(_ operation: GraphQLOperation, forward: Forward) -> ResultStream {
    operation.kind == .subscription
      ? base.execute(operation, forward: forward) : forward(operation)
  }
}
