/// A value that is only reachable while a lock is held.
///
/// The closure must not suspend, must not call a user's code, and must not take the same lock again.
@usableFromInline
package final class Locked<State>: Sendable {
  // Proof: `state` is read and written only inside `withLock`, between `lock` and `unlock`.
  @usableFromInline nonisolated(unsafe) var state: State
  private let lock = Lock()

  @inlinable package init(_ state: sending State) {
    self.state = state
  }

  /// Runs `body` with exclusive access to the state.
  @inlinable @inline(__always)
  package func withLock<Result, Failure: Error>(
    _ body: (inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    acquire()
    defer { release() }
    return try body(&state)
  }

  // What the lock is made of is no concern of other modules, so these are calls for them.
  @usableFromInline func acquire() { lock.lock() }
  @usableFromInline func release() { lock.unlock() }
}
