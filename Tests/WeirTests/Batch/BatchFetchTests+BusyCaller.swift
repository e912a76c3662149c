import Dispatch
import TestSupport
import Testing
@testable import Weir
import WeirTesting

extension BatchFetchTests {
  /// An actor with a thread of its own, which may be blocked.
  private actor Screen {
    private final class Executor: SerialExecutor {
      private let queue = DispatchQueue(label: "screen")

      func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
      }
    }

    private let executor = Executor()

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    func query(_ client: GraphQLClient, _ operation: GraphQLOperation) async -> OperationResult {
      await client.query(operation)
    }

    /// Blocks the thread.
    ///
    /// - Returns: whether the semaphore was signalled in time.
    func block(_ isBlocked: Gate, until semaphore: DispatchSemaphore) -> Bool {
      isBlocked.open()
      return semaphore.wait(timeout: .now() + 20) == .success
    }
  }

  @Test("A caller that is busy when the window is over does not hold up the others")
  func busyCaller() async throws {
    let fixture = try Fixture()
    let screen = Screen()
    let first = Task { await screen.query(fixture.client, GraphQLOperation("query A { name }")) }
    await fixture.clock.sleepers(1)
    let second = Task { await fixture.client.query(GraphQLOperation("query B { name }")) }
    await eventually { fixture.exchange.waitingCount == 2 }
    let (isBlocked, semaphore) = (Gate(), DispatchSemaphore(value: 0))
    let block = Task { await screen.block(isBlocked, until: semaphore) }
    await isBlocked.pass()
    await fixture.closeWindow()
    #expect(await second.value.data?["name"]?.string == "B")
    semaphore.signal()
    #expect(await block.value)
    #expect(await first.value.data?["name"]?.string == "A")
  }
}
