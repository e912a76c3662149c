import GraphQLValidation

/// The namespaces of other modules by the types of the schema that they contain.
struct ImportedNames {
  /// Enumerations and input objects, and the interfaces and unions whose possible types are there.
  var types: [String: Namespace] = [:]
  /// Objects, interfaces and unions whose fields are all there, for configuring caches.
  var composites: [String: Namespace] = [:]
}

/// The enumeration that contains a module's types for those of the schema.
struct Namespace {
  let name: String
  /// The module; nil for the one that code is generated for.
  let module: String?
  /// The types of the schema, whose names may be those that the code in it uses.
  private let types: DistinctNames
  /// The properties of `Types`.
  private let sets: DistinctNames

  init(_ configuration: GenerationConfiguration, _ schema: TypeSystem, module: String? = nil) {
    self.module = module
    name = configuration.namespace
    types = DistinctNames(
      schema.typeNames,
      reserved: SwiftName.reservedTypes.union(Self.reserved(configuration)).union(Self.reserved))
    sets = DistinctNames(
      schema.typeNames, reserved: SwiftName.reservedProperties.union(["TypeSet"]))
  }

  /// The names of modules and types that the configuration brings into generated code.
  static func reserved(_ configuration: GenerationConfiguration) -> Set<String> {
    let types = configuration.scalars.values + (configuration.ids.map { [$0] } ?? [])
    let modules = types.map {
      String($0.prefix { $0.isLetter || $0.isNumber || $0 == "_" })
    }
    return Set(modules + configuration.imports + [configuration.namespace, "Foundation"])
  }

  /// The name of a type within the namespace.
  func local(_ name: String) -> String { SwiftName.quoted(types[name]) }

  /// The name of a type with the namespace before it.
  func qualified(_ name: String) -> String { "\(self.name).\(local(name))" }

  /// The property of `Types` for an interface or a union.
  func set(_ name: String) -> String { SwiftName.quoted(sets[name]) }

  private static let reserved = SwiftName.reservedSchemaTypes.union([
    "Types", "WeirNormalized", "cacheConfiguration", "schema",
  ])
}
