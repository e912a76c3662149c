import TestSupport
import Testing
import WeirNormalized
import WeirTesting

@testable import Weir

/// The data beside the error of a request that executions with different policies share.
@Suite(.timeLimit(.minutes(10)), .overStorages)
struct SharedFailureTests {
  /// A client whose data has expired two seconds ago, and whose server fails from then on.
  private struct Fixture {
    let gate = Gate()
    let dedup = DedupExchange()
    let server: ScriptedExchange
    let client: GraphQLClient

    init(staleIfError: Duration) async {
      var configuration = NormalizedCacheConfiguration()
      configuration.timeToLive["Todo"] = .seconds(10)
      configuration.staleIfError = staleIfError
      let clock = ManualClock()
      let fails = Locked(false)
      server = ScriptedExchange { [gate] _ in
        guard fails.withLock(\.self) else { return .data(AgeTests.data) }
        await gate.pass()
        return .failure("down")
      }
      client = GraphQLClient([dedup, .cache(StoreKind.store(configuration, clock: clock)), server])
      _ = await client.query(AgeTests.query)
      fails.withLock { $0 = true }
      clock.advance(by: .seconds(12))
    }

    func result(_ policy: RequestPolicy) async -> String {
      let result = await client.query(AgeTests.query.with { $0.requestPolicy = policy })
      let data = result.data == nil ? "no data" : result.outcome == .hit ? "cached data" : "data"
      return result.error == nil ? data : data + " beside an error"
    }
  }

  private static let policies = RequestPolicy.allCases.filter { $0 != .cacheOnly }

  @Test(
    "Whichever execution began a request that fails, each gets the data that it gets alone (D3, P4)",
    arguments: policies, policies)
  func failure(first: RequestPolicy, second: RequestPolicy) async {
    for staleIfError in [Duration.zero, .seconds(5)] {
      var expected: [String] = []
      for policy in [first, second] {
        let alone = await Fixture(staleIfError: staleIfError)
        alone.gate.open()
        expected.append(await alone.result(policy))
      }
      let shared = await Fixture(staleIfError: staleIfError)
      async let one = shared.result(first)
      await shared.server.received(2)
      async let other = shared.result(second)
      await eventually { shared.dedup.flights.withLock(\.shareCount) == 2 }
      shared.gate.open()
      #expect(await [one, other] == expected, "\(staleIfError)")
      let shares = (first == .networkFirst) == (second == .networkFirst)
      #expect(shared.server.operations.count == (shares ? 2 : 3))
    }
  }
}
