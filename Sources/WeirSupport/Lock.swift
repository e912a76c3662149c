public import Foundation

/// A lock of the system.
///
/// `NSLock` is one too, but on Linux it takes five allocations and twice the time.
/// `Synchronization.Mutex` would do, but the thread sanitizer does not see it there, and reports
/// races that do not exist.
@usableFromInline
package struct Lock: ~Copyable, @unchecked Sendable {
  // Proof: allocated and initialized by `init`, never changed, and freed by `deinit`, so it is
  // valid as long as the lock is. Only the system's functions use its content, and any thread may
  // call them.
  @usableFromInline let mutex: UnsafeMutablePointer<pthread_mutex_t>

  @inlinable package init() {
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
  }

  @inlinable deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  @inlinable @inline(__always)
  package borrowing func lock() { pthread_mutex_lock(mutex) }

  @inlinable @inline(__always)
  package borrowing func unlock() { pthread_mutex_unlock(mutex) }

  /// Runs `body` while holding the lock.
  @inlinable
  package borrowing func withLock<Result>(_ body: () -> Result) -> Result {
    lock()
    defer { unlock() }
    return body()
  }
}
