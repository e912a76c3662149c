public import Weir

extension NormalizedStore {
  /// Returns the decoded data of a query if everything that it selects is there; otherwise nil.
  ///
  /// Unchanged data is not decoded again. An entity that a long list shows several times with the same
  /// fields is decoded once, unless its type is a class: each place has an instance of its own.
  ///
  /// - Throws: `OperationError` with the code `decoding` if the data does not fit the type.
  public func read<Data, Variables>(
    _ query: Query<Data, Variables>, _ variables: Variables
  ) throws(OperationError) -> Data? {
    try resultAtOnce(of: ReadTarget(inCurrentSession: query.operation(variables)))?
      .decoded(as: Data.self)
  }

  /// Returns the decoded data of a query without variables; see ``read(_:_:)``.
  ///
  /// - Throws: `OperationError` with the code `decoding` if the data does not fit the type.
  public func read<Data>(_ query: Query<Data, NoVariables>) throws(OperationError) -> Data? {
    try read(query, NoVariables())
  }

  /// Returns the decoded fields of an entity that a fragment selects if they are all there; otherwise
  /// nil. Unchanged data is not decoded again.
  ///
  /// - Throws: `OperationError` with the code `decoding` if the data does not fit the type.
  public func read<Data>(
    _ fragment: Fragment<Data>, of entity: Entity
  ) throws(OperationError) -> Data? {
    try resultAtOnce(of: ReadTarget(fragment.untyped, of: entity, catalog))?
      .decoded(as: Data.self)
  }

  /// Reads the data of a query, lets `change` modify it, and writes it back in one step; see
  /// ``StoreTransaction/update(_:_:_:)``.
  ///
  /// - Throws: ``StoreError``; `JSONDecodingError`, whose text may quote a value, if what is there does not
  ///   fit the type; `JSONEncodingError`; the error of `change`.
  public func update<Data: Encodable, Variables>(
    _ query: Query<Data, Variables>, _ variables: Variables,
    _ change: (inout Data) throws -> Void
  ) throws {
    try update { transaction in try transaction.update(query, variables, change) }
  }

  /// Modifies the data of a query without variables; see ``update(_:_:_:)``.
  ///
  /// - Throws: ``StoreError``; `JSONDecodingError`, whose text may quote a value, if what is there does not
  ///   fit the type; `JSONEncodingError`; the error of `change`.
  public func update<Data: Encodable>(
    _ query: Query<Data, NoVariables>, _ change: (inout Data) throws -> Void
  ) throws {
    try update(query, NoVariables(), change)
  }

  /// Reads the fields that a fragment selects, lets `change` modify them, and writes them back in one
  /// step; see ``StoreTransaction/update(_:of:_:)-(GraphQLFragment,_,_)``.
  ///
  /// - Throws: ``StoreError``; `JSONDecodingError`, whose text may quote a value, if what is there does not
  ///   fit the type; `JSONEncodingError`; the error of `change`.
  public func update<Data: Encodable>(
    _ fragment: Fragment<Data>, of entity: Entity, _ change: (inout Data) throws -> Void
  ) throws {
    try update { transaction in try transaction.update(fragment, of: entity, change) }
  }
}
