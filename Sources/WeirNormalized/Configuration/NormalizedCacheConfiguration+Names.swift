import Weir

extension NormalizedCacheConfiguration {
  /// All names of the API in the configuration.
  var declaredNames: [DeclaredName] {
    var names: [DeclaredName] = []
    for (type, key) in keys where type != "*" {
      names.append(DeclaredName(type, .type, in: "keys[\"\(type)\"]"))
      guard case .fields(let fields) = key else { continue }
      names += fields.map { DeclaredName($0, .field(type: type), in: "keys[\"\(type)\"]") }
    }
    names += groups.keys.map { DeclaredName($0, .type, in: "groups[\"\($0)\"]") }
    names += timeToLive.keys.map { DeclaredName($0, .type, in: "timeToLive[\"\($0)\"]") }
    for (path, policy) in fields { names += policy.declaredNames(at: path) }
    for (field, policy) in mutations { names += policy.declaredNames(of: field) }
    for membership in memberships {
      let place = "the membership of \(membership.typename) in \(membership.field)"
      names.append(DeclaredName(membership.typename, .type, in: place))
      names += DeclaredName.names(ofPath: membership.field, in: place)
    }
    return names.sorted { ($0.place, $0.name) < ($1.place, $1.name) }
  }
}

extension DeclaredName {
  /// The names in the path of a field, as `Type.field`.
  fileprivate static func names(ofPath path: String, in place: String) -> [DeclaredName] {
    let (type, field) = parts(ofPath: path)
    return [DeclaredName(type, .type, in: place)]
      + (field.map { [DeclaredName($0, .field(type: type), in: place)] } ?? [])
  }

  fileprivate static func parts(ofPath path: String) -> (type: String, field: String?) {
    let parts = path.split(separator: ".", maxSplits: 1).map(String.init)
    return (parts.first ?? "", parts.count == 2 ? parts[1] : nil)
  }
}

extension FieldPolicy {
  fileprivate func declaredNames(at path: String) -> [DeclaredName] {
    let place = "fields[\"\(path)\"]"
    let (type, field) = DeclaredName.parts(ofPath: path)
    guard let field, computed == nil else {
      // The server need not know a computed field.
      return [DeclaredName(type, .type, in: place)]
        + (computed?.dependencies.map { DeclaredName($0, .field(type: type), in: place) } ?? [])
    }
    var names = DeclaredName.names(ofPath: path, in: place)
    if let redirect { names.append(DeclaredName(redirect.typename, .typeOrGroup, in: place)) }
    let arguments =
      Array(keyArguments ?? []) + (redirect?.argumentNames ?? []) + (pages?.requiredArguments ?? [])
    return names
      + arguments.map { DeclaredName($0, .argument(type: type, field: field), in: place) }
  }
}

extension EntityRedirect {
  /// The names of the arguments that its paths begin with.
  fileprivate var argumentNames: [String] { arguments.map { ArgumentPath($0).argument } }
}

extension MutationPolicy {
  fileprivate func declaredNames(of field: String) -> [DeclaredName] {
    let place = "mutations[\"\(field)\"]"
    var names = [DeclaredName(field, .mutation, in: place)]
    if let removed {
      names.append(DeclaredName(removed.typename, .typeOrGroup, in: place))
      names += removed.argumentNames.map {
        DeclaredName($0, .mutationArgument(field: field), in: place)
      }
    }
    return names + refreshes.flatMap { DeclaredName.names(ofPath: $0, in: place) }
  }
}

// MARK: - With a schema

extension NormalizedCacheConfiguration {
  /// The declared names that the schema does not have.
  func mistakes(in schema: GraphQLSchema) -> [StoreDiagnostic] {
    let known = KnownNames(schema, self)
    return declaredNames.compactMap { declared in
      guard let names = known.names(in: declared.scope), !names.contains(declared.name) else {
        return nil
      }
      let nearest =
        known.root(named: declared) ?? NearestName.of(declared.name, among: names)
      return StoreDiagnostic(
        code: .unknownName,
        message: "\(declared.place): the schema has no \(declared.kind) named \(declared.name)."
          + (nearest.map { " Did you mean \($0)?" } ?? ""))
    }
  }
}

/// The names of a schema and of the configured possible types.
private struct KnownNames {
  private let schema: GraphQLSchema
  private let types: Set<String>
  private let possibleTypes: [String: Set<String>]
  /// Nil if a closure names more.
  private let groups: Set<String>?

  init(_ schema: GraphQLSchema, _ configuration: NormalizedCacheConfiguration) {
    self.schema = schema
    possibleTypes = configuration.possibleTypes
    types = schema.typenames.union(schema.rootTypes.values).union(possibleTypes.keys)
      .union(possibleTypes.values.joined())
    groups = configuration.groupOfType == nil ? Set(configuration.groups.values) : nil
  }

  /// The names in a scope; nil if they are not known.
  func names(in scope: DeclaredName.Scope) -> Set<String>? {
    switch scope {
    case .type: types
    case .typeOrGroup: groups.map(types.union)
    case .field(let type): fields(of: type).map { Set($0.keys).union(["__typename"]) }
    case .argument(let type, let field): arguments(of: field, on: [type])
    case .mutation:
      roots.isEmpty ? nil : Set(roots.compactMap { schema.fieldArguments[$0]?.keys }.joined())
    case .mutationArgument(let field): arguments(of: field, on: roots)
    }
  }

  /// The name of a root type that is declared under its usual name.
  func root(named declared: DeclaredName) -> String? {
    guard declared.scope == .type else { return nil }
    let kind = GraphQLOperation.Kind.allCases.first { $0.rawValue == declared.name.lowercased() }
    return kind.flatMap { schema.rootTypes[$0] }
  }

  /// Those whose fields are known. A generated schema only names the roots that its documents do not
  /// select.
  private var roots: [String] {
    [GraphQLOperation.Kind.mutation, .subscription].compactMap { schema.rootTypes[$0] }
      .filter(schema.knows)
  }

  private func fields(of type: String) -> [String: Set<String>]? {
    if let own = schema.fieldArguments[type], !own.isEmpty { return own }
    let objects = possibleTypes[type] ?? schema.possibleTypes(of: type)
    var all: [String: Set<String>] = [:]
    for object in objects {
      all.merge(schema.fieldArguments[object] ?? [:]) { $0.union($1) }
    }
    return all.isEmpty ? nil : all
  }

  private func arguments(of field: String, on types: [String]) -> Set<String>? {
    guard schema.knowsArguments else { return nil }
    let known = types.compactMap { fields(of: $0)?[field] }
    return known.isEmpty ? nil : Set(known.joined())
  }
}
