import Foundation
import Testing
import Weir
import WeirNormalized
import WeirTesting

/// Data that is stale as soon as it has arrived.
@Suite(.timeLimit(.minutes(10)), .overStorages)
struct ImmediateExpiryTests {
  static let cases = [
    AgeTests.Case(name: "a type's", expected: 0) { $0.timeToLive["Todo"] = .zero },
    AgeTests.Case(name: "the root type's", expected: 0) { $0.timeToLive["Query"] = .zero },
    AgeTests.Case(name: "a field's", expected: 0) {
      $0.fields["Todo.text", default: FieldPolicy()].timeToLive = .zero
    },
    AgeTests.Case(name: "the response's", maximumAge: .zero, expected: 0) {
      $0.heedsCacheControl = true
    },
  ]

  @Test(
    "With a time to live of zero, each query sends one request and shows its response (N8.1)",
    arguments: cases)
  func zero(_ example: AgeTests.Case) async {
    let fixture = AgeTests.Fixture(maximumAge: example.maximumAge, example.change)
    for policy in [RequestPolicy.cacheFirst, .cacheFirst, .networkOnly, .networkFirst] {
      let before = fixture.server.operations.count
      var shown: [OperationResult] = []
      let query = AgeTests.query.with { $0.requestPolicy = policy }
      for await result in fixture.client.results(of: query) { shown.append(result) }
      #expect(shown.map(\.isStale) == [false])
      #expect(shown.map(\.outcome) == [.miss])
      #expect(fixture.server.operations.count == before + 1)
    }
    #expect(fixture.client.peek(AgeTests.query)?.isStale == true)
    fixture.clock.advance(by: .seconds(1))
    let both = AgeTests.query.with { $0.requestPolicy = .cacheAndNetwork }
    var shown: [Bool] = []
    for await result in fixture.client.results(of: both) { shown.append(result.isStale) }
    #expect(shown == [true, false])
    #expect(fixture.server.operations.count == 5)
  }

  @Test(
    "With a time to live of zero, a watch refetches only when something changes (N8.1)",
    arguments: cases)
  func zeroWatch(_ example: AgeTests.Case) async {
    let fixture = AgeTests.Fixture(maximumAge: example.maximumAge, example.change)
    var watch = fixture.client.watch(AgeTests.query).makeAsyncIterator()
    for round in 1...3 {
      #expect(await watch.next()?.isStale == false)
      #expect(fixture.server.operations.count == round)
      async let next = watch.next()
      fixture.client.invalidate(types: "Todo")
      #expect(await next?.isStale == true)
    }
    fixture.clock.advance(by: .seconds(1))
    #expect(await watch.next()?.isStale == false)
    #expect(fixture.server.operations.count == 4)
  }

  @Test("Watchers that accept no age do not refetch each other's responses (N8.1)")
  func noAge() async {
    let clock = ManualClock()
    let requests = Locked(0)
    let client = GraphQLClient([
      .dedup, .cache(StoreKind.store(clock: clock)),
      ScriptedExchange.immediate { _ in
        let number = requests.withLock { requests in
          requests += 1
          return requests
        }
        return .data(#"{"todos":[{"__typename":"Todo","id":"1","text":"\#(number)"}]}"#)
      },
    ])
    let query = AgeTests.query.with { $0.maximumAge = .zero }
    var first = client.watch(query).makeAsyncIterator()
    var second = client.watch(query).makeAsyncIterator()
    #expect(await first.next()?.data?["todos"]?[0]?["text"]?.string == "1")
    clock.advance(by: .milliseconds(1))
    #expect(await second.next()?.data?["todos"]?[0]?["text"]?.string == "2")
    clock.advance(by: .milliseconds(1))
    var shown = await first.next()
    // A storage may have to be asked first.
    while let result = shown, result.isStale { shown = await first.next() }
    #expect(shown?.data?["todos"]?[0]?["text"]?.string == "2")
    #expect(requests.withLock { $0 } == 2)
  }

  @Test(
    "Watches of shared data that is stale on arrival do not refetch each other's responses (N8.1)",
    arguments: cases)
  func shared(_ example: AgeTests.Case) async {
    var configuration = NormalizedCacheConfiguration()
    example.change(&configuration)
    let requests = Locked(0)
    let server = ScriptedExchange.immediate { _ in
      let number = requests.withLock { requests in
        requests += 1
        return requests
      }
      var timing = ResultTiming(receivedAt: Date(timeIntervalSince1970: 0), duration: .zero)
      timing.maximumAge = example.maximumAge
      let data = #"{"todos":[{"__typename":"Todo","id":"1","text":"\#(number)","done":false}]}"#
      return OperationResult(data: ConnectionTests.json(data), timing: timing)
    }
    let store = StoreKind.store(configuration, clock: ManualClock())
    let client = GraphQLClient([.dedup, .cache(store), server])
    let other = GraphQLOperation("{ todos { id text done } }")
    var first = client.watch(AgeTests.query).makeAsyncIterator()
    var second = client.watch(other).makeAsyncIterator()
    #expect(await first.next()?.data?["todos"]?[0]?["text"]?.string == "1")
    #expect(await second.next()?.data?["todos"]?[0]?["text"]?.string == "2")
    let shown = await first.next()
    #expect(shown?.data?["todos"]?[0]?["text"]?.string == "2")
    #expect(shown?.isStale == false)
    #expect(requests.withLock { $0 } == 2)
    // An invalidation still makes both refetch.
    client.invalidate(types: "Todo")
    var refetched = await second.next()
    while refetched?.isStale == true { refetched = await second.next() }
    #expect(refetched?.isStale == false)
    #expect(requests.withLock { $0 } > 2)
  }
}
