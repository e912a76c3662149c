import Foundation
import TestSupport
import Testing
import Weir
import WeirTesting

/// A sequence of events under the test's control, which counts its iterators and their requests.
private final class Events: AsyncSequence, Sendable {
  typealias Element = Void
  typealias Failure = Never

  let iterations = Counter()
  let asked = Counter()
  let ended = Gate()
  private let base: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation

  init() {
    (base, continuation) = AsyncStream.makeStream(of: Void.self)
    continuation.onTermination = { [ended] _ in ended.open() }
  }

  func send() { continuation.yield() }

  func makeAsyncIterator() -> Iterator {
    _ = iterations.next()
    return Iterator(asked: asked, base: base.makeAsyncIterator())
  }

  struct Iterator: AsyncIteratorProtocol {
    let asked: Counter
    var base: AsyncStream<Void>.Iterator

    mutating func next(isolation: isolated (any Actor)?) async -> Void? {
      _ = asked.next()
      return await base.next(isolation: isolation)
    }
  }
}

/// A server whose responses carry the time at which they arrived.
private func timedServer(_ now: @escaping @Sendable () -> Date) -> ScriptedExchange {
  let fetches = Counter()
  return ScriptedExchange { _ in
    OperationResult(
      data: post("title \(fetches.next())").data,
      timing: ResultTiming(receivedAt: now(), duration: .zero))
  }
}

@Suite("Refresh and request policy upgrades", .timeLimit(.minutes(10)))
struct RefreshTests {
  @Test("Each event refetches every watched query once, except cacheOnly ones (A3)")
  func events() async {
    let events = Events()
    let server = postServer()
    let client = GraphQLClient([.refresh(on: events), .dedup, .documentCache, server])
    let first = Watcher(client.watch(postQuery()))
    let second = Watcher(client.watch(postQuery()))
    #expect(await first.next(1) == ["title 1"])
    #expect(await second.next(1) == ["title 1"])
    let offline = Watcher(client.watch(postQuery(policy: .cacheOnly)))
    #expect(await offline.next(1) == ["title 1"])
    events.send()
    #expect(await first.next(2) == ["title 1 stale", "title 2"])
    #expect(await second.next(2).last == "title 2")
    #expect(await offline.next(1) == ["title 2"])
    events.send()
    #expect(await first.next(2) == ["title 2 stale", "title 3"])
    #expect(server.operations.count == 3)
    #expect(server.operations.allSatisfy { $0.context.requestPolicy == .cacheFirst })
    #expect(events.iterations.count == 1)
  }

  @Test("Cached results carry the refresh signal and are still available synchronously (A3)")
  func hits() async {
    let events = Events()
    let client = GraphQLClient([.refresh(on: events), .dedup, .documentCache, postServer()])
    _ = await client.query(postQuery())
    #expect(client.peek(postQuery())?.title == "title 1")
    let watcher = Watcher(client.watch(postQuery()))
    #expect(await watcher.next(1) == ["title 1"])
    events.send()
    #expect(await watcher.next(2) == ["title 1 stale", "title 2"])
  }

  @Test("Listening starts with the first query, uses one task, and ends with the exchange (A3)")
  func lifetime() async {
    let events = Events()
    do {
      let client = GraphQLClient([.refresh(on: events), .dedup, .documentCache, postServer()])
      #expect(client.peek(postQuery()) == nil)
      #expect(events.iterations.count == 0)
      for id in 1...5 { _ = await client.query(postQuery("\(id)")) }
    }
    await events.ended.pass()
    #expect(events.iterations.count <= 1)
  }

  @Test("An event during a request refreshes its result (A3)")
  func duringRequest() async {
    let refresh = RefreshExchange(on: Events())
    let gate = Gate()
    let server = postServer { _ in await gate.pass() }
    let client = GraphQLClient([refresh, .dedup, .documentCache, server])
    let watcher = Watcher(client.watch(postQuery()))
    await server.received(1)
    refresh.refresh()
    gate.open()
    #expect(await watcher.next(3) == ["title 1", "title 1 stale", "title 2"])
  }

  @Test("Events that follow one another too quickly are ignored (A3)")
  func throttled() async {
    let clock = ManualClock()
    let events = Events()
    let exchange = RefreshExchange(on: events, atMostEvery: .seconds(10), clock: clock)
    let client = GraphQLClient([exchange, .dedup, .documentCache, postServer()])
    let watcher = Watcher(client.watch(postQuery()))
    #expect(await watcher.next(1) == ["title 1"])
    events.send()
    #expect(await watcher.next(2) == ["title 1 stale", "title 2"])
    clock.advance(by: .seconds(9))
    events.send()
    // The exchange asks for the next event after it has handled this one.
    await eventually { events.asked.count >= 3 }
    #expect(await client.results(of: postQuery()).all() == ["title 2"])
    clock.advance(by: .seconds(1))
    events.send()
    #expect(await watcher.next(2) == ["title 2 stale", "title 3"])
  }

  @Test("Polling refreshes only the selected queries, again and again (A3)")
  func polling() async {
    let clock = ManualClock()
    let server = postServer()
    let polled = postQuery("1").key
    let exchange = RefreshExchange(every: .seconds(5), clock: clock) { $0.key == polled }
    let client = GraphQLClient([exchange, .dedup, .documentCache, server])
    let other = Watcher(client.watch(postQuery("2")))
    #expect(await other.next(1) == ["title 1"])
    let watcher = Watcher(client.watch(postQuery("1")))
    #expect(await watcher.next(1) == ["title 2"])
    for title in 2...4 {
      await clock.sleepers(1)
      clock.advance(by: .seconds(5))
      #expect(await watcher.next(2) == ["title \(title) stale", "title \(title + 1)"])
    }
    #expect(server.operations.filter { $0.key == polled }.count == 4)
    #expect(server.operations.count == 5)
  }

  @Test("A failed refresh keeps the data, and the next event tries again (A3)")
  func failedRefresh() async {
    let events = Events()
    let requests = Counter()
    let server = ScriptedExchange { _ in
      requests.next() == 2 ? .failure("Down.") : post("title \(requests.count)")
    }
    let client = GraphQLClient([.refresh(on: events), .dedup, .documentCache, server])
    let watcher = Watcher(client.watch(postQuery()))
    #expect(await watcher.next(1) == ["title 1"])
    events.send()
    #expect(await watcher.next(2) == ["title 1 stale", "title 1 error"])
    events.send()
    #expect(await watcher.next(2).last == "title 3")
  }

  @Test(
    "A cacheFirst query with an old cached result is refetched, and no other policy is (A3)",
    arguments: [
      (RequestPolicy.cacheFirst, 299.0, ["title 1"]), (.cacheFirst, 300, ["title 1"]),
      (.cacheFirst, 301, ["title 1 stale", "title 2"]),
      // The system's clock was set back, so nobody knows the age.
      (.cacheFirst, -3600, ["title 1 stale", "title 2"]),
      (.cacheOnly, 301, ["title 1"]), (.networkOnly, 301, ["title 2"]),
    ])
  func upgrade(policy: RequestPolicy, age: Double, expected: [String]) async {
    let date = Locked(Date(timeIntervalSince1970: 0))
    let now: @Sendable () -> Date = { date.withLock { $0 } }
    let upgrade = RequestPolicyExchange(maximumAge: .seconds(300), now: now)
    let client = GraphQLClient([upgrade, .dedup, .documentCache, timedServer(now)])
    _ = await client.query(postQuery())
    date.withLock { $0 += age }
    #expect(client.peek(postQuery())?.title == "title 1")
    #expect(await client.results(of: postQuery(policy: policy)).all() == expected)
    // The age counts from the last response.
    let next = await client.results(of: postQuery()).all()
    #expect(next == [expected.last ?? ""] || policy == .cacheOnly)
  }

  private enum Trace {
    @TaskLocal static var name: String?
  }

  @Test("The sequence is not iterated with the task-local values of the first operation (A3)")
  func taskLocalValues() async {
    let names = Locked<[String?]>([])
    let asked = Gate()
    let events = AsyncStream<Void>(unfolding: {
      names.withLock { $0.append(Trace.name) }
      asked.open()
      return nil
    })
    let client = GraphQLClient([.refresh(on: events), postServer()])
    _ = await Trace.$name.withValue("first") { await client.query(postQuery()) }
    await asked.pass()
    #expect(names.withLock { $0 } == [nil])
  }

  @Test("shouldUpgrade decides which queries are upgraded (A3)")
  func shouldUpgrade() async {
    let upgrade = RequestPolicyExchange(
      maximumAge: .zero, shouldUpgrade: { $0.key == postQuery("1").key })
    let server = postServer()
    let client = GraphQLClient([upgrade, .dedup, .documentCache, server])
    for id in ["1", "2"] {
      _ = await client.query(postQuery(id))
      _ = await client.query(postQuery(id))
    }
    #expect(server.operations.count == 3)
  }
}
