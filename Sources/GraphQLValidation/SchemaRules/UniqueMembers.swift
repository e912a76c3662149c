import GraphQLLanguage

/// A type has no two fields or values of one name, and a field no two arguments (sections 3.6, 3.7,
/// 3.9 and 3.10). Extensions count.
enum UniqueMembers: ValidationRule {
  static let name = "unique-members"

  static func check(_ type: SchemaType, _ context: ValidationContext) {
    var fields: [Member] = []
    var values: [Member] = []
    for part in type.parts {
      let definition = part.definition
      for field in definition.fields {
        checkArguments(field.arguments, of: "\(type.name).\(field.name)", in: part.file, context)
      }
      fields += definition.fields.map {
        ($0.name, part.file.namePlace($0.location, $0.description))
      }
      fields += definition.inputFields.map {
        ($0.name, part.file.namePlace($0.location, $0.description))
      }
      values += definition.values.map {
        ($0.name, part.file.namePlace($0.location, $0.description))
      }
    }
    check(fields, "Field", of: type, context)
    check(values, "Enum value", of: type, context)
  }

  private typealias Member = (name: String, place: SourcePlace)

  private static func check(
    _ members: [Member], _ subject: String, of type: SchemaType, _ context: ValidationContext
  ) {
    for group in Repetitions.groups(of: members, by: \.name) {
      for repetition in group.elements.dropFirst() {
        context.report(
          Self.self, "\(subject) \"\(type.name).\(group.name)\" can only be defined once.",
          at: group.elements[0].place, related: [repetition.place])
      }
    }
  }

  /// Checks the arguments of a field or a directive.
  static func checkArguments(
    _ arguments: [InputValueDefinition], of owner: String, in file: SourceFile,
    _ context: ValidationContext
  ) {
    for group in Repetitions.groups(of: arguments, by: \.name) {
      let places = group.elements.map { file.namePlace($0.location, $0.description) }
      context.report(
        Self.self, "Argument \"\(owner)(\(group.name):)\" can only be defined once.", at: places[0],
        related: Array(places.dropFirst()))
    }
  }
}
