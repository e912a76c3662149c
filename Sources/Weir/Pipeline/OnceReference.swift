import Synchronization

/// A reference that is set at most once, and read without a lock.
///
/// `AtomicLazyReference` is the same, but on Linux its methods are not specialized: each load looks
/// its own type up, which took longer than the rest of a typed hit.
struct OnceReference<Object: AnyObject & Sendable>: ~Copyable, Sendable {
  /// The address of the object, which it owns; 0 if there is none.
  private let address = Atomic<UInt>(0)

  deinit {
    if let object = Self.unmanaged(address.load(ordering: .acquiring)) { object.release() }
  }

  /// What it was set to; nil if it was not.
  @inline(__always)
  borrowing func load() -> Object? {
    Self.unmanaged(address.load(ordering: .acquiring))?.takeUnretainedValue()
  }

  /// Sets it unless it is set already.
  ///
  /// - Returns: what it is set to from now on.
  borrowing func storeIfNil(_ object: Object) -> Object {
    let mine = Unmanaged.passRetained(object)
    let (exchanged, original) = address.compareExchange(
      expected: 0, desired: UInt(bitPattern: mine.toOpaque()), ordering: .acquiringAndReleasing)
    guard !exchanged, let other = Self.unmanaged(original) else { return object }
    mine.release()
    return other.takeUnretainedValue()
  }

  /// Proof: an address is only stored by `storeIfNil`, after the object was retained, never changed
  /// then, and released in `deinit`; so while it can be read, the object is there.
  @inline(__always)
  private static func unmanaged(_ address: UInt) -> Unmanaged<Object>? {
    UnsafeRawPointer(bitPattern: address).map(Unmanaged.fromOpaque)
  }
}
