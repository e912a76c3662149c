import Testing
import Weir
import WeirNormalized
import WeirTesting

/// What waits for the end of a time to live.
@Suite("Waiting for an expiry", .timeLimit(.minutes(10)))
struct AlarmTests {
  private final class Request: Sendable {
    @TaskLocal static var current: Request?
  }

  @Test("Waiting for an expiry keeps no task-local value of the watch that began it (N8.1)")
  func taskLocalValues() async {
    let fixture = AgeTests.Fixture { $0.timeToLive["Todo"] = .seconds(3600) }
    weak var kept: Request?
    do {
      let request = Request()
      kept = request
      let watch = Request.$current.withValue(request) {
        Task {
          for await _ in fixture.client.watch(AgeTests.query) {}
        }
      }
      await fixture.clock.sleepers(1)
      watch.cancel()
      await watch.value
    }
    #expect(fixture.clock.sleeperCount == 1)
    #expect(kept == nil)
  }
}
