import TestSupport
import Testing
import Weir

extension WebSocketTransportTests {
  // MARK: - Many operations on one connection

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
      while try open(after: words).count != 1 {
        let more = await socket.words(words.count + 1)
        try #require(more.count > words.count, "A complete is missing")
        words = more
      }
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

  // MARK: - Results and errors

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
    socket.say(#"{"id":"2","type":"next","payload":{"data":null,"extensions":{}}}"#)
    socket.next("2", 5)
    var seen: [[String]] = []
    for consumer in consumers { seen.append(try await consumer.next(2)) }
    for (index, found) in seen.enumerated() where found == ["graphQL", "graphQL"] {
      #expect(try await consumers[index].next() == "5")
    }
    #expect(
      seen.sorted { $0.joined() < $1.joined() } == [
        ["graphQL", "end"], ["graphQL", "graphQL"], ["malformedResponse", "end"],
      ])
    // The client leaves the operation whose payload was invalid.
    #expect(await socket.words(5).last?.hasPrefix("complete") == true)
  }

  @Test("A text that is cut within an emoji ends no operation of the connection (H6)")
  func halfEmoji() async throws {
    let server = ScriptedServer(answer: ScriptedServer.acknowledging)
    let client = client(server)
    let consumers = (1...2).map { _ in Consumer(client.subscribe(counter)) }
    let socket = try await server.connection(1)
    _ = await socket.sent(3)
    socket.say(#"{"id":"1","type":"next","payload":{"data":{"counter":"a\ud83d"}}}"#)
    for number in 1...2 { socket.next(String(number), number) }
    #expect(try await consumers[0].next(2).sorted() == ["1", "data"])
    #expect(try await consumers[1].next() == "2")
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

  private final class Held: Sendable {
    private let isReleased: Locked<Bool>
    init(_ isReleased: Locked<Bool>) { self.isReleased = isReleased }
    deinit { isReleased.withLock { $0 = true } }
  }

  private enum HeldKey: OperationContextKey { static let defaultValue: Held? = nil }

  @Test("An open connection does not keep the context of the operation that opened it (H6)")
  func releasedContext() async throws {
    let server = ScriptedServer()
    let client = client(server)
    let isReleased = Locked(false)
    let first = Consumer(client.subscribe(counter.with { $0[HeldKey.self] = Held(isReleased) }))
    let socket = try await server.acknowledged()
    _ = await socket.sent(2)
    let second = Consumer(client.subscribe(counter))
    _ = await socket.sent(3)
    socket.complete("1")
    #expect(try await first.next() == "end")
    await eventually { isReleased.withLock { $0 } }
    socket.next("2", 7)
    #expect(try await second.next() == "7")
  }
}
