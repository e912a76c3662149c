public import Weir

extension NormalizedStore {
  /// Returns the data of an operation if everything that it selects is there; otherwise nil.
  ///
  /// The cost is proportional to the result; an unchanged result is returned as it is.
  ///
  /// Only memory is read. What only the storage has is missing until you call ``load()`` or
  /// ``load(_:)-(GraphQLOperation)``; the first such miss is reported as
  /// ``StoreDiagnostic/Code/notLoaded``.
  public func read(_ operation: GraphQLOperation) -> JSON? {
    guard operation.defect == nil else { return nil }
    return partition(of: operation.context)
      .resultAtOnce(of: ReadTarget(inCurrentSession: operation))?.completeData
  }

  /// Returns the entities of a type that memory has, optimistic ones included, in no particular order: for example
  /// to search what all queries together have brought.
  ///
  /// ```swift
  /// let row = try Fragment<ContactRow>("fragment Row on Contact { id name }")
  /// let found = store.entities(ofType: "Contact").compactMap { try? store.read(row, of: $0) }
  /// ```
  ///
  /// An entity may lack fields that the fragment selects; reading it returns nil then. The cost is proportional to
  /// the number of entities. With a storage, call ``load()`` first: only memory is read.
  ///
  /// - Parameter typename: an object type; or an interface or a union, for the entities of all its types, if the
  ///   cache knows these from a schema or from ``NormalizedCacheConfiguration/possibleTypes``.
  /// - Returns: the entities, with the names of their own types.
  public func entities(ofType typename: String) -> [Entity] {
    let records = state.withLock { $0.visible }
    let types = catalog.policies.objectTypes(within: typename)
      .compactMap { catalog.knownType(named: $0) }
    // All types of a group are in one table.
    return Dictionary(grouping: types, by: catalog.table).flatMap { table, types in
      let names = Dictionary(uniqueKeysWithValues: types.map { ($0, catalog.typename($0)) })
      return records.entities(in: table).compactMap { record -> Entity? in
        guard let name = names[records.header(record).type] else { return nil }
        return records.entity(record, catalog).map { Entity(name, id: $0.id) }
      }
    }
  }

  /// Returns the fields of an entity that a fragment selects if they are all there; otherwise nil.
  public func read(_ fragment: GraphQLFragment, of entity: Entity) -> JSON? {
    resultAtOnce(of: ReadTarget(fragment, of: entity, catalog))?.completeData
  }
}
