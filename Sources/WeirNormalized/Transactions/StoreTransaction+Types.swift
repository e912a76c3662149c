import Weir

extension StoreTransaction {
  /// The type that a target is written as: in a group the one that the data names; for an entity that is
  /// named by its group the type that it has, otherwise the type that the fragment is on.
  func type(of target: ReadTarget, named typename: String?) throws(StoreError) -> TypeID {
    let entity: Entity
    switch target.origin {
    case .root(let root): return root.type
    case .entity(let named): entity = named
    }
    if !entity.id.isEmpty, let type = entityType(of: target, named: typename) { return type }
    throw StoreError(.noKey, "\(target) cannot be written: an entity needs a type and an id.")
  }

  private func entityType(of target: ReadTarget, named typename: String?) -> TypeID? {
    guard let type = catalog.type(named: target.typename) else { return nil }
    let space = catalog.tableName(catalog.table(of: type))
    guard catalog.policies.mayBeGroup(space) else { return type }
    if let typename, catalog.keySpace(of: typename) == space {
      return catalog.objectType(named: typename)
    }
    guard target.typename == space else { return type }
    if let record = records.record(at: target.origin, catalog) {
      return records.header(record).type
    }
    let condition = target.typeCondition
    return condition != space && catalog.keySpace(of: condition) == space
      ? catalog.objectType(named: condition) : type
  }
}
