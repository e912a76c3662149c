import GraphQLLanguage

/// The members of a union are different object types (section 3.8).
enum UnionMembers: ValidationRule {
  static let name = "union-members"

  static func check(_ union: SchemaType, _ context: ValidationContext) {
    guard union.kind == .union else { return }
    let members = union.parts.flatMap { part in
      part.definition.memberTypes.enumerated().map { (name: $1, place: part.memberPlace($0)) }
    }
    for group in Repetitions.groups(of: members, by: \.name)
    where context.schema.types[group.name]?.kind == .object {
      context.report(
        Self.self, "Union type \(union.name) can only include type \(group.name) once.",
        at: group.elements[0].place, related: group.elements.dropFirst().map(\.place))
    }
    for member in members {
      guard let type = context.schema.types[member.name], type.kind != .object else { continue }
      context.report(
        Self.self,
        "Union type \(union.name) can only include Object types, it cannot include \(member.name).",
        at: member.place)
    }
  }
}
