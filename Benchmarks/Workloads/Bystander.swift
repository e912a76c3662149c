import Foundation
import Weir
import WeirNormalized

/// A thread that reads something small from a store without pause.
final class Bystander: Sendable {
  private struct State {
    var isStarted = false
    var isEnding = false
    var longestWait: Duration?
  }

  private let state = Locked(State())

  /// Starts the thread, and returns after its first read.
  init(of store: NormalizedStore) {
    let operation = GraphQLOperation("{ viewer }")
    Thread { [state] in
      var longest = Duration.zero
      var isFirst = true
      while !state.withLock({ $0.isEnding }) {
        let start = ContinuousClock.now
        use(store.read(operation))
        let wait = ContinuousClock.now - start
        // The first read creates things that later ones find.
        if !isFirst { longest = max(longest, wait) }
        isFirst = false
        state.withLock { $0.isStarted = true }
      }
      state.withLock { $0.longestWait = longest }
    }.start()
    while !state.withLock({ $0.isStarted }) { sched_yield() }
  }

  /// Ends the thread, and returns the longest time that a read has taken.
  func longestWait() -> Duration {
    state.withLock { $0.isEnding = true }
    while true {
      if let wait = state.withLock({ $0.longestWait }) { return wait }
      sched_yield()
    }
  }
}
