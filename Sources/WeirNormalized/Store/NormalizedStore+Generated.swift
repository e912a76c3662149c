public import Weir

// Reads and writes with types that were generated from documents.

extension NormalizedStore {
  /// Returns the decoded data of a query if everything that it selects is there; otherwise nil.
  /// Unchanged data is not decoded again.
  ///
  /// - Throws: `OperationError` with the code `decoding` if the data does not fit the type.
  public func read<Query: GeneratedQuery>(
    _ query: Query
  ) throws(OperationError) -> Query.Data? {
    try resultAtOnce(of: ReadTarget(inCurrentSession: query.operation()))?
      .decoded(as: Query.Data.self)
  }

  /// Reads the data of a query, lets `change` modify it, and writes it back in one step; see
  /// ``StoreTransaction/update(_:_:)-(GraphQLOperation,_)``.
  ///
  /// - Throws: ``StoreError``; `JSONDecodingError`, whose text may quote a value, if what is there does not
  ///   fit the type; `JSONEncodingError`; the error of `change`.
  public func update<Query: GeneratedQuery>(
    _ query: Query, _ change: (inout Query.Data) throws -> Void
  ) throws {
    try update { transaction in try transaction.update(query, change) }
  }

  /// Watches the decoded data of a query.
  public func watch<Query: GeneratedQuery>(_ query: Query) -> TypedStoreWatch<Query.Data> {
    TypedStoreWatch(store: self, target: ReadTarget(inCurrentSession: query.operation()))
  }

  /// Returns the decoded fields of an entity if they are all there; otherwise nil. Unchanged data
  /// is not decoded again.
  ///
  /// - Throws: `OperationError` with the code `decoding` if the data does not fit the type;
  ///   ``StoreError`` if the type's document is not a fragment, which generated ones are.
  public func read<Data: FragmentData>(_ type: Data.Type, of entity: Entity) throws -> Data? {
    try read(type.fragment(), of: entity)
  }

  /// Reads the fields of an entity, lets `change` modify them, and writes them back in one step;
  /// see ``StoreTransaction/update(_:of:_:)-(Data.Type,_,_)``.
  ///
  /// - Throws: ``StoreError``; `JSONDecodingError`, whose text may quote a value, if what is there does not
  ///   fit the type; `JSONEncodingError`; the error of `change`.
  public func update<Data: FragmentData>(
    _ type: Data.Type, of entity: Entity, _ change: (inout Data) throws -> Void
  ) throws {
    try update { transaction in try transaction.update(type, of: entity, change) }
  }

  /// Watches the decoded fields of an entity.
  ///
  /// - Throws: ``StoreError`` if the type's document is not a fragment, which generated ones are.
  public func watch<Data: FragmentData>(
    _ type: Data.Type, of entity: Entity
  ) throws(StoreError) -> TypedStoreWatch<Data> {
    watch(try type.fragment(), of: entity)
  }
}

extension GraphQLClient {
  /// Executes a mutation once, and shows the expected result at once in a normalized cache; see
  /// ``Weir/OperationContext/optimisticData``.
  ///
  /// The expected data should have the identifiers that the server will return. If it cannot be
  /// encoded, or two fragments of one object have different values for one field, nothing is sent,
  /// and the result is an error with the code `variables`.
  ///
  /// - Parameters:
  ///   - mutation: The mutation.
  ///   - optimistic: The data that you expect.
  ///   - context: The settings of the execution.
  /// - Returns: The server's result.
  public func mutate<Mutation: GeneratedMutation>(
    _ mutation: Mutation, optimistic: Mutation.Data,
    context: OperationContext = OperationContext()
  ) async -> TypedResult<Mutation.Data> {
    var context = context
    do {
      context.optimisticData = try JSONValue(selection: optimistic)
    } catch {
      return TypedResult(
        decoding: OperationResult(
          error: OperationError(
            code: .variables, message: "The optimistic data cannot be encoded: \(error)",
            underlying: error)))
    }
    return await mutate(mutation, context: context)
  }
}
