import Foundation

/// Calls a closure on another thread when it is released, and notes whether the closure ends meanwhile.
/// It does not if it needs a lock that is held by whoever releases the probe.
package final class ReleaseProbe: Sendable {
  private let use: @Sendable () -> Void
  private let note: @Sendable (Bool) -> Void

  package init(_ use: @escaping @Sendable () -> Void, note: @escaping @Sendable (Bool) -> Void) {
    self.use = use
    self.note = note
  }

  deinit {
    let ended = DispatchSemaphore(value: 0)
    Thread.detachNewThread { [use] in
      use()
      ended.signal()
    }
    // Only if the test fails does it take that long.
    note(ended.wait(timeout: .now() + 20) == .success)
  }
}
