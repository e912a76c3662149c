import GraphQLLanguage
import GraphQLValidation
import Weir

/// The types of a schema that a server can execute operations against.
struct LocalSchema: Sendable {
  let types: TypeSystem
  /// Makes the values of fields that nothing else answers; nil makes them null.
  let samples: Samples?

  /// The rules without which the execution is not possible. A schema may break others, as those of
  /// real servers do.
  private static let rules: Set = [
    "root-types", "known-types", "input-and-output-types", "default-value-cycles",
  ]

  init(sdl: String, filling: LocalServer.Filling?) throws(LocalServerError) {
    let file: SourceFile
    do {
      file = try SourceFile(path: "schema", parsing: sdl)
    } catch {
      throw LocalServerError("\(error)")
    }
    if file.document.definitions.contains(where: \.isExecutable) {
      throw LocalServerError("The schema contains an operation or a fragment.")
    }
    types = TypeSystem([file])
    if let finding = types.validate(strict: true).first(where: { Self.rules.contains($0.rule) }) {
      throw LocalServerError("\(finding)")
    }
    if let filling { samples = try Samples(filling, for: types) } else { samples = nil }
  }

  /// The name of the root type of a kind of operation; nil if the schema has none.
  func root(_ kind: GraphQLOperation.Kind) -> String? {
    OperationKind(rawValue: kind.rawValue).flatMap { types.rootTypes[$0] }
  }

  /// Whether an object type is `type`, implements it, or is a member of it.
  func isObject(_ typename: String, of type: String) -> Bool {
    types.isSubtype(typename, of: type)
  }
}

// MARK: - Resolvers

extension LocalSchema {
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
    for type in resolvers.typenames.keys where types.types[type] == nil {
      throw LocalServerError("The schema has no type \"\(type)\".")
    }
  }

  private func check(_ field: String, of typename: String) throws(LocalServerError) {
    guard let type = types.types[typename], type.kind == .object, type.field(field) != nil else {
      throw LocalServerError("The schema has no object type with the field \(typename).\(field).")
    }
  }
}
