import Foundation
import Weir

/// Prints events with their times, and counts failed expectations.
final class Timeline: Sendable {
  private struct State {
    var requestCount = 0
    var failures = 0
  }

  private let start = ContinuousClock.now
  private let state = Locked(State())

  /// The number of requests.
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
    line("request \(number)", "\(name), took \(duration.inMilliseconds)")
  }

  func show(_ result: OperationResult) {
    let state = result.isStale ? "stale" : "\(result.outcome)"
    if let error = result.error { line("error", "\(error)") }
    if let data = result.data { line(state, data.description.shortened(to: 120)) }
  }

  /// Prints an expectation, and whether it was met.
  func expect(_ isMet: Bool, _ expectation: String) {
    line(isMet ? "ok" : "FAILED", expectation)
    if !isMet { state.withLock { $0.failures += 1 } }
  }

  /// Ends the program, with the code 0 if all expectations were met.
  func end() -> Never {
    let (requests, failures) = state.withLock { ($0.requestCount, $0.failures) }
    if requests == 0 || failures > 0 {
      print("\nSome expectations were not met.")
      exit(1)
    }
    print("\nDone: \(requests) requests.")
    exit(0)
  }

  /// Ends the program after a time limit, so that it never hangs.
  func giveUp(after limit: Duration) {
    Task {
      try await Task.sleep(for: limit)
      print("\nTimed out.")
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
