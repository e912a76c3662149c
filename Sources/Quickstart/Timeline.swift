import Foundation
import Weir

/// Prints what happens when, and remembers what did not happen as promised.
final class Timeline: Sendable {
  private struct State {
    var requestCount = 0
    var brokenPromises = 0
  }

  private let start = ContinuousClock.now
  private let state = Locked(State())

  /// How many requests were answered.
  var requestCount: Int { state.withLock { $0.requestCount } }

  func step(_ text: String) {
    print("\n\(text)")
  }

  func request(_ operation: GraphQLOperation, took duration: Duration) {
    let number = state.withLock { state in
      state.requestCount += 1
      return state.requestCount
    }
    let name = [operation.kind.rawValue, operation.name].compactMap(\.self).joined(separator: " ")
    line("request \(number)", "\(name), answered in \(duration.inMilliseconds)")
  }

  func show(_ result: OperationResult) {
    let state = result.isStale ? "stale" : "\(result.outcome)"
    if let error = result.error { line("error", "\(error)") }
    if let data = result.data { line(state, data.description.shortened(to: 120)) }
  }

  /// Prints a promise, and whether it was kept.
  func expect(_ isKept: Bool, _ promise: String) {
    line(isKept ? "ok" : "BROKEN", promise)
    if !isKept { state.withLock { $0.brokenPromises += 1 } }
  }

  /// Ends the program: with 0 if all was as promised.
  func end() -> Never {
    let (requests, broken) = state.withLock { ($0.requestCount, $0.brokenPromises) }
    if requests == 0 || broken > 0 {
      print("\nNot as promised.")
      exit(1)
    }
    print("\nDone: \(requests) requests.")
    exit(0)
  }

  /// Ends the program in any case, should it wait for what never comes.
  func giveUp(after limit: Duration) {
    Task {
      try await Task.sleep(for: limit)
      print("\nNothing has happened for too long.")
      exit(1)
    }
  }

  private func line(_ what: String, _ text: String) {
    let time = (ContinuousClock.now - start).inMilliseconds
    let indent = String(repeating: " ", count: max(0, 10 - time.count))
    print(indent + time + "  " + what.padding(toLength: 10, withPad: " ", startingAt: 0), text)
  }
}

extension Duration {
  fileprivate var inMilliseconds: String {
    String(format: "%.1f ms", self / .milliseconds(1))
  }
}

extension String {
  fileprivate func shortened(to length: Int) -> String {
    count <= length ? self : prefix(length) + "…"
  }
}
