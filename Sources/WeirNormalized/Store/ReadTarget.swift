import Weir

/// What can be read as a whole: an operation with its variables, or a fragment of an entity.
struct ReadTarget {
  enum Origin {
    case root(RootType)
    case entity(Entity)
  }

  let identity: OperationIdentity
  let origin: Origin
  let prepared: PreparedOperation
  let variables: [UInt8]
  var session = Session(number: .max)
  var allowsPartial = false

  init(_ operation: GraphQLOperation) {
    identity = operation.identity
    origin = .root(RootType(operation.kind))
    prepared = operation.prepared
    variables = operation.variables
    session = operation.context.session
    allowsPartial = operation.context.allowsPartialData || operation.context.showsKnownErrors
  }

  init(_ fragment: GraphQLFragment, of entity: Entity, _ catalog: Catalog) {
    let entity = catalog.inKeySpace(entity)
    identity = OperationIdentity(fragment.identity, scope: "\u{0}\(entity)")
    origin = .entity(entity)
    prepared = fragment.prepared
    variables = fragment.variables
  }

  /// What is selected, and what the variables decide of it.
  func bindings(_ catalog: Catalog) -> Bindings {
    let plan =
      switch origin {
      case .root: catalog.plan(for: prepared)
      case .entity: catalog.plan(forFragment: prepared)
      }
    return Bindings(plan: plan, catalog: catalog, variables: variables)
  }
}

extension GraphQLOperation {
  /// What is selected, and what the variables decide of it.
  func bindings(_ catalog: Catalog) -> Bindings {
    Bindings(plan: catalog.plan(for: prepared), catalog: catalog, variables: variables)
  }
}

extension RecordState {
  /// Where a read begins; nil if the entity is not there.
  func record(at origin: ReadTarget.Origin, _ catalog: Catalog) -> RecordReference? {
    switch origin {
    case .root(let root): root.reference
    case .entity(let entity): liveRecord(of: entity, catalog)
    }
  }
}
