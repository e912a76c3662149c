import Foundation

/// A lock of the system.
///
/// `NSLock` is one as well, but on Linux it takes five allocations and twice the time.
/// `Synchronization.Mutex` would do, but the thread sanitizer cannot see it there, and reports races
/// that are none.
struct Lock: ~Copyable, @unchecked Sendable {
  // Proof: made by `init`, never changed, and given back by `deinit`, so it is there while this is.
  // What it points to is for calls of the system only, which may come from any thread.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>

  init() {
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  @inline(__always)
  borrowing func lock() { pthread_mutex_lock(mutex) }

  @inline(__always)
  borrowing func unlock() { pthread_mutex_unlock(mutex) }

  /// Runs `body` while nobody else holds the lock.
  @inline(__always)
  borrowing func withLock<Result>(_ body: () -> Result) -> Result {
    lock()
    defer { unlock() }
    return body()
  }
}
