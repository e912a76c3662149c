import Foundation
import Weir
import WeirNormalized

/// What it adds to a write that somebody has to be woken.
///
/// On one actor, as on an app's main actor, it is the whole way: until the watch shows the new data.
/// Between threads it is what the writer has to pay. Much of that is the system's, and depends on what
/// else the machine does: a processor that sleeps has to be called, and one that is shared goes to who
/// was woken. So there are two cases to compare with: the time that the writer's thread itself was at
/// work, and what waking takes without Weir.
enum WakeCases {
  static var all: [BenchmarkCase] {
    [
      onOneActor, watches("", by: CLOCK_MONOTONIC),
      watches(", processor time", by: CLOCK_THREAD_CPUTIME_ID), tasks,
    ]
  }

  /// One of 100 watches is concerned by each write, and shows it before the next one.
  private static var onOneActor: BenchmarkCase {
    BenchmarkCase(name: "normalized/show 1 of 100 watches/10000") {
      let (store, client, watches) = try await NormalizedCases.watched(onScreen: true)
      let writes = try Writes(to: store, watched: watches.count)
      var round = 0
      var costs: [Double] = []
      return Workload(
        reset: { round += 1 },
        run: { _ in costs.append(await timeToShow(writes, watches, round: round)) },
        latencies: { costs },
        tearDown: {
          watches.cancel()
          withExtendedLifetime(client) {}
        })
    }
  }

  /// How long it takes beyond a write until the watch shows it, in nanoseconds.
  @Screen
  private static func timeToShow(
    _ writes: Writes, _ watches: TodoWatches, round: Int
  ) async -> Double {
    let start = time(CLOCK_MONOTONIC)
    for id in 0..<watches.count { writes.write(unwatched: id, round) }
    let middle = time(CLOCK_MONOTONIC)
    for id in 0..<watches.count {
      writes.write(watched: id, round)
      await watches.show(writes.text(round), at: id)
    }
    let end = time(CLOCK_MONOTONIC)
    return (end - middle - (middle - start)) / Double(watches.count)
  }

  /// One of 100 watches is concerned by each write.
  private static func watches(_ measure: String, by clock: clockid_t) -> BenchmarkCase {
    BenchmarkCase(name: "normalized/wake 1 of 100 watches\(measure)/10000") {
      let (store, client, watches) = try await NormalizedCases.watched()
      let writes = try Writes(to: store, watched: watches.count)
      var round = 0
      var costs: [Double] = []
      return Workload(
        reset: {
          if round > 0 { await watches.show(writes.text(round), first: watches.count) }
          round += 1
        },
        run: { _ in
          // Those that concern nobody first: afterwards the watches are busy.
          let start = time(clock)
          for id in 0..<watches.count { writes.write(unwatched: id, round) }
          let middle = time(clock)
          for id in 0..<watches.count { writes.write(watched: id, round) }
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
      var round = 0
      var costs: [Double] = []
      return Workload(
        reset: {
          await tasks.asleep()
          round += 1
        },
        run: { _ in
          let start = time(CLOCK_MONOTONIC)
          for id in 0..<100 { writes.write(unwatched: id, round) }
          let middle = time(CLOCK_MONOTONIC)
          for id in 0..<100 {
            writes.write(unwatched: id, round)
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
private struct Writes {
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

  /// What a round writes.
  func text(_ round: Int) -> String { "changed \(round % 2)" }

  func write(watched id: Int, _ round: Int) {
    store.write(data[id][round % 2], for: operations[id])
  }

  func write(unwatched id: Int, _ round: Int) { write(watched: watched + id, round) }
}
