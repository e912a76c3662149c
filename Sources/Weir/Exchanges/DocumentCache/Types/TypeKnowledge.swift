/// A field of a type, by name: a schema coordinate.
struct FieldCoordinate: Hashable, CustomStringConvertible {
  /// Stands for the type of an object whose type is unknown.
  static let unknownType = "*"

  let type: String
  let field: String

  var description: String { "\(type).\(field)" }
}

/// A type that a field has returned.
struct LearnedType: Hashable {
  let field: FieldCoordinate
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
    var unknownFields: Set<FieldCoordinate> = []
  }

  fileprivate struct State {
    var types: [FieldCoordinate: Set<String>] = [:]
    /// How many more fields are learned: a server may also invent the types that have them.
    var room = 10_000
    /// Counts what was learned.
    var version = 0
    var documents: [ObjectIdentifier: DocumentTypes] = [:]
    /// The estimated size of their plans, which may have no other owner any more, in bytes.
    var planBytes = 0
  }

  /// The types that a document is known to return. Only accessed under the lock. It keeps the plan,
  /// so that no other plan gets the same address.
  fileprivate final class DocumentTypes {
    let plan: SelectionPlan
    let root: String
    /// The version of the knowledge that the names follow from.
    var version = -1
    var names: Set<String> = []
    /// Walks over the document's responses, and keeps what it has found for the next one.
    var walk: TypeWalk
    /// The types of the last response, and all names that followed from them.
    var last: (types: [TypeWalk.TypeIndex], names: Set<String>) = ([], [])

    init(_ plan: SelectionPlan, root: String) {
      self.plan = plan
      self.root = root
      walk = TypeWalk(plan, root: root)
    }

    /// Replaces the walk, and returns the one before.
    @discardableResult
    func replace(by walk: TypeWalk) -> TypeWalk {
      defer {
        self.walk = walk
        // Each walk numbers the types itself.
        last = ([], names)
      }
      return self.walk
    }

    /// Begins again if a server invents type names, which must not fill the memory.
    func limitWalk() {
      if walk.typeNames.count > 1000 { replace(by: TypeWalk(plan, root: root)) }
    }
  }

  /// How many types of a field are learned. A server that invents names must not fill the memory; a
  /// result still counts as having those that it contains.
  fileprivate static let maximumTypes = 1000

  private let state: Locked<State>
  private let roots: RootTypenames

  init(schema: GraphQLSchema?) {
    var state = State()
    roots = RootTypenames(schema?.rootTypes ?? [:])
    if let schema {
      for (type, fields) in schema.compositeFields {
        for (field, returned) in fields {
          state.types[FieldCoordinate(type: type, field: field)] = schema.possibleTypes(
            of: returned)
        }
      }
    }
    self.state = Locked(state)
  }

  /// Returns the types of a query's result: those in it, and those that its document is known to
  /// return.
  func types(in data: JSON?, plan: SelectionPlan) -> Found {
    let root = roots[.query]
    guard let data else {
      return state.withLock { state in
        let names = state.names(of: state.types(of: plan, root: root))
        return Found(names: names, unknownFields: state.unknownFields(of: plan, root: root))
      }
    }
    return withWalk(over: data, plan: plan, root: root) { state, document in
      let learned = state.learn(document.walk.learned)
      let untyped = document.walk.untypedFields
      return Found(
        names: state.namesWithLastResponse(of: document), learned: learned,
        unknownFields: untyped.isEmpty ? [] : untyped.filter { state.types[$0] == nil })
    }
  }

  /// Returns the types that the data of a mutation or an event invalidates: those in it and, unless
  /// errors say that fields have failed, those of the fields that came back empty.
  func typesInvalidated(
    by data: JSON, of operation: GraphQLOperation, hasErrors: Bool
  ) -> Found {
    let root = roots[operation.kind]
    return withWalk(over: data, plan: operation.prepared.plan, root: root) { state, document in
      var found = Found(
        names: Set(document.walk.namesMet), learned: state.learn(document.walk.learned))
      guard !hasErrors else { return found }
      for field in document.walk.untypedFields {
        found.names.formUnion(state.types[field] ?? [])
      }
      return found
    }
  }

  /// Walks over a response, then calls a closure under the lock. A large response is walked without
  /// the lock.
  private func withWalk(
    over data: JSON, plan: SelectionPlan, root: String,
    _ body: (inout State, DocumentTypes) -> Found
  ) -> Found {
    guard data.document.footprint > 4096 else {
      return state.withLock { state in
        let document = state.types(of: plan, root: root)
        document.walk.walk(data)
        defer { document.limitWalk() }
        return body(&state, document)
      }
    }
    var walk = state.withLock { state in
      state.types(of: plan, root: root).replace(by: TypeWalk(plan, root: root))
    }
    walk.walk(data)
    return state.withLock { state in
      let document = state.types(of: plan, root: root)
      document.replace(by: walk)
      defer { document.limitWalk() }
      return body(&state, document)
    }
  }
}

extension TypeKnowledge.State {
  /// Notes and returns what is new.
  fileprivate mutating func learn(_ seen: [LearnedType]) -> [LearnedType] {
    let new = seen.filter { seen in
      let known = types[seen.field]?.count
      guard known ?? 0 < TypeKnowledge.maximumTypes, known != nil || room > 0 else { return false }
      if known == nil { room -= 1 }
      return types[seen.field, default: []].insert(seen.type).inserted
    }
    if !new.isEmpty { version += 1 }
    return new
  }

  fileprivate mutating func types(
    of plan: SelectionPlan, root: String
  ) -> TypeKnowledge.DocumentTypes {
    let id = ObjectIdentifier(plan)
    if let known = documents[id] { return known }
    planBytes += plan.footprint
    if documents.count >= 1000 || planBytes > 32 << 20 {
      documents.removeAll()
      planBytes = plan.footprint
    }
    let made = TypeKnowledge.DocumentTypes(plan, root: root)
    documents[id] = made
    return made
  }

  /// Returns the types that a document is known to return; derives them again if something was
  /// learned since.
  fileprivate func names(of document: TypeKnowledge.DocumentTypes) -> Set<String> {
    guard document.version != version else { return document.names }
    document.names.removeAll()
    collect(document.plan, parents: [document.root], into: &document.names)
    document.version = version
    document.last = ([], document.names)
    return document.names
  }

  /// Returns the same with the types of the last response, which nearly always has those of the one
  /// before.
  fileprivate func namesWithLastResponse(
    of document: TypeKnowledge.DocumentTypes
  ) -> Set<String> {
    let names = names(of: document)
    if document.last.types != document.walk.typesMet {
      let met = document.walk.namesMet
      document.last = (
        document.walk.typesMet, names.isSuperset(of: met) ? names : names.union(met)
      )
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
        for name in field.names(on: parent) {
          returned.formUnion(types[FieldCoordinate(type: parent, field: name)] ?? [])
        }
      }
      names.formUnion(returned)
      collect(child, parents: returned, into: &names)
    }
  }

  /// Returns the fields at the root of a document whose types are unknown.
  fileprivate func unknownFields(of plan: SelectionPlan, root: String) -> Set<FieldCoordinate> {
    Set(
      plan.fields.lazy.filter { $0.child != nil }
        .flatMap { $0.names(on: root).map { FieldCoordinate(type: root, field: $0) } }
        .filter { types[$0] == nil })
  }
}
