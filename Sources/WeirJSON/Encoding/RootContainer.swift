import WeirSupport

/// The container of an outermost object, and what it writes into, kept for the next value of the
/// same type: to make one, the run-time looks three types up, which takes longer than to write a
/// few variables.
///
/// Used by one encoding after the other: who takes it out of its ``SpareReference`` has it alone.
/// No encoding sees what another one has written, since containers are not `Sendable`, and those
/// that a synchronous `encode(to:)` was given cannot outlive the call but by way of its task.
package class RootContainer {
  let storage: EncodingStorage
  fileprivate let keys: ObjectIdentifier
  fileprivate let depth: Int

  fileprivate init(_ storage: EncodingStorage, keys: ObjectIdentifier, depth: Int) {
    self.storage = storage
    self.keys = keys
    self.depth = depth
  }
}

/// Generic over the container, not over its keys: so the run-time finds the container's type in that of
/// the object, and looks nothing up to copy it.
private final class KeptContainer<Container>: RootContainer {
  private let container: Container

  init(_ container: Container, _ storage: EncodingStorage, keys: ObjectIdentifier, depth: Int) {
    self.container = container
    super.init(storage, keys: keys, depth: depth)
  }

  @inline(never)
  func copy() -> Container { container }
}

extension EncodingStorage {
  /// One that is empty: the one that was given back last, if there is one.
  static func take(from spare: borrowing SpareReference<RootContainer>) -> EncodingStorage {
    guard let root = spare.take() else {
      let storage = make(.canonical)
      storage.withState { $0.keepsRoot = true }
      return storage
    }
    root.storage.withState { state in
      state.reset()
      state.root = root
    }
    return root.storage
  }

  /// The outermost object is written.
  func giveBack(to spare: borrowing SpareReference<RootContainer>) {
    let root = withState { state in
      // The root refers to the storage, so it is taken out in any case.
      let root = state.root.take()
      return state.isSmall ? root : nil
    }
    if let root { spare.give(root) }
  }

  /// The container of the outermost object: the one that is kept for these keys, if there is one.
  @inline(__always)
  func rootContainer<Key: CodingKey>(
    keyedBy type: Key.Type, depth: Int
  ) -> KeyedEncodingContainer<Key> {
    let root = withState { $0.root }
    if let root, root.keys == ObjectIdentifier(type), root.depth == depth {
      // Proof: only `newRootContainer` makes one, with the identifier of its container's keys.
      return unsafeDowncast(root, to: KeptContainer<KeyedEncodingContainer<Key>>.self).copy()
    }
    return newRootContainer(keyedBy: type, depth: depth)
  }

  @inline(never)
  private func newRootContainer<Key: CodingKey>(
    keyedBy type: Key.Type, depth: Int
  ) -> KeyedEncodingContainer<Key> {
    let container = KeyedEncodingContainer(
      ObjectEncodingContainer<Key>(storage: self, object: 0, depth: depth))
    withState { state in
      guard state.keepsRoot else { return }
      // In place of one for other keys: the next value is likely to have those of this one.
      state.root = KeptContainer(container, self, keys: ObjectIdentifier(type), depth: depth)
    }
    return container
  }
}
