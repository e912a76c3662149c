public import GraphQLLanguage

/// The types and directives of a schema (specification, section 3), merged from any number of
/// sources.
///
/// Building one never fails. What the specification does not allow is left out or takes the most
/// likely meaning: of two definitions of one name the first counts, and an extension of a missing
/// type defines it. Call `validate(strict:)` to learn about such mistakes.
///
/// It takes time in proportion to the size of the sources. It is a value of a few words; copying it
/// is cheap.
public struct TypeSystem: Sendable {
  /// The sources, without the built-in definitions.
  public let sources: [SourceFile]
  /// The types by their names, with built-in scalars and the types of the introspection.
  public let types: [String: SchemaType]
  /// The names of the types of the sources, in the order of their first definition or extension.
  public let typeNames: [String]
  /// The directives by their names, with those of the specification, and with `@defer`, `@stream`,
  /// `@unmask`, `@connection`, `@link`, `@typePolicy`, `@fieldPolicy` and
  /// `@apollo_client_ios_localCacheMutation` if no source defines them.
  public let directives: [String: SchemaDirective]
  /// The names of the root types. A name may lack a type.
  public let rootTypes: [OperationKind: String]
  /// The documentation of the schema.
  public let description: String?

  /// The object types that implement an interface or are members of a union, in the order of
  /// `typeNames` or of the union.
  private let possible: [String: [String]]
  private let possibleSets: [String: Set<String>]

  /// Merges the definitions and extensions of sources. Operations and fragments are ignored.
  ///
  /// - Parameter sources: The files of the schema, in any order: an extension can come before its
  ///   definition.
  public init(_ sources: [SourceFile]) {
    var merge = TypeSystemMerge()
    for source in sources { merge.add(source) }
    self.sources = sources
    typeNames = merge.typeNames
    merge.addBuiltIn(Self.builtIn)
    types = merge.types()
    directives = merge.directives
    description = merge.description
    rootTypes = merge.rootTypes(types)
    possible = Self.possibleTypes(types, order: merge.typeNames)
    possibleSets = possible.mapValues { Set($0) }
  }
}

extension TypeSystem {
  private static func possibleTypes(
    _ types: [String: SchemaType], order: [String]
  ) -> [String: [String]] {
    var possible: [String: [String]] = [:]
    for name in order {
      guard let type = types[name] else { continue }
      switch type.kind {
      case .object:
        for interface in type.interfaces { possible[interface, default: []].append(name) }
      case .union:
        possible[name] = type.memberTypes.filter { types[$0]?.kind == .object }
      case .interface, .scalar, .enum, .inputObject: break
      }
    }
    return possible
  }

  /// Returns the type that a reference names.
  public func type(of reference: TypeReference) -> SchemaType? { types[reference.namedType] }

  /// Returns the root type of a kind of operation.
  public func rootType(_ kind: OperationKind) -> SchemaType? {
    rootTypes[kind].flatMap { types[$0] }
  }

  /// Returns the field of a type that a selection names, including `__typename` and the fields
  /// `__schema` and `__type` of the query type.
  public func field(_ name: String, of type: SchemaType) -> SchemaField? {
    if let field = type.field(name) { return field }
    guard name.hasPrefix("__") else { return nil }
    if name == "__typename" { return type.isComposite ? Self.typenameField : nil }
    return type.name == rootTypes[.query] ? Self.queryFields[name] : nil
  }

  /// Returns the names of the object types that a value of a type can have: of an object type the
  /// type itself, of an interface the types that implement it, of a union its members.
  public func possibleTypes(of name: String) -> [String] {
    types[name]?.kind == .object ? [name] : possible[name] ?? []
  }

  /// Whether every value of `name` is also one of `supertype`: they are the same type, or `name`
  /// implements `supertype` or is a member of it.
  public func isSubtype(_ name: String, of supertype: String) -> Bool {
    if name == supertype { return true }
    guard let type = types[supertype] else { return false }
    if type.kind == .union { return type.memberTypes.contains(name) }
    return types[name]?.interfaces.contains(supertype) ?? false
  }

  /// Whether an object type is a possible type of both types.
  public func overlap(_ first: String, _ second: String) -> Bool {
    if first == second { return true }
    switch (types[first]?.kind == .object, types[second]?.kind == .object) {
    case (true, true): return false
    case (true, false): return possibleSets[second]?.contains(first) ?? false
    case (false, true): return possibleSets[first]?.contains(second) ?? false
    case (false, false):
      guard let a = possibleSets[first], let b = possibleSets[second] else { return false }
      return !a.isDisjoint(with: b)
    }
  }
}
