public import Weir

/// Keeps what an operation shows, or an entity, from being collected, until you release the pin or drop it.
public final class StorePin: Sendable {
  private let store: NormalizedStore
  private let target: OperationIdentity
  private let isReleased = Locked(false)

  fileprivate init(_ store: NormalizedStore, _ target: OperationIdentity) {
    self.store = store
    self.target = target
  }

  deinit { release() }

  /// Releases the pin; a second call does nothing.
  public func release() {
    let isFirst = isReleased.withLock { isReleased in
      defer { isReleased = true }
      return !isReleased
    }
    if isFirst { store.state.withLock { $0.size.unpin(target) } }
  }
}

extension NormalizedStore {
  /// Keeps what a query shows, and what that leads to, from being collected, until the pin is
  /// released. The data need not be there yet. What is only in a storage with a budget
  /// (``NormalizedCacheConfiguration/maximumStoredBytes``) is loaded in the background. (If another process adds
  /// an element to a list of it later, the storage does not keep what that leads to until something reads it.)
  public func pin(_ operation: GraphQLOperation) -> StorePin {
    let pin = hold(operation)
    if operation.defect == nil {
      partition(of: operation.context).loadPinned(ReadTarget(inCurrentSession: operation))
    }
    return pin
  }

  /// Pins an operation for a moment, and loads nothing.
  func hold(_ operation: GraphQLOperation) -> StorePin {
    let store = partition(of: operation.context)
    store.state.withLock { $0.size.pin(operation) }
    return StorePin(store, operation.identity)
  }

  /// Only memory knows what a pinned record leads to, which the storage must not remove.
  private func loadPinned(_ target: ReadTarget) {
    if configuration.maximumStoredBytes != nil { link?.loadLater(target) }
  }

  /// Keeps what a generated query shows; see ``pin(_:)-(GraphQLOperation)``.
  public func pin(_ query: some GeneratedQuery) -> StorePin { pin(query.operation()) }

  /// Keeps what a typed query shows; see ``pin(_:)-(GraphQLOperation)``.
  public func pin<Data, Variables>(
    _ query: Query<Data, Variables>, _ variables: Variables
  ) -> StorePin {
    pin(query.operation(variables))
  }

  /// Keeps an entity, and what it leads to, from being collected, until the pin is released. Without that,
  /// ``collect(_:)`` evicts an entity to which no field of the query root leads, such as a draft that only
  /// your app knows. The entity need not be there yet. What the fragment selects, and is only in a storage with
  /// a budget, is loaded in the background. To keep fields of a root, pin an operation; a pin of
  /// ``Entity/query`` keeps nothing.
  ///
  /// A removal, `clear()` and a switch of the session remove it nevertheless.
  public func pin(_ fragment: GraphQLFragment, of entity: Entity) -> StorePin {
    let target = ReadTarget(fragment, of: entity, catalog)
    state.withLock { $0.size.pin(target) }
    if target.defect == nil { loadPinned(target) }
    return StorePin(self, target.identity)
  }

  /// Keeps an entity from being collected; see ``pin(_:of:)-(GraphQLFragment,_)``.
  public func pin<Data>(_ fragment: Fragment<Data>, of entity: Entity) -> StorePin {
    pin(fragment.untyped, of: entity)
  }
}
