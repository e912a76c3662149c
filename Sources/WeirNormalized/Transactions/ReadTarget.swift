import Weir

extension Session {
  /// Stands for the current session, whatever it is: direct calls of a store always belong to it.
  static let any = Session(number: .max)
}

/// The selection of a read: an operation with its variables, or a fragment of an entity.
struct ReadTarget {
  enum Origin {
    case root(RootType)
    case entity(Entity)
  }

  let identity: OperationIdentity
  let origin: Origin
  let prepared: PreparedOperation
  let variables: CompactBytes
  /// The type that a fragment is on.
  var typeCondition = ""
  /// The type of an entity as the caller has named it, whatever its key space.
  var typename = ""
  /// The endpoint and headers of an operation; nil for the default ones, and for fragments.
  var scope: String?
  var session = Session.any
  var allowsPartial = false
  /// Why the operation cannot be executed; nil if it can.
  var defect: OperationError?

  /// For an execution, which belongs to the session of the operation and brings nothing when that has ended.
  init(executing operation: GraphQLOperation) {
    self.init(inCurrentSession: operation)
    session = operation.context.session
  }

  /// For direct calls and transactions, which always belong to the store's session: an operation of the app
  /// has none.
  init(inCurrentSession operation: GraphQLOperation) {
    identity = operation.identity
    origin = .root(RootType(operation.kind))
    prepared = operation.prepared
    variables = operation.compactVariables
    scope = operation.context.scope?.text
    allowsPartial = operation.context.allowsPartialData || operation.context.showsKnownErrors
    defect = operation.defect
  }

  init(_ fragment: GraphQLFragment, of entity: Entity, _ catalog: Catalog) {
    let keyed = catalog.inKeySpace(entity)
    identity = OperationIdentity(fragment.identity, scope: "\u{0}\(keyed)")
    origin = .entity(keyed)
    prepared = fragment.prepared
    variables = fragment.variables
    typeCondition = fragment.typeCondition
    typename = entity.typename
  }

  var isRoot: Bool { if case .root = origin { true } else { false } }

  /// The selection, as the variables decide it.
  func bindings(_ catalog: Catalog) -> Bindings {
    let plan = catalog.plan(for: prepared, isFragment: !isRoot)
    return Bindings(plan: plan, catalog: catalog, variables: variables)
  }

  /// Reads the selection; returns nil if its entity does not exist.
  func read(
    _ records: RecordState, _ catalog: Catalog, allowsPartial: Bool, staleBefore: Int64? = nil
  ) -> ReadResult? {
    let bindings = bindings(catalog)
    return records.record(at: origin, catalog).map { record in
      var reader = RecordReader(
        catalog: catalog, state: records, bindings: bindings, allowsPartial: allowsPartial)
      reader.staleBefore = staleBefore
      return reader.read(record, bindings.plan.root, isRoot: isRoot)
    }
  }
}

extension ReadTarget: CustomStringConvertible {
  var description: String {
    switch origin {
    case .root: prepared.name.map { "The operation \($0)" } ?? "The unnamed operation"
    case .entity(let entity): "The fragment on \(typeCondition) of \(entity)"
    }
  }
}

extension GraphQLOperation {
  /// The selection, as the variables decide it.
  func bindings(_ catalog: Catalog) -> Bindings {
    Bindings(plan: catalog.plan(for: prepared), catalog: catalog, variables: compactVariables)
  }
}

extension RecordState {
  /// The record where a read begins; nil if the entity does not exist.
  func record(at origin: ReadTarget.Origin, _ catalog: Catalog) -> RecordReference? {
    switch origin {
    case .root(let root): root.reference
    case .entity(let entity): liveRecord(of: entity, catalog)
    }
  }
}
