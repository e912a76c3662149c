#if os(Linux) || os(macOS)
  import Foundation
  import Weir

  /// The end of the process, during which no thread may use libcurl: OpenSSL frees what its
  /// connections use when the process exits, while other threads still run.
  enum ProcessExit {
    private struct State {
      /// The number of threads that use libcurl.
      var working = 0
      var hasBegun = false
    }

    private static let state = Locked(State())
    /// A thread needs milliseconds for one turn. Longer, it may be the one that ends the process.
    private static let patience = 1_000

    /// Called once, after libcurl was initialized: the functions that it registered run after this one.
    static func watch() {
      atexit { ProcessExit.begin() }
    }

    private static func begin() {
      state.withLock { $0.hasBegun = true }
      var milliseconds = 0
      while milliseconds < patience, state.withLock({ $0.working > 0 }) {
        usleep(1_000)
        milliseconds += 1
      }
    }

    /// Notes that this thread uses libcurl from now on. Never returns while the process ends.
    static func beginWork() {
      let mayWork = state.withLock { state in
        if !state.hasBegun { state.working += 1 }
        return !state.hasBegun
      }
      while !mayWork { sleep(1_000) }
    }

    static func endWork() {
      state.withLock { $0.working -= 1 }
    }
  }
#endif
