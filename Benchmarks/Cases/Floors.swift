import Weir
import WeirNormalized

/// The least that cases can cost: the same tasks, resumes, parses, writes, reads and decodes by hand,
/// without a client, a chain, or anything that decides what has to be done.
enum Floors {
  /// The floor of a mutation that wakes some of 100 views of a store.
  ///
  /// That of an optimistic one ends when the views show what was written: the answer comes later.
  static func wake(
    _ concerned: Int, of views: Int, todos: Int, on place: Place, isOptimistic: Bool = false
  ) async throws -> Workload {
    let store = try TodoStore.filled(todos)
    try TodoStore.writeSlots(views, concerned: concerned, of: todos, to: store)
    let operations = (0..<views).map { Queries.todoView.operation(SlotVariables(slot: $0)) }
    let bare = BareViews(views, on: place) { slot in
      guard let data = store.read(operations[slot]) else {
        throw WrongAnswer(description: "A bare view has no data.")
      }
      return try data.decode(TodoViewData.self).checksum
    }
    let round = Counter()
    let stopwatch = Stopwatch()
    return Workload(
      run: { operations in
        for _ in 0..<operations {
          let update = UpdateTodoVariables(
            id: "0", text: "changed \(round.next())", complete: true)
          let data = try update.answer
          bare.expect(concerned)
          try await mutate(
            isolation: place.actor, stopwatch, bare, endsWhenShown: isOptimistic
          ) {
            try store.write(data, for: Queries.updateTodo.operation(update))
            bare.wake(concerned)
            return isOptimistic ? 1 : try data.decode(UpdatedTodoData.self).checksum
          }
        }
      },
      stopwatch: stopwatch, check: { try bare.check() }, tearDown: { await bare.end() })
  }

  /// Does something in a task, as a mutation, and waits for it and for the views; or takes only the time
  /// until the views have shown something.
  static func mutate(
    isolation: isolated (any Actor)?, _ stopwatch: Stopwatch, _ bare: BareViews,
    endsWhenShown: Bool = false, _ body: @escaping @Sendable () throws -> Int
  ) async throws {
    let start = ContinuousClock.now
    let checksum = Locked(0)
    let task = Task.startingHere {
      let sum = try? body()
      checksum.withLock { $0 = sum ?? 0 }
    }
    await task.value
    let returned = ContinuousClock.now
    let shown = await bare.shown()
    stopwatch.add(from: start, to: endsWhenShown ? shown : max(returned, shown))
    try expect(checksum.withLock { $0 } > 0, "A floor has failed.")
  }

  /// The floor of identical queries at once: each makes its operation, and waits in a task of its own
  /// for one result.
  static func identical(_ count: Int, on place: Place) async throws -> Workload {
    let body = Payloads.post(0)
    let expected = try JSON(parsing: body).decode(Response<PostData>.self).data.checksum
    let stopwatch = Stopwatch()
    return Workload(
      run: { operations in
        for _ in 0..<operations {
          let (asked, answered) = (Countdown(count), Countdown(count))
          let shared = Shared<PostData>()
          let sum = Locked(0)
          let start = ContinuousClock.now
          for _ in 0..<count {
            place.start {
              use(Queries.post.operation(IDVariables(id: "0")).key)
              asked.arrive()
              let checksum = await shared.value(isolation: place.actor)?.checksum ?? 0
              sum.withLock { $0 &+= checksum }
              answered.arrive()
            }
          }
          _ = await asked.done()
          shared.resolve(try JSON(parsing: body).decode(Response<PostData>.self).data)
          stopwatch.add(from: start, to: await answered.done())
          try expect(sum.withLock { $0 } == expected &* count, "The floor of queries is wrong.")
        }
      },
      stopwatch: stopwatch)
  }

  /// The floor of a hit: writing the variables, finding the decoded data by their bytes under a lock, and
  /// returning it from an asynchronous function.
  static func hit(_ post: Post) async throws -> Workload {
    let data = try JSON(parsing: Payloads.post(1)).decode(Response<Post.Data>.self).data
    let cache = BareCache(data, for: post)
    return Workload(
      run: { operations in
        for _ in 0..<operations {
          let found = await cache.data(of: post)
          try expect(found?.checksum == data.checksum, "The floor of a hit is wrong.")
        }
      })
  }
}

/// Decoded data by variables, as small as a cache can be.
private final class BareCache: Sendable {
  private let table: Locked<[[UInt8]: Post.Data]>

  init(_ data: Post.Data, for post: Post) {
    table = Locked([Self.variables(of: post): data])
  }

  @inline(never)
  func data(of post: Post) async -> Post.Data? {
    let variables = Self.variables(of: post)
    return table.withLock { $0[variables] }
  }

  private static func variables(of post: Post) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(32)
    bytes.append(contentsOf: #"{"id":""#.utf8)
    bytes.append(contentsOf: post.id.utf8)
    bytes.append(contentsOf: #"","size":"#.utf8)
    if case .value(let size) = post.size { bytes.append(contentsOf: "\(size)".utf8) }
    bytes.append(contentsOf: "}".utf8)
    return bytes
  }
}

/// A value that tasks wait for.
final class Shared<Value: Sendable>: Sendable {
  private struct State {
    var value: Value?
    var waiting: [WaitingTask<Value?>] = []
  }

  private let state = Locked(State())

  func value(isolation: isolated (any Actor)?) async -> Value? {
    await withReturningContinuation { continuation in
      let value = state.withLock { state in
        if state.value == nil { state.waiting.append(continuation) }
        return state.value
      }
      if let value { continuation.resume(returning: value) }
    }
  }

  func resolve(_ value: Value) {
    let waiting = state.withLock { state in
      state.value = value
      return state.waiting
    }
    for continuation in waiting { continuation.resume(returning: value) }
  }
}
