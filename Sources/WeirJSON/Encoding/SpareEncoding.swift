internal import WeirSupport

/// The storage and the root container of an encoding, kept for the next encoding of the same
/// operation's variables.
///
/// Taking and giving it back costs an atomic exchange each, and never waits: an encoding that finds
/// none, because another one is using it, creates its own.
package struct SpareEncoding: ~Copyable, Sendable {
  /// The address of a `RootContainer`, which this value owns; 0 if there is none.
  private let address = AtomicWord()

  package init() {}

  deinit {
    release(address.load())
  }

  /// Takes the container, which the caller then has alone; nil if there is none.
  borrowing func take() -> RootContainer? {
    Self.unmanaged(address.exchange(0))?.takeRetainedValue()
  }

  /// Stores a container that the caller has alone, and drops the one that was there.
  borrowing func give(_ root: RootContainer) {
    let mine = Unmanaged.passRetained(root)
    release(address.exchange(UInt64(UInt(bitPattern: mine.toOpaque()))))
  }

  private borrowing func release(_ address: UInt64) {
    Self.unmanaged(address)?.release()
  }

  /// Proof: only `give` stores an address, after it has retained the container. `take`, `give` and
  /// `deinit` remove it by an exchange or at the end, so each address is released once, and two
  /// threads never have the same container.
  private static func unmanaged(_ address: UInt64) -> Unmanaged<RootContainer>? {
    UnsafeRawPointer(bitPattern: UInt(address)).map(Unmanaged.fromOpaque)
  }
}
