import Synchronization

/// A place for one object that is costly to make, from which whoever needs one takes it, and to which
/// it is given back. Costs an atomic exchange each; nobody waits.
package struct SpareReference<Object: AnyObject>: ~Copyable, Sendable {
  /// The address of the object, which it owns; 0 if there is none.
  private let address = Atomic<UInt>(0)

  package init() {}

  deinit {
    release(address.load(ordering: .acquiring))
  }

  /// The object, which is the caller's alone now; nil if somebody else has it.
  @inline(__always)
  package borrowing func take() -> Object? {
    Self.unmanaged(address.exchange(0, ordering: .acquiring))?.takeRetainedValue()
  }

  /// Puts an object there that nobody else refers to, in place of another one if there is one.
  @inline(__always)
  package borrowing func give(_ object: Object) {
    let mine = Unmanaged.passRetained(object)
    release(address.exchange(UInt(bitPattern: mine.toOpaque()), ordering: .acquiringAndReleasing))
  }

  private borrowing func release(_ address: UInt) {
    Self.unmanaged(address)?.release()
  }

  /// Proof: an address is only stored by `give`, after the object was retained, and whoever takes it
  /// away by an exchange, or by `deinit`, is the only one to release it. So each is released once,
  /// and two threads never have the same object.
  @inline(__always)
  private static func unmanaged(_ address: UInt) -> Unmanaged<Object>? {
    UnsafeRawPointer(bitPattern: address).map(Unmanaged.fromOpaque)
  }
}
