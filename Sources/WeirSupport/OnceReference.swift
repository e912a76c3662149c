/// A reference that is set at most once, and read without a lock.
///
/// `AtomicLazyReference` does the same, but on Linux its methods are not specialized: each load
/// looks up its own type, which took longer than the rest of a typed hit.
@usableFromInline
package struct OnceReference<Object: AnyObject & Sendable>: ~Copyable, Sendable {
  /// The address of the object, which it owns; 0 if there is none.
  @usableFromInline let address: AtomicWord

  /// Creates a reference, which is set at once if there is an object.
  @inlinable
  package init(_ object: Object? = nil) {
    let mine = object.map { UInt(bitPattern: Unmanaged.passRetained($0).toOpaque()) }
    address = AtomicWord(UInt64(mine ?? 0))
  }

  @inlinable deinit {
    if let object = Self.unmanaged(address.load()) { object.release() }
  }

  /// Returns the object that was stored; nil if there is none yet.
  @inlinable
  package borrowing func load() -> Object? {
    Self.unmanaged(address.load())?.takeUnretainedValue()
  }

  /// Stores an object unless there is one already.
  ///
  /// - Returns: the object that is stored from now on.
  @inlinable package borrowing func storeIfNil(_ object: Object) -> Object {
    let mine = Unmanaged.passRetained(object)
    let original = address.replace(0, by: UInt64(UInt(bitPattern: mine.toOpaque())))
    guard let other = Self.unmanaged(original) else { return object }
    mine.release()
    return other.takeUnretainedValue()
  }

  /// Proof: only `init` and `storeIfNil` store an address, after they have retained the object; it is
  /// never changed after that, and released in `deinit`. So while it can be read, the object
  /// exists.
  @inlinable
  static func unmanaged(_ address: UInt64) -> Unmanaged<Object>? {
    UnsafeRawPointer(bitPattern: UInt(address)).map(Unmanaged.fromOpaque)
  }
}
