import Foundation
import Weir
import WeirNormalized

/// Somebody who asks a store for something small without pause, on a thread of its own.
final class Bystander: Sendable {
  private struct State {
    var isStarted = false
    var isAsked = false
    var longestWait: Duration?
  }

  private let state = Locked(State())

  /// Begins; returns when the store was asked for the first time.
  init(of store: NormalizedStore) {
    let operation = GraphQLOperation("{ viewer }")
    Thread { [state] in
      var longest = Duration.zero
      var isFirst = true
      while !state.withLock({ $0.isAsked }) {
        let start = ContinuousClock.now
        use(store.read(operation))
        let wait = ContinuousClock.now - start
        // The first time there is something to be made.
        if !isFirst { longest = max(longest, wait) }
        isFirst = false
        state.withLock { $0.isStarted = true }
      }
      state.withLock { $0.longestWait = longest }
    }.start()
    while !state.withLock({ $0.isStarted }) { sched_yield() }
  }

  /// Ends; how long an answer has taken at most.
  func longestWait() -> Duration {
    state.withLock { $0.isAsked = true }
    while true {
      if let wait = state.withLock({ $0.longestWait }) { return wait }
      sched_yield()
    }
  }
}
