import Dispatch
import Testing
import Weir
import WeirNormalized
import WeirTesting

/// A store that always has something to save.
@Suite("Sustained writes", .timeLimit(.minutes(10)))
struct SustainedWriteTests {
  enum Work: CaseIterable { case load, flush, switchSession }

  /// Runs the test's task apart from the pool, where other tests could hold it up for longer than the rounds
  /// take.
  private final class OwnThread: TaskExecutor {
    private let queue = DispatchQueue(label: "SustainedWriteTests")

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
  }

  private static let count = GraphQLOperation("{ count }")
  private static let maximumRounds = 5_000

  @Test("Sustained writes hold up no other work with the storage (N9.1)", arguments: Work.allCases)
  func progress(_ work: Work) async throws {
    let storage = ScriptedStorage()
    let store = NormalizedStore(storage: storage)
    let client = GraphQLClient([.normalizedCache(store)], configuration: .silent)
    let rounds = Locked(0)
    let isStopped = Locked(false)
    // Whenever something was saved, there is something to save again.
    storage.afterCommit.withLock {
      $0 = { [weak store] in
        guard !isStopped.withLock(\.self) else { return }
        let round = rounds.withLock { rounds in
          rounds += 1
          return rounds
        }
        guard round < Self.maximumRounds else { return }
        _ = try? store?.write(["count": .int(Int64(round))] as JSONValue, for: Self.count)
      }
    }
    try await withTaskExecutorPreference(OwnThread()) {
      try store.write(["count": 0] as JSONValue, for: Self.count)
      switch work {
      case .load: _ = await store.load(Todos.all)
      case .flush: try await store.flush()
      case .switchSession: try await client.switchSession(durably: true)
      }
      isStopped.withLock { $0 = true }
    }
    #expect(rounds.withLock(\.self) < Self.maximumRounds)
  }
}
