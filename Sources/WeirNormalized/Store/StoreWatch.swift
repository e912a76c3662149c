public import Weir

/// The sequence of a store's data for an operation or a fragment: the current data, and again the data
/// after each change. An element is nil while something is missing.
///
/// The sequence only reads the store; `client.watch` also fetches missing data. Leave the loop to end the
/// watch. A slow consumer gets the newest state.
public struct StoreWatch: AsyncSequence, Sendable {
  /// The data.
  public typealias Element = JSON?
  /// The sequence never throws.
  public typealias Failure = Never

  let store: NormalizedStore
  let target: ReadTarget

  /// Starts an iteration.
  public func makeAsyncIterator() -> Iterator {
    Iterator(readings: ChangedReadings(store: store, target: target))
  }

  /// One iteration of a ``StoreWatch``.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var readings: ChangedReadings

    /// Returns the data as soon as it differs from the last element; nil when the task is cancelled.
    public mutating func next(isolation: isolated (any Actor)?) async -> JSON?? {
      await readings.next(isolation: isolation).map { $0?.data }
    }

    /// Returns the data as soon as it differs from the last element; nil when the task is cancelled.
    public mutating func next() async -> JSON?? {
      await next(isolation: #isolation)
    }
  }
}

/// A ``StoreWatch`` that decodes the data as a type of yours. Unchanged elements of a long list are not
/// decoded again.
public struct TypedStoreWatch<Data: Decodable & Sendable>: AsyncSequence, Sendable {
  /// The data.
  public typealias Element = Data?
  /// Thrown with the code `decoding` if the data does not fit the type.
  public typealias Failure = OperationError

  let store: NormalizedStore
  let target: ReadTarget

  /// Starts an iteration.
  public func makeAsyncIterator() -> Iterator {
    Iterator(readings: ChangedReadings(store: store, target: target))
  }

  /// One iteration of a ``TypedStoreWatch``.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var readings: ChangedReadings

    /// Returns the data as soon as it differs from the last element; nil when the task is cancelled.
    ///
    /// - Throws: `OperationError` with the code `decoding`. You may continue the iteration.
    public mutating func next(
      isolation: isolated (any Actor)?
    ) async throws(OperationError) -> Data?? {
      guard let reading = await readings.next(isolation: isolation) else { return nil }
      return .some(try reading?.decoded(as: Data.self))
    }

    /// Returns the data as soon as it differs from the last element; nil when the task is cancelled.
    ///
    /// - Throws: `OperationError` with the code `decoding`. You may continue the iteration.
    public mutating func next() async throws(OperationError) -> Data?? {
      try await next(isolation: #isolation)
    }
  }
}

/// Reads a target after each change, and skips results that have not changed.
private struct ChangedReadings {
  let store: NormalizedStore
  let target: ReadTarget
  var shown: ResultPayload??
  var signal: RefreshSignal?

  mutating func next(isolation: isolated (any Actor)?) async -> ResultPayload?? {
    // An operation with a defect has no data, and never gets any.
    if target.defect != nil {
      defer { shown = .some(nil) }
      return shown == nil ? .some(nil) : nil
    }
    while !Task.isCancelled {
      if let signal, await signal.fired() == nil { return nil }
      var stored = store.result(of: target)
      if stored?.isComplete != true || stored?.mayLackStored == true, let link = store.link {
        // Its result counts as watched from now on, so that no change of the storage escapes it.
        signal = stored?.signal
        await link.load(target)
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
  /// Watches the data of an operation.
  public func watch(_ operation: GraphQLOperation) -> StoreWatch {
    StoreWatch(
      store: partition(of: operation.context), target: ReadTarget(inCurrentSession: operation))
  }

  /// Watches the fields of an entity that a fragment selects.
  public func watch(_ fragment: GraphQLFragment, of entity: Entity) -> StoreWatch {
    StoreWatch(store: self, target: ReadTarget(fragment, of: entity, catalog))
  }

  /// Watches the decoded data of a query.
  public func watch<Data, Variables>(
    _ query: Query<Data, Variables>, _ variables: Variables
  ) -> TypedStoreWatch<Data> {
    TypedStoreWatch(store: self, target: ReadTarget(inCurrentSession: query.operation(variables)))
  }

  /// Watches the decoded data of a query without variables.
  public func watch<Data>(_ query: Query<Data, NoVariables>) -> TypedStoreWatch<Data> {
    watch(query, NoVariables())
  }

  /// Watches the decoded fields of an entity that a fragment selects.
  public func watch<Data>(_ fragment: Fragment<Data>, of entity: Entity) -> TypedStoreWatch<Data> {
    TypedStoreWatch(store: self, target: ReadTarget(fragment.untyped, of: entity, catalog))
  }
}
