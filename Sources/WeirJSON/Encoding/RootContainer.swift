/// The container of a root object and the storage that it writes into, kept for the next value of
/// the same type: to create a container, the runtime looks up three types, which takes longer than
/// writing a few variables.
///
/// Only one encoding at a time uses it: the one that took it out of its ``SpareEncoding``. No
/// encoding reads what another one wrote: containers are not `Sendable`, and those that a
/// synchronous `encode(to:)` receives cannot outlive the call except within the same task.
class RootContainer {
  let storage: EncodingStorage
  fileprivate let keys: ObjectIdentifier
  fileprivate let depth: Int

  fileprivate init(_ storage: EncodingStorage, keys: ObjectIdentifier, depth: Int) {
    self.storage = storage
    self.keys = keys
    self.depth = depth
  }
}

/// Generic over the container, not over its keys, so that the runtime finds the container's type in
/// that of the object, and need not look it up to copy it.
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
  /// Returns empty storage: the one that was given back, or a new one.
  static func take(from spare: borrowing SpareEncoding) -> EncodingStorage {
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

  /// Gives the storage back when the value is written.
  func giveBack(to spare: borrowing SpareEncoding) {
    let root = withState { state in
      // Removed in any case, because the root refers to the storage.
      let root = state.root.take()
      state.attachments = nil
      return state.isSmall ? root : nil
    }
    if let root { spare.give(root) }
  }

  /// Returns the container of the root object: the kept one if it has these keys, or a new one.
  func rootContainer<Key: CodingKey>(
    keyedBy type: Key.Type, depth: Int
  ) -> KeyedEncodingContainer<Key> {
    let root = withState { $0.root }
    if let root, root.keys == ObjectIdentifier(type), root.depth == depth {
      // Proof: only `newRootContainer` creates one, with the identifier of its container's keys.
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
      // Replaces one for other keys: the next value probably has the same keys as this one.
      state.root = KeptContainer(container, self, keys: ObjectIdentifier(type), depth: depth)
    }
    return container
  }
}
