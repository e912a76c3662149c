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

  /// The error of a fragment that fits no entity of the given type, as far as the schema or the configuration
  /// says so; otherwise nil.
  borrowing func mistakenType(of target: ReadTarget) -> StoreError? {
    let (policies, condition) = (catalog.policies, target.typeCondition)
    guard !target.isRoot, let schema = policies.schema, schema.knows(condition) else { return nil }
    var type = target.typename
    if let record = records.record(at: target.origin, catalog) {
      type = catalog.typename(records.header(record).type)
    }
    // A type that the schema does not know may be newer than it, or be the name of a group.
    let objects = { (name: String) in schema.possibleTypes(of: name).union([name]) }
    guard schema.knows(type), !policies.mayBeGroup(type),
      objects(type).isDisjoint(with: objects(condition))
    else { return nil }
    return StoreError(
      .missing,
      "\(target) cannot be updated: the entity has the type \(type), but the fragment is on "
        + "\(condition). Pass an entity of the type \(condition), or a fragment on \(type).")
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
