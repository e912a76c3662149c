import Foundation
import TestSupport
import Testing
import Weir

extension Stress {
  /// Returns fewer rounds for unoptimized code, which is much slower; so are tests under a
  /// sanitizer.
  static func rounds(debug: Int, release: Int) -> Int {
    #if DEBUG
      rounds(debug)
    #else
      rounds(release)
    #endif
  }

  /// Returns the seed from the environment, or random ones for a few runs.
  static func seeds(_ count: Int) -> [UInt64] {
    givenSeed.map { [$0] } ?? (0..<rounds(count)).map { _ in .random(in: 0..<1_000_000_000) }
  }
}

/// Runs `work`, and fails the test with a message instead of hanging if it does not return.
///
/// The limit is not a measurement: it is many times what the work takes, and less than the limit of the
/// suites. If every thread is
/// blocked, so that not even the failure can be reported, the process exits.
func watched(
  _ what: String, seconds: Double = 540, sourceLocation: SourceLocation = #_sourceLocation,
  _ work: @escaping @Sendable () async -> Void
) async {
  let (ends, end) = AsyncStream.makeStream(of: Bool.self)
  let task = Task {
    await work()
    end.yield(true)
    end.finish()
  }
  // If the test is cancelled, its work must not go on beside other tests.
  defer { task.cancel() }
  let isReported = Locked(false)
  DispatchQueue.global().asyncAfter(deadline: .now() + seconds) {
    end.yield(false)
    end.finish()
  }
  DispatchQueue.global().asyncAfter(deadline: .now() + seconds + 30) {
    if !isReported.withLock({ $0 }) {
      FileHandle.standardError.write(Data("\(what): all threads are blocked\n".utf8))
      exit(70)
    }
  }
  for await hasFinished in ends {
    if !hasFinished { Issue.record("\(what) hangs", sourceLocation: sourceLocation) }
    break
  }
  isReported.withLock { $0 = true }
}

/// A value that tests can wait for.
final class Board<Value: Sendable>: Sendable {
  private struct Waiter {
    let condition: @Sendable (Value) -> Bool
    let continuation: WaitingTask<Void>
  }

  private struct State {
    var value: Value
    var lastID: UInt64 = 0
    var waiting: [UInt64: Waiter] = [:]
  }

  private let state: Locked<State>

  init(_ value: Value) { state = Locked(State(value: value)) }

  var value: Value { state.withLock { $0.value } }

  @discardableResult
  func update<Result: Sendable>(_ change: @Sendable (inout Value) -> Result) -> Result {
    let (result, woken) = state.withLock { state in
      let result = change(&state.value)
      let value = state.value
      let woken = state.waiting.filter { $0.value.condition(value) }
      for id in woken.keys { state.waiting[id] = nil }
      return (result, woken.values)
    }
    for waiter in woken { waiter.continuation.resume() }
    return result
  }

  /// Waits until the condition holds, or the task is cancelled.
  func until(_ condition: @escaping @Sendable (Value) -> Bool) async {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    await withCancellableContinuation { continuation in
      let isOver = state.withLock { state in
        if condition(state.value) || Task.isCancelled { return true }
        state.waiting[id] = Waiter(condition: condition, continuation: continuation)
        return false
      }
      if isOver { continuation.resume() }
    } onCancel: {
      state.withLock { $0.waiting.removeValue(forKey: id) }?.continuation.resume()
    }
  }
}
