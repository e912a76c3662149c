import Foundation
import TestSupport
import Testing
import Weir
import WeirNormalized
import WeirTesting

/// How long data may be used.
@Suite(.timeLimit(.minutes(10)), .overStorages)
struct AgeTests {
  static let query = GraphQLOperation("{ todos { id text } }")
  static let data = #"{"todos":[{"__typename":"Todo","id":"1","text":"a"}]}"#

  struct Fixture {
    let clock = ManualClock()
    let server: ScriptedExchange
    let client: GraphQLClient
    let store: NormalizedStore
    let fails = Locked(false)

    init(
      maximumAge: Duration? = nil, _ change: (inout NormalizedCacheConfiguration) -> Void
    ) {
      var configuration = NormalizedCacheConfiguration()
      change(&configuration)
      store = StoreKind.store(configuration, clock: clock)
      let fails = fails
      server = ScriptedExchange.immediate { _ in
        if fails.withLock({ $0 }) { return .failure("down") }
        var timing = ResultTiming(receivedAt: Date(timeIntervalSince1970: 0), duration: .zero)
        timing.maximumAge = maximumAge
        return OperationResult(data: ConnectionTests.json(AgeTests.data), timing: timing)
      }
      client = GraphQLClient([.dedup, .cache(store), server])
    }
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    var maximumAge: Duration?
    /// The seconds for which a query is a hit; nil if it never expires.
    let expected: Int64?
    let change: @Sendable (inout NormalizedCacheConfiguration) -> Void
    var testDescription: String { name }
  }

  static let cases = [
    Case(name: "no time to live", expected: nil) { _ in },
    Case(name: "a type's", expected: 10) { $0.timeToLive["Todo"] = .seconds(10) },
    Case(name: "the root type's", expected: 7) { $0.timeToLive["Query"] = .seconds(7) },
    Case(name: "a union's", expected: 9) {
      $0.possibleTypes["Node"] = ["Todo"]
      $0.timeToLive["Node"] = .seconds(9)
    },
    Case(name: "a root field's", expected: 5) {
      $0.timeToLive["Query"] = .seconds(7)
      $0.fields["Query.todos", default: FieldPolicy()].timeToLive = .seconds(5)
    },
    Case(name: "a leaf field's", expected: 3) {
      $0.timeToLive["Todo"] = .seconds(10)
      $0.fields["Todo.text", default: FieldPolicy()].timeToLive = .seconds(3)
    },
    Case(name: "a field's, longer than its type's", expected: 20) {
      $0.timeToLive["Query"] = .seconds(7)
      $0.fields["Query.todos", default: FieldPolicy()].timeToLive = .seconds(20)
    },
    Case(name: "the response's, ignored by default", maximumAge: .seconds(4), expected: nil) { _ in
    },
    Case(name: "the response's", maximumAge: .seconds(4), expected: 4) {
      $0.heedsCacheControl = true
    },
    Case(name: "a response without a time to live", expected: nil) { $0.heedsCacheControl = true },
    Case(name: "the type's, not the response's", maximumAge: .seconds(4), expected: 6) {
      $0.heedsCacheControl = true
      $0.timeToLive["Todo"] = .seconds(6)
      $0.timeToLive["Query"] = .seconds(60)
    },
    Case(name: "the largest duration", expected: nil) {
      $0.timeToLive["Todo"] = .seconds(Int64.max)
    },
  ]

  @Test("Data is used until its time to live is over, and then refetched (N8.1)", arguments: cases)
  func timeToLive(_ example: Case) async {
    let fixture = Fixture(maximumAge: example.maximumAge, example.change)
    #expect(await fixture.client.query(Self.query).outcome == .miss)
    if let expected = example.expected {
      fixture.clock.advance(by: .seconds(expected) - .milliseconds(1))
      #expect(await fixture.client.query(Self.query).outcome == .hit)
      fixture.clock.advance(by: .milliseconds(1))
      #expect(await fixture.client.query(Self.query).outcome == .miss)
      #expect(await fixture.client.query(Self.query).outcome == .hit)
    } else {
      fixture.clock.advance(by: .seconds(100_000))
      #expect(await fixture.client.query(Self.query).outcome == .hit)
    }
  }

  @Test("Stale data is shown during a refetch, for as long as configured (N8.1)")
  func staleWhileRevalidate() async {
    let fixture = Fixture {
      $0.timeToLive["Todo"] = .seconds(10)
      $0.staleWhileRevalidate = .seconds(5)
    }
    _ = await fixture.client.query(Self.query)
    fixture.clock.advance(by: .seconds(15))
    var shown: [Bool] = []
    for await result in fixture.client.results(of: Self.query) {
      #expect(result.data != nil)
      shown.append(result.isStale)
    }
    #expect(shown == [true, false])
    #expect(fixture.server.operations.count == 2)
    fixture.clock.advance(by: .seconds(16))
    shown = []
    for await result in fixture.client.results(of: Self.query) { shown.append(result.isStale) }
    #expect(shown == [false])
  }

  @Test("Stale data accompanies a failed request's error, for as long as configured (N8.1)")
  func staleIfError() async {
    let fixture = Fixture {
      $0.timeToLive["Todo"] = .seconds(10)
      $0.staleIfError = .seconds(5)
    }
    _ = await fixture.client.query(Self.query)
    fixture.fails.withLock { $0 = true }
    fixture.clock.advance(by: .seconds(15))
    let kept = await fixture.client.query(Self.query)
    #expect(kept.error != nil)
    #expect(kept.data?["todos"]?.count == 1)
    fixture.clock.advance(by: .seconds(1))
    let failed = await fixture.client.query(Self.query)
    #expect(failed.error != nil)
    #expect(failed.data == nil)
  }

  @Test("Invalidated data is used neither during a refetch nor beside an error (N8.1)")
  func invalidated() async {
    let fixture = Fixture {
      $0.staleWhileRevalidate = .seconds(5)
      $0.staleIfError = .seconds(5)
    }
    _ = await fixture.client.query(Self.query)
    fixture.clock.advance(by: .seconds(1))
    fixture.client.invalidate(types: "Todo")
    fixture.fails.withLock { $0 = true }
    let failed = await fixture.client.query(Self.query)
    #expect(failed.error != nil)
    #expect(failed.data == nil)
  }

  @Test("An execution may require younger data than the cache does (N8.1)")
  func maximumAge() async {
    let fixture = Fixture { _ in }
    _ = await fixture.client.query(Self.query)
    fixture.clock.advance(by: .seconds(10))
    let young = Self.query.with { $0.maximumAge = .seconds(9) }
    let old = Self.query.with { $0.maximumAge = .seconds(10) }
    #expect(await fixture.client.query(old).outcome == .hit)
    #expect(await fixture.client.query(Self.query).outcome == .hit)
    #expect(await fixture.client.query(young).outcome == .miss)
    #expect(await fixture.client.query(young).outcome == .hit)
    // Data that other operations have written has no recorded age.
    let other = GraphQLOperation("{ todos { id } }")
    #expect(await fixture.client.query(other).outcome == .hit)
    #expect(await fixture.client.query(other.with { $0.maximumAge = .seconds(9) }).outcome == .miss)
  }

  @Test("The request policy's maximum age applies to a normalized cache (N8.1)")
  func requestPolicy() async {
    let clock = ManualClock()
    let requests = Locked(0)
    let client = GraphQLClient([
      .requestPolicy(maximumAge: .seconds(60)), .dedup,
      .cache(StoreKind.store(clock: clock)),
      ScriptedExchange.immediate { _ in
        requests.withLock { $0 += 1 }
        return .data(#"{"t":{"__typename":"T","id":"1","name":"a"}}"#)
      },
    ])
    let operation = GraphQLOperation("{ t { id name } }")
    for _ in 0..<4 { _ = await client.query(operation) }
    #expect(requests.withLock { $0 } == 1)
    clock.advance(by: .seconds(59))
    #expect(client.peek(operation)?.isStale == false)
    clock.advance(by: .seconds(2))
    _ = await client.query(operation)
    #expect(requests.withLock { $0 } == 2)
    _ = await client.query(operation)
    #expect(requests.withLock { $0 } == 2)
  }

  @Test("A watch wakes when its data expires, and one task serves all watches (N8.1)")
  func watchedExpiry() async {
    let fixture = Fixture { $0.timeToLive["Todo"] = .seconds(10) }
    var watch = fixture.client.watch(Self.query).makeAsyncIterator()
    #expect(await watch.next()?.isStale == false)
    var other = fixture.store.watch(GraphQLOperation("{ todos { id } }")).makeAsyncIterator()
    #expect(await other.next() != nil)
    for round in 2...4 {
      async let stale = watch.next()
      await fixture.clock.sleepers(1)
      #expect(fixture.clock.sleeperCount == 1)
      fixture.clock.advance(by: .seconds(10))
      #expect(await stale?.isStale == true)
      #expect(await watch.next()?.isStale == false)
      #expect(fixture.server.operations.count == round)
    }
    fixture.fails.withLock { $0 = true }
    async let stale = watch.next()
    await fixture.clock.sleepers(1)
    fixture.clock.advance(by: .seconds(10))
    #expect(await stale?.isStale == true)
    #expect(await watch.next()?.error != nil)
    #expect(fixture.server.operations.count == 5)
  }

  @Test("Data that is written by hand expires, too (N8.1)")
  func byHand() throws {
    let fixture = Fixture { $0.timeToLive["Todo"] = .seconds(10) }
    fixture.clock.advance(by: .seconds(100))
    let write = Self.query.with { $0.requestPolicy = .cacheOnly }
    try fixture.store.write(ConnectionTests.json(Self.data), for: write)
    #expect(fixture.client.peek(Self.query)?.isStale == false)
    fixture.clock.advance(by: .seconds(10))
    #expect(fixture.client.peek(Self.query)?.isStale == true)
    try fixture.store.update { try $0.write(ConnectionTests.json(Self.data), for: write) }
    #expect(fixture.client.peek(Self.query)?.isStale == false)
  }
}

extension AgeTests {
  @Test("Stale data is not shown to an execution that requires younger or newer data (N8.1)")
  func noStopGap() async {
    let fixture = Fixture {
      $0.timeToLive["Todo"] = .seconds(10)
      $0.staleWhileRevalidate = .seconds(5)
    }
    let demands: [@Sendable (inout OperationContext) -> Void] = [
      { $0.maximumAge = .seconds(5) }, { $0.notBefore = .next() },
    ]
    for demand in demands {
      _ = await fixture.client.query(Self.query.with { $0.requestPolicy = .networkOnly })
      fixture.clock.advance(by: .seconds(12))
      var shown: [Bool] = []
      for await result in fixture.client.results(of: Self.query.with(demand)) {
        shown.append(result.isStale)
      }
      #expect(shown == [false])
    }
  }

  @Test("Each watch wakes at its own time, and only once if no newer data arrives (N8.1)")
  @MainActor
  func alarms() async {
    let notes = GraphQLOperation("{ notes { id text } }")
    let clock = ManualClock()
    var configuration = NormalizedCacheConfiguration()
    configuration.timeToLive = ["Todo": .seconds(10), "Note": .seconds(3)]
    let store = StoreKind.store(configuration, clock: clock)
    let server = ScriptedExchange.immediate { operation in
      if operation.key == Self.query.key { return .data(Self.data) }
      return operation.context.notBefore == .distantPast
        ? .data(#"{"notes":[{"__typename":"Note","id":"1","text":"a"}]}"#) : .failure("down")
    }
    let client = GraphQLClient([.dedup, .cache(store), server])
    let seen = Locked<[String]>([])
    // Everything runs on one actor, so that a consumer that has shown a result is waiting for the
    // next.
    func watch(_ name: String, _ operation: GraphQLOperation) -> Task<Void, Never> {
      Task { @MainActor in
        for await result in client.watch(operation) {
          let state = result.error != nil ? "error" : result.isStale ? "stale" : "fresh"
          seen.withLock { $0.append("\(name) \(state)") }
        }
      }
    }
    func first(_ count: Int) async -> [String] {
      await eventually { seen.withLock { $0.count } >= count }
      return seen.withLock { $0 }
    }
    let ofTodos = watch("todos", Self.query)
    #expect(await first(1) == ["todos fresh"])
    let ofNotes = watch("notes", notes)
    #expect(await first(2).last == "notes fresh")
    clock.advance(by: .seconds(3))
    #expect(await first(4).suffix(2) == ["notes stale", "notes error"])
    for (count, step) in [(6, 7), (8, 10)] {
      clock.advance(by: .seconds(step))
      #expect(await first(count).suffix(2) == ["todos stale", "todos fresh"])
    }
    #expect(server.operations.filter { $0.key == notes.key }.count == 2)
    ofTodos.cancel()
    ofNotes.cancel()
  }
}
