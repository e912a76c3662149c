import Foundation
import Testing
import Weir
import WeirTesting

/// The example of the article "Write an exchange" keeps the rules that the library's caches keep.
@Suite("An exchange that keeps failures", .timeLimit(.minutes(10)))
struct NegativeCacheTests {
  enum Place: CaseIterable {
    case aboveTheCache, belowTheCache, withoutCache
  }

  /// A chain with the exchange, and a server that fails until the test repairs it.
  struct Setup: Sendable {
    let clock = ManualClock()
    let events = AsyncStream<Void>.makeStream()
    let isBroken = Locked(true)
    let server: NumberingServer
    let client: GraphQLClient

    init(_ place: Place, before answer: @escaping @Sendable (Int) async -> Void = { _ in }) {
      server = NumberingServer { [isBroken] operation, number in
        guard operation.kind == .query else { return updated }
        let isBroken = isBroken.withLock { $0 }
        await answer(number)
        return isBroken ? .failure("failure \(number)") : post("title \(number)")
      }
      let negative = NegativeCache(clock: clock)
      let middle: [any Exchange] =
        switch place {
        case .aboveTheCache: [negative, .documentCache]
        case .belowTheCache: [.documentCache, negative]
        case .withoutCache: [negative]
        }
      client = GraphQLClient([.refresh(on: events.stream), .dedup] + middle + [server])
    }

    func repair() { isBroken.withLock { $0 = false } }

    func query(_ policy: RequestPolicy = .cacheFirst) async -> String {
      await client.query(postQuery(policy: policy)).text
    }
  }

  @Test(
    "A failure answers for five seconds, then the query is sent again (A5)",
    arguments: Place.allCases)
  func time(_ place: Place) async {
    let setup = Setup(place)
    #expect(await setup.query() == "failure 1")
    setup.clock.advance(by: .seconds(4))
    #expect(await setup.query() == "failure 1")
    setup.clock.advance(by: .seconds(1))
    #expect(await setup.query() == "failure 2")
    #expect(await setup.query(.networkOnly) == "failure 3")
    #expect(await setup.query() == "failure 3")
    #expect(setup.server.operations.count == 3)
  }

  @Test(
    "A success takes the place of a failure, and the data is cached (A5)", arguments: Place.allCases
  )
  func success(_ place: Place) async {
    let setup = Setup(place)
    #expect(await setup.query() == "failure 1")
    setup.repair()
    #expect(await setup.query(.networkOnly) == "title 2")
    #expect(await setup.query() == (place == .withoutCache ? "title 3" : "title 2"))
  }

  @Test("An older failure does not take the place of a newer success (A5)")
  func order() async {
    let gate = Gate()
    let server = NumberingServer { _, number in
      guard number == 1 else { return post("title \(number)") }
      await gate.pass()
      return .failure("failure 1")
    }
    // Without dedup, which would let the second query join the first.
    let client = GraphQLClient([NegativeCache(clock: ManualClock()), server])
    async let late = client.query(postQuery())
    await server.received(1)
    #expect(await client.query(postQuery()).text == "title 2")
    gate.open()
    #expect(await late.text == "failure 1")
    #expect(await client.query(postQuery()).text == "title 3")
  }

  @Test(
    "An event, an invalidation, and a mutation make a watch ask again (A5)",
    arguments: Place.allCases)
  func refetch(_ place: Place) async {
    let setup = Setup(place)
    var watch = setup.client.watch(postQuery()).makeAsyncIterator()
    #expect(await watch.next()?.text == "failure 1")
    setup.events.continuation.yield()
    #expect(await watch.next()?.text == "failure 2")
    #expect(await setup.query() == "failure 2")
    setup.client.invalidate(types: "Post")
    #expect(await watch.next()?.text == "failure 3")
    setup.client.invalidate(postQuery())
    #expect(await watch.next()?.text == "failure 4")
    setup.repair()
    #expect(await setup.client.mutate(updatePost).error == nil)
    #expect(await watch.next()?.text == "title 5")
  }

  @Test("A failure that was invalidated in flight is not kept (A5)", arguments: Place.allCases)
  func flight(_ place: Place) async {
    let gate = Gate()
    let setup = Setup(place) { if $0 == 1 { await gate.pass() } }
    async let first = setup.query()
    await setup.server.received(1)
    setup.client.invalidate(types: "Post")
    setup.repair()
    gate.open()
    _ = await first
    #expect(await setup.query() == "title 2")
  }

  @Test("The next session sees no failure of the one before (A5)", arguments: Place.allCases)
  func session(_ place: Place) async {
    let gate = Gate()
    let setup = Setup(place) { if $0 == 2 { await gate.pass() } }
    var watch = setup.client.watch(postQuery()).makeAsyncIterator()
    #expect(await watch.next()?.text == "failure 1")
    async let late = setup.query(.networkOnly)
    await setup.server.received(2)
    setup.client.switchSession()
    #expect(await late == OperationError.cancelled.message)
    setup.repair()
    gate.open()
    #expect(await setup.query() == "title 3")
    var next = await watch.next()
    while next?.isStale == true { next = await watch.next() }
    #expect(next?.title?.isEmpty == false)
  }

  @Test(
    "peek sends nothing and keeps nothing, and a cache's data stays visible (A5)",
    arguments: Place.allCases)
  func peek(_ place: Place) async {
    let setup = Setup(place)
    #expect(setup.client.peek(postQuery()) == nil)
    #expect(setup.server.operations.isEmpty)
    #expect(await setup.query() == "failure 1")
    #expect(setup.client.peek(postQuery()) == nil)
    setup.repair()
    #expect(await setup.query(.networkOnly) == "title 2")
    setup.isBroken.withLock { $0 = true }
    #expect(await setup.query(.networkOnly) == "failure 3")
    let cached = place == .withoutCache ? nil : "title 2"
    #expect(setup.client.peek(postQuery())?.text == cached)
    #expect(await setup.query() == cached ?? "failure 3")
  }

  @Test("The article shows the tested code")
  func article() throws {
    let here = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let root = (0..<4).reduce(here) { folder, _ in folder.deletingLastPathComponent() }
    let code = try String(contentsOf: here.appending(path: "NegativeCache.swift"), encoding: .utf8)
    let article = try String(
      contentsOf: root.appending(path: "Sources/Weir/Documentation.docc/WritingAnExchange.md"),
      encoding: .utf8)
    let example = try #require(code.range(of: "final class NegativeCache"))
    #expect(article.contains(code[example.lowerBound...]))
  }
}

extension OperationResult {
  fileprivate var text: String {
    title ?? error?.graphQLErrors.first?.message ?? error?.message ?? ""
  }
}
