public import Weir

/// What a store has of an operation or a fragment, for as long as it is iterated: now, and again
/// whenever it is different. Nil while something is missing.
///
/// It reads the store only; `client.watch` fetches what is missing, too. Nothing is noted anywhere
/// while nobody waits, so leaving the loop is all there is to end it. A slow consumer gets the
/// newest state.
public struct StoreWatch: AsyncSequence, Sendable {
  /// The data.
  public typealias Element = JSON?
  /// It never throws.
  public typealias Failure = Never

  let store: NormalizedStore
  let target: ReadTarget

  /// Starts an iteration.
  public func makeAsyncIterator() -> Iterator { Iterator(store: store, target: target) }

  /// One iteration of a ``StoreWatch``.
  public struct Iterator: AsyncIteratorProtocol {
    let store: NormalizedStore
    let target: ReadTarget
    private var shown: JSON??
    private var signal: RefreshSignal?

    init(store: NormalizedStore, target: ReadTarget) {
      self.store = store
      self.target = target
    }

    /// The data when they are different from the last ones; nil at the end, which comes when the
    /// task is cancelled.
    public mutating func next(isolation: isolated (any Actor)?) async -> JSON?? {
      while !Task.isCancelled {
        if let signal, await signal.fired() == nil { return nil }
        var stored = store.result(of: target)
        if stored?.isComplete != true, store.link != nil {
          await store.load(target)
          stored = store.result(of: target)
        }
        signal = stored?.signal
        let data = stored.flatMap { $0.isComplete ? $0.payload?.data : nil }
        if let shown, shown == data { continue }
        shown = .some(data)
        return .some(data)
      }
      return nil
    }
  }
}

extension NormalizedStore {
  /// What the store has of an operation, now and whenever it is different.
  public func watch(_ operation: GraphQLOperation) -> StoreWatch {
    StoreWatch(store: self, target: ReadTarget(operation.ofAnySession))
  }

  /// What a fragment selects of an entity, now and whenever it is different.
  public func watch(_ fragment: GraphQLFragment, of entity: Entity) -> StoreWatch {
    StoreWatch(store: self, target: ReadTarget(fragment, of: entity))
  }

  /// What a fragment selects of an entity, if everything is there; else nil.
  public func read(_ fragment: GraphQLFragment, of entity: Entity) -> JSON? {
    guard let stored = result(of: ReadTarget(fragment, of: entity)), stored.isComplete else {
      return nil
    }
    return stored.payload?.data
  }
}
