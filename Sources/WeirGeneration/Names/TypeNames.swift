import GraphQLLanguage
import GraphQLValidation

/// The names of Swift types for types of the schema, and which of those the code uses.
struct TypeNames {
  let schema: TypeSystem
  let scalars: ScalarTypes
  let namespace: String
  /// The leaves, input objects, interfaces and unions that were named.
  private(set) var used: Set<String> = []
  private(set) var modules: UsedModules
  /// The names that no type within the namespace can have, because the code in it uses them.
  private let reserved: Set<String>

  init(
    _ schema: TypeSystem, _ configuration: GenerationConfiguration,
    _ modules: UsedModules = UsedModules()
  ) {
    self.schema = schema
    self.modules = modules
    reserved = SwiftName.reservedTypes.union(Self.reserved(configuration)).union(Self.namespaced)
    scalars = ScalarTypes(configuration)
    namespace = configuration.namespace
  }

  /// The names that no nested type of an operation can have.
  static func reserved(_ configuration: GenerationConfiguration) -> Set<String> {
    let modules = configuration.scalars.values.map {
      String($0.prefix { $0.isLetter || $0.isNumber || $0 == "_" })
    }
    return Set(modules + configuration.imports + [configuration.namespace, "Foundation"])
  }

  /// Returns the Swift type of a leaf or an input object.
  mutating func leaf(_ name: String) -> String {
    used.insert(name)
    switch schema.types[name]?.kind {
    case .enum, .inputObject:
      return "\(namespace).\(local(name))"
    default:
      let type = scalars.type(of: name)
      modules.note(type == "JSONValue" ? "Weir.JSONValue" : type)
      return type
    }
  }

  /// The name of a type within the namespace.
  func local(_ name: String) -> String {
    reserved.contains(name) ? "\(name)_" : name
  }

  private static let namespaced: Set<String> = [
    "ArgumentName", "FieldName", "GeneratedNames", "GeneratedObject", "GeneratedType",
    "GraphQLSchema", "MutationName", "NormalizedCacheConfiguration", "Types", "WeirNormalized",
    "cacheConfiguration", "schema",
  ]

  /// Returns the marker of an object type, an interface or a union.
  func composite(_ name: String) -> String { "\(namespace).\(local(name))" }

  /// Returns the expression for the possible types of an interface or a union.
  mutating func set(_ name: String) -> String {
    used.insert(name)
    return "\(namespace).Types.\(SwiftName.property(name))"
  }

  /// Returns the Swift type of a reference; `leaf` is that of its innermost name.
  func type(_ reference: TypeReference, of leaf: String) -> String {
    switch reference {
    case .nonNull(let inner): nonNull(inner, of: leaf)
    default: nonNull(reference, of: leaf) + "?"
    }
  }

  func nonNull(_ reference: TypeReference, of leaf: String) -> String {
    switch reference {
    case .named: leaf
    case .nonNull(let inner): nonNull(inner, of: leaf)
    case .list(let element): "[\(type(element, of: leaf))]"
    }
  }
}
