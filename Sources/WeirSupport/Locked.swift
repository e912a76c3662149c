public import Foundation

/// A value that can be reached only while a lock of the system is held.
///
/// The closure must not suspend, must not call users' code, and must not take the same lock again.
///
/// (`NSLock` takes five allocations on Linux, and twice the time. `Synchronization.Mutex` would do, but
/// the thread sanitizer does not see it there, and reports races that do not exist.)
@usableFromInline
package final class Locked<State>: Sendable {
  // Proof: the state is read and written only by `withLock`, while the lock is held. So no two accesses
  // overlap, and the runtime need not look for any, which took 4 % of a cache hit.
  @exclusivity(unchecked) @usableFromInline nonisolated(unsafe) var state: State
  // Proof: initialized by `init`, never changed, and freed by `deinit`. Any thread may pass the lock to
  // the system's functions, and nothing else uses it.
  @usableFromInline nonisolated(unsafe) let mutex: UnsafeMutablePointer<pthread_mutex_t>

  @inlinable package init(_ state: sending State) {
    self.state = state
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    #if canImport(Glibc)
      var attributes = LockAttributes.spinning
      pthread_mutex_init(mutex, &attributes)
    #else
      pthread_mutex_init(mutex, nil)
    #endif
  }

  @inlinable deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Runs `body` with exclusive access to the state.
  @inlinable
  package func withLock<Result, Failure: Error>(
    _ body: (inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&state)
  }
}

#if canImport(Glibc)
  @usableFromInline
  package enum LockAttributes {
    /// Lets a thread look again for some tens of nanoseconds before it sleeps. The locks are held for less,
    /// and putting a thread to sleep and waking it takes microseconds.
    @usableFromInline static let spinning: pthread_mutexattr_t = {
      var attributes = pthread_mutexattr_t()
      pthread_mutexattr_init(&attributes)
      pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_ADAPTIVE_NP))
      return attributes
    }()
  }
#endif

/// A lock for state that is elsewhere.
extension Locked where State == Void {
  /// Runs `body` while the lock is held.
  ///
  /// The empty state is not accessed: the thread sanitizer would take its address for the object's.
  @inlinable
  package func withLock<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body()
  }
}

extension Locked: CustomReflectable {
  /// Nothing: reading the state would need the lock, and it may hold credentials.
  @usableFromInline package var customMirror: Mirror { Mirror(self, children: []) }
}
