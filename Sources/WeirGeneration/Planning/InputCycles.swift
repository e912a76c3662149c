import GraphQLLanguage
import GraphQLValidation

/// Finds the fields of input objects that lead back to their own type, other than through a list.
struct InputCycles {
  private let groups: LinkGroups

  init(_ schema: TypeSystem) {
    var targets: [String: [String]] = [:]
    for name in schema.typeNames {
      guard let type = schema.types[name], type.kind == .inputObject else { continue }
      targets[name] = type.inputFields.lazy.filter { !$0.type.isList }.map(\.type.namedType)
        .filter { schema.types[$0]?.kind == .inputObject }
    }
    groups = LinkGroups(targets, order: schema.typeNames)
  }

  /// Whether a value of the field can contain a value of the type that has the field.
  func isCyclic(_ field: InputValueDefinition, of type: SchemaType) -> Bool {
    !field.type.isList && groups.areTogether(field.type.namedType, type.name)
  }
}
