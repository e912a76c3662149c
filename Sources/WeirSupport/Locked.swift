public import Foundation

#if canImport(Android)
  public import Android
#endif

/// A value that can be reached only while a lock of the system is held.
///
/// The closure must not suspend, must not call users' code, and must not take the same lock again.
///
/// (`NSLock` takes five allocations on Linux, and twice the time. `Synchronization.Mutex` would do, but
/// the thread sanitizer does not see it there, and reports races that do not exist.)
@usableFromInline
package struct Locked<State>: Sendable {
  // Proof: the state is read and written only by `withLock`, while the lock is held. Any thread may pass
  // the lock to the system's functions, and nothing else uses it.
  @usableFromInline nonisolated(unsafe) let storage: LockedStorage<State>

  @inlinable package init(_ state: sending State) {
    storage = .make(state)
  }

  /// Identifies the lock among those that exist.
  package var id: ObjectIdentifier { ObjectIdentifier(storage) }

  /// Runs `body` with exclusive access to the state.
  @inlinable
  package func withLock<Result, Failure: Error>(
    _ body: (inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // The pointers are valid as long as the object exists, which `self` retains.
    try storage.withUnsafeMutablePointers { state, mutex throws(Failure) in
      pthread_mutex_lock(mutex)
      defer { pthread_mutex_unlock(mutex) }
      return try body(&state.pointee)
    }
  }
}

extension Locked {
  /// A reference that does not keep the state.
  @usableFromInline
  package struct Weak: Sendable {
    // Proof: as `storage` of `Locked`; a weak reference may be read by any thread.
    @usableFromInline nonisolated(unsafe) weak var storage: LockedStorage<State>?

    @inlinable package init(_ locked: Locked) {
      storage = locked.storage
    }

    /// The same state; nil if it is gone.
    @inlinable package var locked: Locked? { storage.map(Locked.init(storage:)) }
  }

  @usableFromInline init(storage: LockedStorage<State>) {
    self.storage = storage
  }
}

/// A state and its lock, in one block of memory.
@usableFromInline
package final class LockedStorage<State>: ManagedBuffer<State, pthread_mutex_t> {
  @inlinable @inline(__always)
  static func make(_ state: sending State) -> LockedStorage {
    let made = create(minimumCapacity: 1) { _ in state }
    // Proof: `create` makes an object of the class that it is called on.
    let storage = unsafeDowncast(made, to: LockedStorage.self)
    storage.withUnsafeMutablePointerToElements { mutex in
      mutex.initialize(to: pthread_mutex_t())
      #if canImport(Glibc)
        var attributes = LockAttributes.spinning
        pthread_mutex_init(mutex, &attributes)
      #else
        pthread_mutex_init(mutex, nil)
      #endif
    }
    return storage
  }

  @inlinable deinit {
    withUnsafeMutablePointerToElements { _ = pthread_mutex_destroy($0) }
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
    try storage.withUnsafeMutablePointerToElements { mutex throws(Failure) in
      pthread_mutex_lock(mutex)
      defer { pthread_mutex_unlock(mutex) }
      return try body()
    }
  }
}

extension Locked: CustomReflectable {
  /// Nothing: reading the state would need the lock, and it may hold credentials.
  @usableFromInline package var customMirror: Mirror { Mirror(self, children: []) }
}
