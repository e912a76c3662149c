import Foundation
import Testing
import WeirTesting

@testable import Weir

/// Many operations on one connection.
extension WebSocketTransportTests {
  @Test("H6 A thousand subscriptions at once share one connection; each gets its own events")
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
    // Nothing is said to a server that has said it itself.
    #expect(await socket.sent(1002).count == 1002)
  }

  @Test("H6 Who leaves says complete once; who leaves before it was sent says nothing")
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

  /// The operations that run on the server.
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

  /// An event for whoever subscribes, with its id.
  static let oneEvent: ScriptedServer.Answer = { text in
    let words = ScriptedSocket.words(text).split(separator: " ")
    guard words.first == "subscribe" else { return [] }
    return [#"{"id":"\#(words[1])","type":"next","payload":{"data":{"counter":\#(words[1])}}}"#]
  }

  @Test("H6 However leaving and acknowledgement meet, complete never comes before subscribe")
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
      // Only the last one stays open, as soon as everything has been said.
      var words = await socket.words(2)
      while try open(after: words).count != 1 { words = await socket.words(words.count + 1) }
      withExtendedLifetime(last) {}
    }
  }

  @Test("H6 No event is lost that comes as soon as the operation is sent")
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

  @Test("H6 A message that only says that nothing more comes is no event")
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

  @Test("C10 Another session connects anew; what was open before ends on its own connection")
  func sessions() async throws {
    let calls = Counter()
    let server = ScriptedServer(answer: ScriptedServer.acknowledging)
    let client = client(server) {
      $0.keepAlive = nil
      $0.connectionParameters = { ["user": .int(Int64(calls.next()))] }
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

    // The mutation goes on; its answer is the end of that connection, however long others stay.
    #expect(await first.words(4).last == "complete 1")
    first.next("2", 1)
    #expect(await first.closed() == [SocketClosure(code: 1000)])
  }

  @Test("C10 A connection that is idle when another session begins is closed at once")
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

  @Test("C10 Two clients of different sessions have a connection each, however they take turns")
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

  @Test("H6 Queries and mutations have one result; a mutation that was lost is not sent again")
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

  @Test("H7 An operation with files is forwarded: over a socket they would be lost")
  func files() async throws {
    let server = ScriptedServer()
    let elsewhere = OperationResult(data: try JSON(parsing: #"{"sent":"elsewhere"}"#))
    let client = GraphQLClient([
      .subscription(
        WebSocketTransport { try await server.connect() }, kinds: [.query, .mutation]),
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

  @Test("H6 Errors: of validation they end the operation, beside data they do not")
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
    // Whose payload made no sense is left, not waited for.
    #expect(await socket.words(5).last?.hasPrefix("complete") == true)
  }

  // MARK: - Lost connections

  @Test("H6 Only what is live is taken up again, later and later, by one attempt for all")
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
    // One is complete, one leaves, one hears of it while the connection is away.
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

  @Test("H6 Who cannot be taken up again gets the error; nothing is kept of it")
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

  @Test("H6 Many subscriptions that come back refresh what is watched, but not once for each")
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
    // A response that is overtaken by the next one that comes back is shown as stale first.
    var shown = await watcher.next(1)
    while shown[0].hasSuffix("stale") { shown = await watcher.next(1) }
    #expect(shown[0].hasPrefix("title "))
    #expect(posts.operations.count < 25)
    withExtendedLifetime(watcher) {}
  }

  // MARK: - Slow consumers

  @Test("H6 A consumer that does not read ends at the bound; what waits is read, others go on")
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
    // The server is told to stop, while its consumer still does not read.
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
    // About 280 bytes each, and those that were on their way to the consumer.
    #expect((75...95).contains(read))
    #expect(backoff.sleeperCount == 0, "it is not subscribed anew")
    socket.next("2", 7)
    #expect(try await quick.next() == "7")
  }

  @Test("H6 A subscription is read as it is asked for, and a few events ahead")
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
    // So does each exchange that has a task of its own.
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

  @Test("H6 What was read is let go of, also if the reader is always a little behind")
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

  @Test("H6 One payload may be larger than the bound, if nothing else waits")
  func large() async throws {
    let queue = PayloadQueue(limit: 100)
    let payload = try JSON(parsing: "\"\(String(repeating: "x", count: 1000))\"")
    #expect(queue.append(payload))
    #expect(!queue.append(payload))
    #expect(queue.append(payload), "nothing is asked for any more")
    #expect(try await queue.next() == payload)
    await #expect(throws: OperationError.self) { try await queue.next() }
  }
}

/// Lets queries pass: the exchange under test takes all kinds.
private struct SubscriptionsOnly: Exchange {
  let base: SubscriptionExchange

  func execute(_ operation: GraphQLOperation, forward: Forward) -> ResultStream {
    operation.kind == .subscription
      ? base.execute(operation, forward: forward) : forward(operation)
  }
}
