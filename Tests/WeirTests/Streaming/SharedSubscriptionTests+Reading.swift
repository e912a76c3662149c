import TestSupport
import Testing
import Weir
import WeirTesting

extension SharedSubscriptionTests {
  // MARK: - Slow loops

  @Test("A loop that does not read ends at the limit, and the others go on (D7)")
  func stalled() async throws {
    let client = client(SharedSubscriptionsExchange(maximumUnreadBytes: 20_000))
    let quick = await joined(client)[0]
    let gate = Gate(isOpen: true)
    let slow = await Consumer.joining(client, counter, gate: gate)
    gate.close()
    try #require(server.count == 1)
    for number in 0..<1000 {
      server.send(number)
      #expect(try await quick.next() == String(number))
    }
    gate.open()
    var read = 0
    var last = try await slow.next()
    while read < 999, last == String(read) {
      read += 1
      last = try await slow.next()
    }
    try #require(last == "transport tooLarge")
    #expect(try await slow.next() == "end")
    // About 280 bytes each, plus those that had already left for the loop.
    #expect((70...110).contains(read))
    server.send(1000)
    #expect(try await quick.next() == "1000")
  }

  /// A transport that has an event each time that it is asked.
  private struct Flood: SubscriptionTransport {
    let sent = Counter()

    func subscribe(to operation: GraphQLOperation) async throws -> SubscriptionEvents {
      SubscriptionEvents { [sent] in
        try Task.checkCancellation()
        return try EventServer.event(sent.next()).get()
      }
    }
  }

  @Test("The server is held back while no loop reads, and nothing is lost (D7)", arguments: [1, 3])
  func heldBack(count: Int) async throws {
    let flood = Flood()
    let client = GraphQLClient([.sharedSubscriptions, .subscription(flood)])
    var loops = (0..<count).map { _ in client.subscribe(counter).makeAsyncIterator() }
    var last = [Int?](repeating: nil, count: count)
    for _ in 0..<200 {
      for index in loops.indices {
        let result = try #require(await loops[index].next())
        let number = try #require(Int(Consumer.summary(result)))
        // The first loop starts the subscription; the others join it.
        if let last = last[index] { #expect(number == last + 1) }
        last[index] = number
      }
      // Some events wait in each loop, in the exchange.
      #expect(flood.sent.count <= last.reduce(0) { max($0, $1 ?? 0) } + 60)
    }
  }

  @Test("With room for no bytes, events arrive one by one (D7)")
  func noRoom() async throws {
    let client = GraphQLClient([
      SharedSubscriptionsExchange(maximumUnreadBytes: 0), .subscription(Flood()),
    ])
    var loop = client.subscribe(counter).makeAsyncIterator()
    for _ in 0..<3 { #expect(await loop.next()?.data != nil) }
  }

  // MARK: - Races

  @Test("While loops join and leave, those that stay receive each event once (D7)")
  func joiningAndLeaving() async throws {
    let client = client()
    let staying = await joined(client, 3)
    try #require(server.count == 1)
    let isOver = Locked(false)
    let visitors = Task { [counter] in
      await withTaskGroup { group in
        for visitor in 0..<Stress.rounds(debug: 300, release: 2_000) {
          group.addTask {
            if visitor.isMultiple(of: 3) {
              let loop = Consumer(client.subscribe(counter))
              await Task.yield()
              loop.cancel()
              while let word = try? await loop.next(), word != "end" {}
              return
            }
            var last: Int64?
            var left = visitor % 5 + 1
            for await event in client.subscribe(counter) {
              let number = event.data?["counter"]?.int
              if let last { #expect(number == last + 1) }
              (last, left) = (number, left - 1)
              if left == 0 { break }
            }
          }
        }
      }
      isOver.withLock { $0 = true }
    }
    var number = 0
    while !isOver.withLock({ $0 }), !Task.isCancelled {
      number += 1
      server.send(number)
      for loop in staying { #expect(try await loop.next() == String(number)) }
    }
    await visitors.value
    #expect(server.count == 1)
    for loop in staying { loop.cancel() }
    await server.hasEnded(1)
  }

  @Test("Loops that join while subscriptions end all end, and none hangs (D7)")
  func ending() async throws {
    let server = EventServer(beginning: [EventServer.event(1), .success(nil)])
    let client = GraphQLClient([.sharedSubscriptions, .subscription(server)])
    await withTaskGroup { group in
      for _ in 0..<Stress.rounds(debug: 500, release: 5_000) {
        group.addTask { [counter] in
          var words: [String] = []
          for await event in client.subscribe(counter) { words.append(Consumer.summary(event)) }
          #expect(words == ["1"] || words.isEmpty)
        }
      }
    }
    await server.hasEnded(server.count)
    // The one that has started a subscription receives its events.
    let last = Consumer(client.subscribe(counter))
    #expect(try await last.next(2) == ["1", "end"])
  }

  @Test("Between a failure and the end, a loop starts another (D7)")
  func failed() async {
    let gate = Gate()
    let server = ScriptedExchange(streaming: { _ in
      ResultStream { yield in
        yield(.failure("no"))
        await gate.pass()
      }
    })
    let client = GraphQLClient([.sharedSubscriptions, server])
    var first = client.subscribe(counter).makeAsyncIterator()
    #expect(await first.next()?.summary == "error")
    async let second = client.subscribe(counter).all()
    await server.received(2)
    gate.open()
    #expect(await second == ["error"])
    #expect(await first.next() == nil)
  }

  @Test("All that join a subscription that fails learn the reason (D7)")
  func failing() async {
    let server = EventServer(beginning: [.failure(SocketClosure(code: 4400))])
    let client = GraphQLClient([
      .sharedSubscriptions, .subscription(server, reconnection: nil),
    ])
    await withTaskGroup { group in
      for _ in 0..<Stress.rounds(debug: 500, release: 5_000) {
        group.addTask { [counter] in
          var words: [String] = []
          for await event in client.subscribe(counter) { words.append(Consumer.summary(event)) }
          #expect(words == ["transport 4400"])
        }
      }
    }
    #expect(server.count >= 1)
  }
}
