/// A value that can be reached only while a lock is held.
///
/// The closure must not suspend, must not call users' code, and must not take the same lock again.
@usableFromInline
package final class Locked<State>: Sendable {
  // Proof: `state` is read and written only by `withLock`, while the lock is held.
  @usableFromInline nonisolated(unsafe) var state: State
  @usableFromInline let lock = Lock()

  @inlinable package init(_ state: sending State) {
    self.state = state
  }

  /// Runs `body` with exclusive access to the state.
  @inlinable @inline(__always)
  package func withLock<Result, Failure: Error>(
    _ body: (inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&state)
  }
}
