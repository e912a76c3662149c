import Testing
import Weir
import WeirNormalized
import WeirTesting

/// Data that becomes stale at the moment at which a watch begins to wait.
@Suite("Expiry while a watch goes to sleep", .timeLimit(.minutes(10)))
struct ExpiryBorderTests {
  /// A clock that goes on by a step whenever somebody looks at it, and on which nobody sleeps for long.
  private final class SteppingClock: Clock, Sendable {
    private static let start = ManualClock().now
    private let state = Locked((now: start, step: Swift.Duration.zero))
    let minimumResolution = Swift.Duration.zero

    func begin(at offset: Swift.Duration, step: Swift.Duration) {
      state.withLock { $0 = (Self.start.advanced(by: offset), step) }
    }

    var now: ManualClock.Instant {
      state.withLock { state in
        defer { state.now = state.now.advanced(by: state.step) }
        return state.now
      }
    }

    func sleep(until deadline: ManualClock.Instant, tolerance: Duration?) async throws {
      state.withLock { $0.now = max($0.now, deadline) }
    }
  }

  @Test("A watch wakes whenever its data expires before it waits (N8.1)", arguments: 1..<24)
  func border(_ start: Int) async {
    let clock = SteppingClock()
    var configuration = NormalizedCacheConfiguration()
    configuration.timeToLive["Todo"] = .milliseconds(20)
    let server = ScriptedExchange.immediate { _ in
      .data(#"{"todo":{"__typename":"Todo","id":"1","text":"a"}}"#)
    }
    let store = NormalizedStore(configuration, clock: clock)
    let client = GraphQLClient([.dedup, .normalizedCache(store), server])
    var watch = client.watch(GraphQLOperation("{ todo { id text } }")).makeAsyncIterator()
    #expect(await watch.next()?.isStale == false)
    clock.begin(at: .milliseconds(start), step: .milliseconds(1))
    #expect(await watch.next()?.isStale == true)
  }
}
