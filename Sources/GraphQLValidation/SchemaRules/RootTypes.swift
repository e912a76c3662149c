import GraphQLLanguage

/// There is a query type, and the root types are different object types (section 3.3.1).
enum RootTypes: ValidationRule {
  static let name = "root-types"

  static func check(_ context: ValidationContext) {
    let schema = context.schema
    if schema.rootTypes[.query] == nil, let place = schemaPlace(schema) {
      context.report(Self.self, "Query root type must be provided.", at: place)
    }
    var uses: [(type: String, kind: OperationKind)] = []
    for kind in OperationKind.allCases {
      guard let type = schema.rootType(kind) else { continue }
      if type.kind == .object {
        uses.append((type.name, kind))
      } else {
        let name = kind.rawValue.prefix(1).uppercased() + kind.rawValue.dropFirst()
        let condition = kind == .query ? "" : " if provided"
        context.report(
          Self.self,
          "\(name) root type must be Object type\(condition), it cannot be \(type.name).",
          at: operationTypePlace(kind, schema) ?? type.place)
      }
    }
    for group in Repetitions.groups(of: uses, by: \.type) {
      let kinds = Suggestions.list(group.elements.map(\.kind.rawValue), "and")
      let places = group.elements.compactMap { operationTypePlace($0.kind, schema) }
      context.report(
        Self.self,
        "All root types must be different, \"\(group.name)\" type is used as \(kinds) root types.",
        at: places.first ?? schema.types[group.name]?.place ?? noPlace,
        related: Array(places.dropFirst()))
    }
  }

  private static let noPlace = SourcePlace(file: TypeSystem.builtIn, location: .unknown)

  /// The place of the schema definition, or the beginning of the first source.
  private static func schemaPlace(_ schema: TypeSystem) -> SourcePlace? {
    for file in schema.sources {
      for case .schema(let definition) in file.document.definitions {
        return SourcePlace(file: file, location: definition.location)
      }
    }
    return schema.sources.first.map {
      SourcePlace(file: $0, location: $0.document.definitions.first?.location ?? .unknown)
    }
  }

  private static func operationTypePlace(
    _ kind: OperationKind, _ schema: TypeSystem
  ) -> SourcePlace? {
    for file in schema.sources {
      for definition in file.document.definitions {
        switch definition {
        case .schema(let parts), .schemaExtension(let parts):
          if let operation = parts.operationTypes.first(where: { $0.kind == kind }) {
            return SourcePlace(file, operation.location, tokens: 2)
          }
        default: break
        }
      }
    }
    return nil
  }
}
