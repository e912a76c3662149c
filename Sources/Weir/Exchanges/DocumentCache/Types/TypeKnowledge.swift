/// A field of a type, by name.
struct FieldName: Hashable, CustomStringConvertible {
  /// In place of the type of an object that does not tell it.
  static let unknownType = "*"

  let type: String
  let field: String

  var description: String { "\(type).\(field)" }
}

/// A type that a field was seen to return.
struct LearnedType: Hashable {
  let field: FieldName
  let type: String
}

/// What is known of which fields return which types: from a schema, or from every response that
/// has been seen.
final class TypeKnowledge: Sendable {
  struct Found {
    /// The types that a result is invalidated by.
    var names: Set<String>
    /// What this response taught.
    var learned: [LearnedType]
    /// Fields without objects whose types are not known.
    var unknownFields: Set<FieldName>
  }

  fileprivate struct State {
    var types: [FieldName: Set<String>] = [:]
    /// Counts what was learned; what is derived carries the count that it was derived at.
    var version = 0
    var ofDocuments: [ObjectIdentifier: OfDocument] = [:]
  }

  /// The types that a document is known to return. It keeps the plan, so that its address is not
  /// used again.
  fileprivate struct OfDocument {
    let plan: SelectionPlan
    var version = -1
    var names: Set<String> = []
    /// What walks through its responses, unless it is just doing that.
    var walk: TypeWalk?
  }

  private let state: Locked<State>
  private let roots: [GraphQLOperation.Kind: String]

  init(schema: GraphQLSchema?) {
    var state = State()
    var roots: [GraphQLOperation.Kind: String] = [
      .query: "Query", .mutation: "Mutation", .subscription: "Subscription",
    ]
    if let schema {
      roots.merge(schema.rootTypes) { $1 }
      for (type, fields) in schema.compositeFields {
        for (field, returned) in fields {
          state.types[FieldName(type: type, field: field)] = schema.possibleTypes(of: returned)
        }
      }
    }
    self.roots = roots
    self.state = Locked(state)
  }

  /// The types of a query's result: those in it, and those that its document is known to return.
  func types(in data: JSON?, plan: SelectionPlan) -> Found {
    let root = roots[.query] ?? ""
    guard let data else {
      return state.withLock { state in
        Found(
          names: state.types(of: plan, root: root), learned: [],
          unknownFields: state.unknownFields(of: plan, root: root))
      }
    }
    var walk = walk(data, plan: plan, root: root)
    return state.withLock { state in
      let learned = state.learn(walk.learned)
      let found = Found(
        names: state.types(of: plan, root: root, &walk), learned: learned,
        unknownFields: walk.untypedFields.filter { state.types[$0] == nil })
      state.keep(walk, of: plan)
      return found
    }
  }

  /// Walks through a response, with what is known from earlier ones of the document. Not under the
  /// lock: it may be large.
  private func walk(_ data: JSON, plan: SelectionPlan, root: String) -> TypeWalk {
    var walk =
      state.withLock { $0.ofDocuments[ObjectIdentifier(plan)]?.walk.take() }
      ?? TypeWalk(plan: plan, root: root)
    walk.walk(data)
    return walk
  }

  /// The types that a mutation's or an event's data invalidate: those in them and, unless errors
  /// say that fields have failed, those of the fields that came back empty.
  func typesInvalidated(
    by data: JSON, of operation: GraphQLOperation, hasErrors: Bool
  ) -> Found {
    let plan = operation.prepared.plan
    let walk = walk(data, plan: plan, root: roots[operation.kind] ?? "")
    return state.withLock { state in
      let learned = state.learn(walk.learned)
      var names = Set(walk.namesMet)
      if !hasErrors {
        for field in walk.untypedFields { names.formUnion(state.types[field] ?? []) }
      }
      state.keep(walk, of: plan)
      return Found(names: names, learned: learned, unknownFields: [])
    }
  }
}

extension TypeKnowledge.State {
  /// Notes what is new, and returns it.
  fileprivate mutating func learn(_ seen: [LearnedType]) -> [LearnedType] {
    let new = seen.filter { types[$0.field, default: []].insert($0.type).inserted }
    if !new.isEmpty { version += 1 }
    return new
  }

  /// The types that a document is known to return; derived anew when something was learned.
  fileprivate mutating func types(of plan: SelectionPlan, root: String) -> Set<String> {
    let id = ObjectIdentifier(plan)
    if let known = ofDocuments[id], known.version == version { return known.names }
    var names: Set<String> = []
    collect(plan, parents: [root], into: &names)
    update(plan) { [version] document in
      document.version = version
      document.names = names
    }
    return names
  }

  /// The same, with the types of a response. Nearly always that has the types that the one before
  /// had.
  fileprivate mutating func types(
    of plan: SelectionPlan, root: String, _ walk: inout TypeWalk
  ) -> Set<String> {
    let ofDocument = types(of: plan, root: root)
    if let last = walk.lastNames, last.version == version, last.types == walk.typesMet {
      return last.names
    }
    let names = ofDocument.union(walk.namesMet)
    walk.lastNames = (version, walk.typesMet, names)
    return names
  }

  /// For the document's next response. A server that thinks types up fills no memory with them.
  fileprivate mutating func keep(_ walk: TypeWalk, of plan: SelectionPlan) {
    if walk.typeNames.count <= 1000 { update(plan) { $0.walk = walk } }
  }

  private mutating func update(
    _ plan: SelectionPlan, _ change: (inout TypeKnowledge.OfDocument) -> Void
  ) {
    let id = ObjectIdentifier(plan)
    if ofDocuments.count >= 1000, ofDocuments[id] == nil { ofDocuments.removeAll() }
    change(&ofDocuments[id, default: TypeKnowledge.OfDocument(plan: plan)])
  }

  private func collect(
    _ plan: SelectionPlan, parents: Set<String>, into names: inout Set<String>
  ) {
    for field in plan.fields {
      guard let child = field.child else { continue }
      var returned = child.typeConditions
      for parent in parents {
        returned.formUnion(types[FieldName(type: parent, field: field.name)] ?? [])
      }
      names.formUnion(returned)
      collect(child, parents: returned, into: &names)
    }
  }

  /// The fields at the root of a document that nothing is known of.
  fileprivate func unknownFields(of plan: SelectionPlan, root: String) -> Set<FieldName> {
    Set(
      plan.fields.lazy.filter { $0.child != nil }
        .map { FieldName(type: root, field: $0.name) }
        .filter { types[$0] == nil })
  }
}
