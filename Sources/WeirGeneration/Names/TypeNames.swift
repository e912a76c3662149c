import GraphQLLanguage
import GraphQLValidation

/// The names of Swift types for types of the schema, and which of those the code uses.
struct TypeNames {
  let schema: TypeSystem
  let scalars: ScalarTypes
  let namespace: Namespace
  let casing: GenerationConfiguration.Casing
  /// The namespaces of other modules.
  let imported: ImportedNames
  /// The leaves, input objects, interfaces and unions of this module's namespace that were named.
  private(set) var used: Set<String> = []
  var modules = UsedModules()

  init(
    _ schema: TypeSystem, _ configuration: GenerationConfiguration, imported: ImportedNames
  ) {
    self.schema = schema
    self.imported = imported
    scalars = ScalarTypes(configuration)
    namespace = Namespace(configuration, schema)
    casing = configuration.casing
  }

  /// Returns the Swift type of a leaf or an input object.
  mutating func leaf(_ name: String, isOutput: Bool = false) -> String {
    switch schema.types[name]?.kind {
    case .enum, .inputObject:
      return home(of: name).qualified(name)
    default:
      used.insert(name)
      let type = isOutput ? scalars.outputType(of: name) : scalars.type(of: name)
      modules.note(type == "JSONValue" ? "Weir.JSONValue" : type)
      return type
    }
  }

  /// Returns the expression for the possible types of an interface or a union.
  mutating func set(_ name: String) -> String {
    // Only initializers test types.
    let home = home(of: name, onlyInBodies: true)
    return "\(home.name).Types.\(home.set(name))"
  }

  /// The namespace that contains a type.
  private mutating func home(of name: String, onlyInBodies: Bool = false) -> Namespace {
    guard let other = imported.types[name] else {
      used.insert(name)
      return namespace
    }
    modules.import("enum", other.name, of: other.module, onlyInBodies: onlyInBodies)
    return other
  }

  /// Returns the type that stands for an object type, an interface or a union.
  mutating func composite(_ name: String) -> String {
    guard let other = imported.composites[name] else { return namespace.qualified(name) }
    modules.import("enum", other.name, of: other.module)
    return other.qualified(name)
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
