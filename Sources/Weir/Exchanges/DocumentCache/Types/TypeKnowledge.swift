/// A field of a type, by name.
struct FieldName: Hashable, CustomStringConvertible {
  /// Stands for the type of an object whose type is unknown.
  static let unknownType = "*"

  let type: String
  let field: String

  var description: String { "\(type).\(field)" }
}

/// A type that a field has returned.
struct LearnedType: Hashable {
  let field: FieldName
  let type: String
}

/// Knows which fields return which types: from a schema, or from all responses so far.
final class TypeKnowledge: Sendable {
  struct Found {
    /// The types that invalidate a result.
    var names: Set<String>
    /// The types that this response has added to the knowledge.
    var learned: [LearnedType] = []
    /// Fields that came back without objects and whose types are unknown.
    var unknownFields: Set<FieldName> = []
  }

  fileprivate struct State {
    var types: [FieldName: Set<String>] = [:]
    /// Counts what was learned.
    var version = 0
    var documents: [ObjectIdentifier: DocumentTypes] = [:]
  }

  /// The types that a document is known to return, as of a version of the knowledge. It keeps the
  /// plan, so that no other plan gets the same address.
  fileprivate struct DocumentTypes {
    let plan: SelectionPlan
    let version: Int
    let names: Set<String>
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

  /// Returns the types of a query's result: those in it, and those that its document is known to
  /// return.
  func types(in data: JSON?, plan: SelectionPlan) -> Found {
    let root = roots[.query] ?? ""
    guard let data else {
      return state.withLock { state in
        Found(
          names: state.types(of: plan, root: root),
          unknownFields: state.unknownFields(of: plan, root: root))
      }
    }
    // Not under the lock: the response may be large.
    let walk = TypeWalk(data, plan: plan, root: root)
    return state.withLock { state in
      let learned = state.learn(walk.learned)
      let known = state.types(of: plan, root: root)
      let met = walk.typesMet
      return Found(
        names: known.isSuperset(of: met) ? known : known.union(met), learned: learned,
        unknownFields: walk.untypedFields.filter { state.types[$0] == nil })
    }
  }

  /// Returns the types that the data of a mutation or an event invalidates: those in it and, unless
  /// errors say that fields have failed, those of the fields that came back empty.
  func typesInvalidated(
    by data: JSON, of operation: GraphQLOperation, hasErrors: Bool
  ) -> Found {
    let walk = TypeWalk(data, plan: operation.prepared.plan, root: roots[operation.kind] ?? "")
    return state.withLock { state in
      var found = Found(names: Set(walk.typesMet), learned: state.learn(walk.learned))
      guard !hasErrors else { return found }
      for field in walk.untypedFields { found.names.formUnion(state.types[field] ?? []) }
      return found
    }
  }
}

extension TypeKnowledge.State {
  /// Notes and returns what is new.
  fileprivate mutating func learn(_ seen: [LearnedType]) -> [LearnedType] {
    let new = seen.filter { types[$0.field, default: []].insert($0.type).inserted }
    if !new.isEmpty { version += 1 }
    return new
  }

  /// Returns the types that a document is known to return; derives them again if something was
  /// learned since.
  fileprivate mutating func types(of plan: SelectionPlan, root: String) -> Set<String> {
    let id = ObjectIdentifier(plan)
    if let known = documents[id], known.version == version { return known.names }
    var names: Set<String> = []
    collect(plan, parents: [root], into: &names)
    if documents.count >= 1000, documents[id] == nil { documents.removeAll() }
    documents[id] = TypeKnowledge.DocumentTypes(plan: plan, version: version, names: names)
    return names
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

  /// Returns the fields at the root of a document whose types are unknown.
  fileprivate func unknownFields(of plan: SelectionPlan, root: String) -> Set<FieldName> {
    Set(
      plan.fields.lazy.filter { $0.child != nil }
        .map { FieldName(type: root, field: $0.name) }
        .filter { types[$0] == nil })
  }
}
