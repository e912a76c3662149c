import Foundation
import Weir
import WeirNormalized

/// What it adds to a write, for who writes, that somebody has to be woken.
///
/// Much of it is the system's, and depends on what else the machine does: a processor that sleeps has
/// to be called, and one that is shared goes to who was woken. So there are two cases to compare with:
/// the time that the writer's thread itself was at work, and what waking takes without Weir.
enum WakeCases {
  static var all: [BenchmarkCase] {
    [
      watches("", by: CLOCK_MONOTONIC), watches(", processor time", by: CLOCK_THREAD_CPUTIME_ID),
      tasks,
    ]
  }

  /// One of 100 watches is concerned by each write.
  private static func watches(_ measure: String, by clock: clockid_t) -> BenchmarkCase {
    BenchmarkCase(name: "normalized/wake 1 of 100 watches\(measure)/10000") {
      let (store, client, watches) = try await NormalizedCases.watched()
      let writes = try Writes(to: store, watched: watches.count)
      var costs: [Double] = []
      return Workload(
        reset: {
          if writes.round > 0 { await watches.show(writes.text, first: watches.count) }
          writes.round += 1
        },
        run: { _ in
          // Those that concern nobody first: afterwards the watches are busy.
          let start = time(clock)
          for id in 0..<watches.count { writes.write(unwatched: id) }
          let middle = time(clock)
          for id in 0..<watches.count { writes.write(watched: id) }
          costs.append((time(clock) - middle - (middle - start)) / Double(watches.count))
        },
        latencies: { costs },
        tearDown: {
          watches.cancel()
          withExtendedLifetime(client) {}
        })
    }
  }

  /// The writes concern nobody; after each one of the second half a task is woken that does nothing.
  private static var tasks: BenchmarkCase {
    BenchmarkCase(name: "normalized/wake 1 of 100 tasks/10000") {
      let writes = try Writes(to: try TodoStore.filled(10_000), watched: 100)
      let tasks = SleepingTasks(100)
      var costs: [Double] = []
      return Workload(
        reset: {
          await tasks.asleep()
          writes.round += 1
        },
        run: { _ in
          let start = time(CLOCK_MONOTONIC)
          for id in 0..<100 { writes.write(unwatched: id) }
          let middle = time(CLOCK_MONOTONIC)
          for id in 0..<100 {
            writes.write(unwatched: id)
            tasks.wake(id)
          }
          costs.append((time(CLOCK_MONOTONIC) - middle - (middle - start)) / 100)
        },
        latencies: { costs }, tearDown: { await tasks.end() })
    }
  }

  /// Nanoseconds that a clock of the system shows.
  private static func time(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
  }
}

/// New texts for todos that are watched, and for as many that are not.
private final class Writes {
  var round = 0
  private let store: NormalizedStore
  private let watched: Int
  private let data: [[JSON]]
  private let operations: [GraphQLOperation]

  init(to store: NormalizedStore, watched: Int) throws {
    self.store = store
    self.watched = watched
    data = try (0..<2 * watched).map { id in
      try (0..<2).map { try TodoStore.todo("\(id)", text: "changed \($0)") }
    }
    operations = (0..<2 * watched).map {
      GraphQLOperation(TodoStore.one, variables: ["id": .string("\($0)")])
    }
  }

  /// What this round writes.
  var text: String { "changed \(round % 2)" }

  func write(watched id: Int) { store.write(data[id][round % 2], for: operations[id]) }
  func write(unwatched id: Int) { write(watched: watched + id) }
}
