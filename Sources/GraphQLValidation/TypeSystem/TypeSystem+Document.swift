public import GraphQLLanguage

extension TypeSystem {
  /// The schema as one document: merged from all sources, without extensions, and in an order that does
  /// not depend on the sources. `document.canonicalText` is the schema definition language.
  ///
  /// Types, directives, fields, input fields, interfaces and members of unions are sorted by name.
  /// Arguments and values of enumerations keep their order, which readers rely on. Built-in scalars, the
  /// directives of the specification, and the types of the introspection are left out.
  ///
  /// Two schemas that differ in nothing but the order and the division into files have equal documents.
  /// It takes time in proportion to the schema.
  public var document: Document {
    var definitions: [Definition] = []
    if let schema = schemaDefinition { definitions.append(schema) }
    let own = directives.values.filter {
      !$0.isBuiltIn && !Self.specifiedDirectives.contains($0.name)
    }
    definitions += own.map(\.definition).sorted(by: \.name).map { directive -> Definition in
      var directive = directive
      directive.description = directive.description?.asBlock
      directive.arguments = directive.arguments.map(\.withBlockDescription)
      directive.locations.sort { $0.rawValue < $1.rawValue }
      return .directive(directive)
    }
    let named = typeNames.filter { !Self.isSpecified($0) }.compactMap { types[$0] }
    definitions += named.sorted(by: \.name).map { Definition.type($0.sortedDefinition) }
    return Document(definitions: definitions)
  }

  /// The directives that belong to every schema (specification, section 3.13).
  package static let specifiedDirectives: Set = [
    "skip", "include", "deprecated", "specifiedBy", "oneOf",
  ]

  static let specifiedScalars: Set = ["Int", "Float", "String", "Boolean", "ID"]

  /// Whether every schema has the type: a built-in scalar, or a type of the introspection.
  package static func isSpecified(_ type: String) -> Bool {
    type.hasPrefix("__") || specifiedScalars.contains(type)
  }

  /// The schema definition; nil if the names of the root types say the same (specification, section
  /// 3.3.1). A schema without root types, for example a part of a federated one, can only have an
  /// extension for its directives.
  private var schemaDefinition: Definition? {
    let applied = sources.flatMap(\.document.definitions).flatMap { definition -> [Directive] in
      switch definition {
      case .schema(let schema), .schemaExtension(let schema): schema.directives
      default: []
      }
    }
    let areDefault = OperationKind.allCases.allSatisfy { kind in
      rootTypes[kind] == (types[kind.defaultTypeName] == nil ? nil : kind.defaultTypeName)
    }
    if rootTypes.isEmpty {
      let schema = SchemaDefinition(directives: applied, operationTypes: [])
      return applied.isEmpty ? nil : .schemaExtension(schema)
    }
    if description == nil, applied.isEmpty, areDefault { return nil }
    return .schema(
      SchemaDefinition(
        description: description.map { StringValue($0, isBlock: true) }, directives: applied,
        operationTypes: OperationKind.allCases.compactMap { kind in
          rootTypes[kind].map { OperationTypeDefinition(kind: kind, type: $0) }
        }))
  }
}

extension SchemaType {
  /// The definition with all extensions, sorted.
  fileprivate var sortedDefinition: TypeDefinition {
    TypeDefinition(
      kind, description: description.map { StringValue($0, isBlock: true) }, name: name,
      interfaces: interfaces.sorted(by: \.self), directives: directives,
      fields: fields.map(\.definition).sorted(by: \.name).map { field in
        var field = field
        field.description = field.description?.asBlock
        field.arguments = field.arguments.map(\.withBlockDescription)
        return field
      },
      memberTypes: memberTypes.sorted(by: \.self),
      values: values.map(\.definition).map { value in
        var value = value
        value.description = value.description?.asBlock
        return value
      },
      inputFields: inputFields.map(\.definition).sorted(by: \.name).map(\.withBlockDescription))
  }
}

extension InputValueDefinition {
  fileprivate var withBlockDescription: InputValueDefinition {
    var input = self
    input.description = description?.asBlock
    return input
  }
}

extension StringValue {
  fileprivate var asBlock: StringValue { StringValue(value, isBlock: true) }
}

extension Sequence {
  /// Sorts by the bytes of a name, which no locale changes.
  package func sorted(by name: KeyPath<Element, String>) -> [Element] {
    sorted { $0[keyPath: name].utf8.lexicographicallyPrecedes($1[keyPath: name].utf8) }
  }
}
