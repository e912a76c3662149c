import GraphQLLanguage

/// Collects the definitions of a type system by their names.
struct TypeSystemMerge {
  private(set) var typeNames: [String] = []
  private(set) var directives: [String: SchemaDirective] = [:]
  private(set) var description: String?
  private var parts: [String: [SchemaType.Part]] = [:]
  private var roots: [OperationKind: String] = [:]
  private var hasSchemaDefinition = false

  mutating func add(_ file: SourceFile) {
    for definition in file.document.definitions {
      switch definition {
      case .type(let type):
        add(SchemaType.Part(definition: type, isExtension: false, file: file))
      case .typeExtension(let type):
        add(SchemaType.Part(definition: type, isExtension: true, file: file))
      case .directive(let directive):
        if directives[directive.name] == nil {
          directives[directive.name] = SchemaDirective(definition: directive, file: file)
        }
      case .schema(let schema):
        hasSchemaDefinition = true
        description = description ?? schema.description?.value
        add(schema.operationTypes)
      case .schemaExtension(let schema):
        add(schema.operationTypes)
      case .operation, .fragment: break
      }
    }
  }

  /// Adds the built-in definitions that the sources do not replace.
  mutating func addBuiltIn(_ file: SourceFile) {
    for definition in file.document.definitions {
      switch definition {
      case .type(let type)
      where parts[type.name]?.contains(where: { !$0.isExtension }) != true:
        let part = SchemaType.Part(definition: type, isExtension: false, file: file)
        parts[type.name, default: []].insert(part, at: 0)
      case .directive(let directive) where directives[directive.name] == nil:
        directives[directive.name] = SchemaDirective(definition: directive, file: file)
      default: break
      }
    }
  }

  private mutating func add(_ part: SchemaType.Part) {
    let name = part.definition.name
    if parts[name]?.append(part) == nil {
      parts[name] = [part]
      typeNames.append(name)
    }
  }

  private mutating func add(_ operationTypes: [OperationTypeDefinition]) {
    for operation in operationTypes where roots[operation.kind] == nil {
      roots[operation.kind] = operation.type
    }
  }
}

extension TypeSystemMerge {
  /// The merged types. If several definitions have one name, the first counts.
  func types() -> [String: SchemaType] {
    var types = [String: SchemaType](minimumCapacity: parts.count)
    for (name, all) in parts {
      let main = all.first { !$0.isExtension } ?? all[0]
      var hasDefinition = false
      let counted = all.filter { part in
        if part.isExtension { return true }
        defer { hasDefinition = true }
        return !hasDefinition
      }
      types[name] = SchemaType(counted, kind: main.definition.kind, name: name)
    }
    return types
  }

  /// Without a schema definition, types with the default names are root types (specification, section
  /// 3.3.1).
  func rootTypes(_ types: [String: SchemaType]) -> [OperationKind: String] {
    var roots = roots
    guard !hasSchemaDefinition else { return roots }
    for kind in OperationKind.allCases where types[kind.defaultTypeName] != nil {
      roots[kind] = roots[kind] ?? kind.defaultTypeName
    }
    return roots
  }
}

extension OperationKind {
  /// The name of the root type in a schema without a schema definition.
  var defaultTypeName: String {
    switch self {
    case .query: "Query"
    case .mutation: "Mutation"
    case .subscription: "Subscription"
    }
  }
}
