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
  public func makeAsyncIterator() -> Iterator {
    Iterator(readings: StoreReadings(store: store, target: target))
  }

  /// One iteration of a ``StoreWatch``.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var readings: StoreReadings

    /// The data when they are different from the last ones; nil at the end, which comes when the
    /// task is cancelled.
    public mutating func next(isolation: isolated (any Actor)?) async -> JSON?? {
      await readings.next(isolation: isolation).map { $0?.data }
    }
  }
}

/// The same for data that have a type of yours. What has not changed within a long list is not
/// decoded again.
public struct TypedStoreWatch<Data: Decodable & Sendable>: AsyncSequence, Sendable {
  /// The data.
  public typealias Element = Data?
  /// Thrown with the code `decoding` if the data do not fit the type.
  public typealias Failure = OperationError

  fileprivate let store: NormalizedStore
  fileprivate let target: ReadTarget

  /// Starts an iteration.
  public func makeAsyncIterator() -> Iterator {
    Iterator(readings: StoreReadings(store: store, target: target))
  }

  /// One iteration of a ``TypedStoreWatch``.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var readings: StoreReadings

    /// The data when they are different from the last ones; nil at the end, which comes when the
    /// task is cancelled.
    ///
    /// - Throws: `OperationError` with the code `decoding`. The iteration may go on.
    public mutating func next(
      isolation: isolated (any Actor)?
    ) async throws(OperationError) -> Data?? {
      guard let reading = await readings.next(isolation: isolation) else { return nil }
      return .some(try reading?.decoded(as: Data.self))
    }
  }
}

/// What is read again and again, as long as it is different each time.
private struct StoreReadings {
  let store: NormalizedStore
  let target: ReadTarget
  private var shown: ResultPayload??
  private var signal: RefreshSignal?

  init(store: NormalizedStore, target: ReadTarget) {
    self.store = store
    self.target = target
  }

  mutating func next(isolation: isolated (any Actor)?) async -> ResultPayload?? {
    while !Task.isCancelled {
      if let signal, await signal.fired() == nil { return nil }
      var stored = store.result(of: target)
      if stored?.isComplete != true || stored?.mayLackStored == true, store.link != nil {
        await store.load(target)
        stored = store.result(of: target)
      }
      signal = stored?.signal
      let payload = stored.flatMap { $0.isComplete ? $0.payload : nil }
      if let shown, shown?.data == payload?.data { continue }
      shown = .some(payload)
      return .some(payload)
    }
    return nil
  }
}

extension NormalizedStore {
  /// What the store has of an operation, now and whenever it is different.
  public func watch(_ operation: GraphQLOperation) -> StoreWatch {
    StoreWatch(store: self, target: ReadTarget(operation.ofAnySession))
  }

  /// What a fragment selects of an entity, now and whenever it is different.
  public func watch(_ fragment: GraphQLFragment, of entity: Entity) -> StoreWatch {
    StoreWatch(store: self, target: ReadTarget(fragment, of: entity, catalog))
  }

  /// The data of a query, decoded, now and whenever they are different.
  public func watch<Data, Variables>(
    _ query: Query<Data, Variables>, _ variables: Variables
  ) -> TypedStoreWatch<Data> {
    TypedStoreWatch(store: self, target: ReadTarget(query.operation(variables).ofAnySession))
  }

  /// What a fragment selects of an entity, decoded, now and whenever it is different.
  public func watch<Data>(_ fragment: Fragment<Data>, of entity: Entity) -> TypedStoreWatch<Data> {
    TypedStoreWatch(store: self, target: ReadTarget(fragment.untyped, of: entity, catalog))
  }

  /// What a fragment selects of an entity, if everything is there; else nil.
  public func read(_ fragment: GraphQLFragment, of entity: Entity) -> JSON? {
    guard let stored = result(of: ReadTarget(fragment, of: entity, catalog)), stored.isComplete
    else {
      return nil
    }
    return stored.payload?.data
  }
}
