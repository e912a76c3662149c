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

  /// The types that a document is known to return. Only accessed under the lock. It keeps the plan,
  /// so that no other plan gets the same address.
  fileprivate final class DocumentTypes {
    let plan: SelectionPlan
    /// The version of the knowledge that the names follow from.
    var version = -1
    var names: Set<String> = []
    /// Walks over the document's responses, unless it is just doing so.
    var walk: TypeWalk?
    /// The types of the last response, and all names that followed from them.
    var last: (types: [TypeWalk.TypeIndex], names: Set<String>) = ([], [])

    init(_ plan: SelectionPlan) {
      self.plan = plan
    }
  }

  private let state: Locked<State>
  private let roots: [GraphQLOperation.Kind: String]

  init(schema: GraphQLSchema?) {
    var state = State()
    var roots = Dictionary(
      uniqueKeysWithValues: GraphQLOperation.Kind.allCases.map { ($0, $0.typename) })
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
    return withWalk(over: data, plan: plan, root: root) { state, walk in
      let learned = state.learn(walk.learned)
      return Found(
        names: state.types(of: plan, root: root, walk), learned: learned,
        unknownFields: walk.untypedFields.filter { state.types[$0] == nil })
    }
  }

  /// Returns the types that the data of a mutation or an event invalidates: those in it and, unless
  /// errors say that fields have failed, those of the fields that came back empty.
  func typesInvalidated(
    by data: JSON, of operation: GraphQLOperation, hasErrors: Bool
  ) -> Found {
    let root = roots[operation.kind] ?? ""
    return withWalk(over: data, plan: operation.prepared.plan, root: root) { state, walk in
      var found = Found(names: Set(walk.namesMet), learned: state.learn(walk.learned))
      guard !hasErrors else { return found }
      for field in walk.untypedFields { found.names.formUnion(state.types[field] ?? []) }
      return found
    }
  }

  /// Walks over a response, then calls a closure under the lock. A large response is walked without
  /// the lock.
  private func withWalk(
    over data: JSON, plan: SelectionPlan, root: String, _ body: (inout State, TypeWalk) -> Found
  ) -> Found {
    guard data.document.footprint > 4096 else {
      return state.withLock { state in
        var walk = state.takeWalk(of: plan, root: root)
        walk.walk(data)
        state.putBack(walk, of: plan)
        return body(&state, walk)
      }
    }
    var walk = state.withLock { $0.takeWalk(of: plan, root: root) }
    walk.walk(data)
    return state.withLock { state in
      state.putBack(walk, of: plan)
      return body(&state, walk)
    }
  }
}

extension TypeKnowledge.State {
  fileprivate mutating func takeWalk(of plan: SelectionPlan, root: String) -> TypeWalk {
    types(of: plan).walk.take() ?? TypeWalk(plan, root: root)
  }

  fileprivate mutating func putBack(_ walk: TypeWalk, of plan: SelectionPlan) {
    // A server that invents type names must not fill the memory with them.
    if walk.typeNames.count <= 1000 { types(of: plan).walk = walk }
  }

  /// Notes and returns what is new.
  fileprivate mutating func learn(_ seen: [LearnedType]) -> [LearnedType] {
    let new = seen.filter { types[$0.field, default: []].insert($0.type).inserted }
    if !new.isEmpty { version += 1 }
    return new
  }

  fileprivate mutating func types(of plan: SelectionPlan) -> TypeKnowledge.DocumentTypes {
    let id = ObjectIdentifier(plan)
    if let known = documents[id] { return known }
    if documents.count >= 1000 { documents.removeAll() }
    let made = TypeKnowledge.DocumentTypes(plan)
    documents[id] = made
    return made
  }

  /// Returns the types that a document is known to return; derives them again if something was
  /// learned since.
  fileprivate mutating func types(of plan: SelectionPlan, root: String) -> Set<String> {
    let document = types(of: plan)
    guard document.version != version else { return document.names }
    document.names.removeAll()
    collect(plan, parents: [root], into: &document.names)
    document.version = version
    document.last = ([], document.names)
    return document.names
  }

  /// Returns the same with the types of a response, which nearly always has those of the last one.
  fileprivate mutating func types(
    of plan: SelectionPlan, root: String, _ walk: TypeWalk
  ) -> Set<String> {
    let names = types(of: plan, root: root)
    let document = types(of: plan)
    if document.last.types != walk.typesMet {
      let met = walk.namesMet
      document.last = (walk.typesMet, names.isSuperset(of: met) ? names : names.union(met))
    }
    return document.last.names
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
