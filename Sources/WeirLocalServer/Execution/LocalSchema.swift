import GraphQLLanguage
import Weir

/// The types of a schema, merged with their extensions.
struct LocalSchema: Sendable {
  private(set) var types: [String: TypeDefinition] = Dictionary(
    uniqueKeysWithValues: builtInScalars.map { ($0, TypeDefinition(.scalar, name: $0)) })
  private let overview: GraphQLSchema

  static let builtInScalars: Set = ["Int", "Float", "String", "Boolean", "ID"]

  init(sdl: String) throws(LocalServerError) {
    let document: Document
    do {
      document = try Document(parsing: sdl)
    } catch {
      throw LocalServerError("\(error)")
    }
    overview = GraphQLSchema(document)
    for definition in document.definitions {
      switch definition {
      case .type(let type), .typeExtension(let type): merge(type)
      case .schema, .schemaExtension, .directive: break
      case .operation, .fragment:
        throw LocalServerError("The schema contains an operation or a fragment.")
      }
    }
    try checkReferences()
  }

  /// The name of the root type of a kind of operation; nil if the schema has none.
  func root(_ kind: GraphQLOperation.Kind) -> String? { overview.rootTypes[kind] }

  /// Whether an object type is `type`, implements it, or is a member of it.
  func isObject(_ typename: String, of type: String) -> Bool {
    typename == type || overview.possibleTypes(of: type).contains(typename)
  }

  private mutating func merge(_ part: TypeDefinition) {
    guard var type = types[part.name] else { return types[part.name] = part }
    type.fields += part.fields
    type.inputFields += part.inputFields
    type.values += part.values
    types[part.name] = type
  }
}

// MARK: - Checks

extension LocalSchema {
  private func checkReferences() throws(LocalServerError) {
    guard let query = root(.query), types[query] != nil else {
      throw LocalServerError("The schema has no query type.")
    }
    for (name, type) in types.sorted(by: { $0.key < $1.key }) {
      for field in type.fields {
        try check(field.type, of: "\(name).\(field.name)", isInput: false)
        for argument in field.arguments {
          try check(argument.type, of: "\(name).\(field.name)(\(argument.name):)", isInput: true)
        }
      }
      for field in type.inputFields {
        try check(field.type, of: "\(name).\(field.name)", isInput: true)
      }
    }
  }

  private func check(
    _ reference: TypeReference, of place: String, isInput: Bool
  ) throws(LocalServerError) {
    guard let type = types[reference.namedType] else {
      throw LocalServerError(
        "The schema has no type \"\(reference.namedType)\", the type of \(place).")
    }
    guard isInput ? type.isInput : type.kind != .inputObject else {
      throw LocalServerError("\(place) cannot have the type \"\(reference.namedType)\".")
    }
  }

  /// Checks that every resolver is for a type and field of the schema; another one is most likely a
  /// mistake.
  func check(_ resolvers: LocalResolvers) throws(LocalServerError) {
    for (kind, fields) in resolvers.roots {
      for field in fields.keys { try check(field, of: root(kind) ?? kind.typename) }
    }
    let subscription = root(.subscription) ?? GraphQLOperation.Kind.subscription.typename
    for field in resolvers.subscriptions.keys { try check(field, of: subscription) }
    for coordinate in resolvers.fields.keys {
      try check(coordinate.field, of: coordinate.typename)
    }
    for type in resolvers.typenames.keys where types[type] == nil {
      throw LocalServerError("The schema has no type \"\(type)\".")
    }
  }

  private func check(_ field: String, of typename: String) throws(LocalServerError) {
    guard types[typename]?.kind == .object, types[typename]?.field(field) != nil else {
      throw LocalServerError("The schema has no object type with the field \(typename).\(field).")
    }
  }
}

extension TypeDefinition {
  func field(_ name: String) -> FieldDefinition? { fields.first { $0.name == name } }
  func hasValue(_ name: String) -> Bool { values.contains { $0.name == name } }
  var isLeaf: Bool { kind == .scalar || kind == .enum }
  var isInput: Bool { isLeaf || kind == .inputObject }
}
