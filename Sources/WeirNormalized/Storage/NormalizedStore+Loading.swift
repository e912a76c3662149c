public import Weir

// Reads that wait for the storage. `read` and transactions work with the data in memory: load first if they need
// data from an earlier run of the app.

extension NormalizedStore {
  /// Returns the data of an operation if memory or the storage has everything that it selects; otherwise
  /// nil.
  ///
  /// ``read(_:)-(GraphQLOperation)`` and transactions work with the data in memory. If they need data from an
  /// earlier run of the app, load it first.
  @discardableResult
  public func load(_ operation: GraphQLOperation) async -> JSON? {
    guard operation.defect == nil else { return nil }
    return await partition(of: operation.context)
      .loaded(ReadTarget(inCurrentSession: operation))?.completeData
  }

  /// Returns the fields of an entity that a fragment selects if memory or the storage has them all;
  /// otherwise nil.
  @discardableResult
  public func load(_ fragment: GraphQLFragment, of entity: Entity) async -> JSON? {
    await loaded(ReadTarget(fragment, of: entity, catalog))?.completeData
  }

  private func loaded(_ target: ReadTarget) async -> StoredResult? {
    if let stored = result(of: target), !stored.mayLackStored, stored.isComplete { return stored }
    await link?.load(target)
    return result(of: target)
  }
}

// MARK: - Types without code generation

extension NormalizedStore {
  /// Returns the decoded data of a query if memory or the storage has everything that it selects;
  /// otherwise nil. Unchanged data is not decoded again.
  ///
  /// - Throws: `OperationError` with the code `decoding` if the data does not fit the type.
  @discardableResult
  public func load<Data, Variables>(
    _ query: Query<Data, Variables>, _ variables: Variables
  ) async throws(OperationError) -> Data? {
    try await loaded(query.operation(variables), as: Data.self)
  }

  /// Returns the decoded data of a query without variables; see ``load(_:_:)``.
  ///
  /// - Throws: `OperationError` with the code `decoding` if the data does not fit the type.
  @discardableResult
  public func load<Data>(
    _ query: Query<Data, NoVariables>
  ) async throws(OperationError) -> Data? {
    try await load(query, NoVariables())
  }

  /// Returns the decoded fields of an entity that a fragment selects if memory or the storage has them
  /// all; otherwise nil. Unchanged data is not decoded again.
  ///
  /// - Throws: `OperationError` with the code `decoding` if the data does not fit the type.
  @discardableResult
  public func load<Data>(
    _ fragment: Fragment<Data>, of entity: Entity
  ) async throws(OperationError) -> Data? {
    try await loaded(ReadTarget(fragment.untyped, of: entity, catalog))?.decoded(as: Data.self)
  }

  private func loaded<Data: Decodable & Sendable>(
    _ operation: GraphQLOperation, as type: Data.Type
  ) async throws(OperationError) -> Data? {
    guard operation.defect == nil else { return nil }
    return try await loaded(ReadTarget(inCurrentSession: operation))?.decoded(as: type)
  }
}

// MARK: - Generated types

extension NormalizedStore {
  /// Returns the decoded data of a query if memory or the storage has everything that it selects;
  /// otherwise nil. Unchanged data is not decoded again.
  ///
  /// ```swift
  /// let feed = try await store.load(Feed(first: 20))
  /// ```
  ///
  /// - Throws: `OperationError` with the code `decoding` if the data does not fit the type.
  @discardableResult
  public func load<Query: GeneratedQuery>(
    _ query: Query
  ) async throws(OperationError) -> Query.Data? {
    try await loaded(query.operation(), as: Query.Data.self)
  }

  /// Returns the decoded fields of an entity if memory or the storage has them all; otherwise nil.
  /// Unchanged data is not decoded again.
  ///
  /// - Throws: `OperationError` with the code `decoding` if the data does not fit the type;
  ///   ``StoreError`` if the type's document is not a fragment, which generated ones are.
  @discardableResult
  public func load<Data: FragmentData>(
    _ type: Data.Type, of entity: Entity
  ) async throws -> Data? {
    try await load(type.fragment(), of: entity)
  }
}
