import Foundation
import Testing
import Weir

/// The amount and the seed of stress tests: `WEIR_STRESS=10` multiplies the rounds, `WEIR_SEED=…`
/// repeats a failed run.
enum Stress {
  private static let environment = ProcessInfo.processInfo.environment

  static let factor = environment["WEIR_STRESS"].flatMap(Double.init) ?? 1

  /// Returns fewer rounds for unoptimized code, which is much slower; so are tests under a
  /// sanitizer.
  static func rounds(debug: Int, release: Int) -> Int {
    #if DEBUG
      max(1, Int(Double(debug) * factor))
    #else
      max(1, Int(Double(release) * factor))
    #endif
  }

  /// Returns the seed from the environment, or random ones for a few runs.
  static func seeds(_ count: Int) -> [UInt64] {
    if let given = environment["WEIR_SEED"].flatMap({ UInt64($0) }) { return [given] }
    return (0..<max(1, Int(Double(count) * factor))).map { _ in .random(in: 0..<1_000_000_000) }
  }
}

/// A generator that a seed determines (SplitMix64).
struct SeededRandom: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }
}

/// Runs `work`, and fails the test with a message instead of hanging if it does not return.
///
/// The limit is not a measurement: it is many times what the work takes. If every thread is
/// blocked, so that not even the failure can be reported, the process exits.
func watched(
  _ what: String, seconds: Double = 600, sourceLocation: SourceLocation = #_sourceLocation,
  _ work: @escaping @Sendable () async -> Void
) async {
  let (ends, end) = AsyncStream.makeStream(of: Bool.self)
  let task = Task {
    await work()
    end.yield(true)
    end.finish()
  }
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
    if !hasFinished {
      Issue.record("\(what) hangs", sourceLocation: sourceLocation)
      task.cancel()
    }
    break
  }
  isReported.withLock { $0 = true }
}

/// A value that tests can wait for.
final class Board<Value: Sendable>: Sendable {
  private struct State {
    var value: Value
    var waiting:
      [(condition: @Sendable (Value) -> Bool, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state: Locked<State>

  init(_ value: Value) { state = Locked(State(value: value)) }

  var value: Value { state.withLock { $0.value } }

  @discardableResult
  func update<Result: Sendable>(_ change: @Sendable (inout Value) -> Result) -> Result {
    let (result, woken) = state.withLock { state in
      let result = change(&state.value)
      let value = state.value
      let woken = state.waiting.filter { $0.condition(value) }
      state.waiting.removeAll { $0.condition(value) }
      return (result, woken.map(\.continuation))
    }
    for continuation in woken { continuation.resume() }
    return result
  }

  func until(_ condition: @escaping @Sendable (Value) -> Bool) async {
    await withCheckedContinuation { continuation in
      let holds = state.withLock { state in
        if condition(state.value) { return true }
        state.waiting.append((condition, continuation))
        return false
      }
      if holds { continuation.resume() }
    }
  }
}
