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
  /// The names that no type in it can have, because the code in it uses them.
  private let reserved: Set<String>

  init(_ configuration: GenerationConfiguration, module: String? = nil) {
    self.module = module
    name = configuration.namespace
    reserved = SwiftName.reservedTypes.union(Self.reserved(configuration)).union(Self.reserved)
  }

  /// The names of modules and types that the configuration brings into generated code.
  static func reserved(_ configuration: GenerationConfiguration) -> Set<String> {
    let modules = configuration.scalars.values.map {
      String($0.prefix { $0.isLetter || $0.isNumber || $0 == "_" })
    }
    return Set(modules + configuration.imports + [configuration.namespace, "Foundation"])
  }

  /// The name of a type within the namespace.
  func local(_ name: String) -> String {
    reserved.contains(name) ? "\(name)_" : SwiftName.quoted(name)
  }

  /// The name of a type with the namespace before it.
  func qualified(_ name: String) -> String { "\(self.name).\(local(name))" }

  private static let reserved: Set<String> = [
    "ArgumentName", "FieldName", "GeneratedNames", "GeneratedObject", "GeneratedType",
    "GraphQLSchema", "MutationName", "NormalizedCacheConfiguration", "Types", "WeirNormalized",
    "cacheConfiguration", "schema",
  ]
}
