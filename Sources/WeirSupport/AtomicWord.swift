#if canImport(Darwin)
  // `Atomic` needs macOS 15 or iOS 18, and a stored property cannot be conditional.
#else
  public import Synchronization
#endif

/// A number that tasks and threads read and change without waiting for each other.
///
/// On Apple's platforms it is a lock around the number, because `Atomic` does not exist on the
/// oldest systems that Weir supports. All operations are sequentially consistent.
@usableFromInline
package struct AtomicWord: ~Copyable, Sendable {
  #if canImport(Darwin)
    @usableFromInline let value: Locked<UInt64>
  #else
    @usableFromInline let value: Atomic<UInt64>
  #endif

  @inlinable
  package init(_ value: UInt64 = 0) {
    #if canImport(Darwin)
      self.value = Locked(value)
    #else
      self.value = Atomic(value)
    #endif
  }

  @inlinable
  package borrowing func load() -> UInt64 {
    #if canImport(Darwin)
      value.withLock { $0 }
    #else
      value.load(ordering: .sequentiallyConsistent)
    #endif
  }

  /// Replaces the number if it is still the expected one.
  ///
  /// - Returns: the number that was there before.
  @inlinable
  package borrowing func replace(_ expected: UInt64, by new: UInt64) -> UInt64 {
    #if canImport(Darwin)
      value.withLock { current in
        let original = current
        if original == expected { current = new }
        return original
      }
    #else
      value.compareExchange(
        expected: expected, desired: new, ordering: .sequentiallyConsistent
      ).original
    #endif
  }

  /// Replaces the number by what `change` makes of it. Calls `change` again if another thread was
  /// faster.
  ///
  /// - Returns: the number that was there before.
  @inlinable
  borrowing func update(_ change: (UInt64) -> UInt64) -> UInt64 {
    var old = load()
    while true {
      let found = replace(old, by: change(old))
      if found == old { return old }
      old = found
    }
  }

  /// Adds to the number.
  ///
  /// - Returns: the new number.
  @inlinable @discardableResult
  package borrowing func add(_ amount: UInt64) -> UInt64 { update { $0 + amount } + amount }

  /// Replaces the number by `other` if that is greater.
  ///
  /// - Returns: whether it was.
  @inlinable @discardableResult
  package borrowing func raise(to other: UInt64) -> Bool { update { max($0, other) } < other }

  /// Replaces the number.
  ///
  /// - Returns: the number that was there before.
  @inlinable
  package borrowing func exchange(_ new: UInt64) -> UInt64 { update { _ in new } }
}
