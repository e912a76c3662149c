import GraphQLLanguage

/// A selected field exists on the type (section 5.3.1).
enum FieldSelections: ValidationRule {
  static let name = "field-selections"

  static func check(_ use: AppliedField, _ context: DocumentContext) {
    guard let parent = use.parent, use.definition == nil else { return }
    let name = use.field.name
    let similar = context.search.suggestions(Self.name, for: name, in: parent.name) {
      let types = suggestedTypes(for: name, on: parent, context.schema)
      return types.isEmpty ? Suggestions.similar(to: name, among: parent.fields.map(\.name)) : types
    }
    let type = parent.isAbstract ? similar.first.flatMap { context.schema.types[$0] } : nil
    let areTypes = type?.field(name) != nil
    let question = Suggestions.question(
      similar, areTypes ? "to use an inline fragment on " : "")
    context.report(
      Self.self, "Cannot query field \"\(name)\" on type \"\(parent.name)\".\(question)",
      at: use.place, suggestions: similar)
  }

  /// Returns the possible types of an interface or a union that have the field, and interfaces of
  /// those, the most common first.
  private static func suggestedTypes(
    for field: String, on parent: SchemaType, _ schema: TypeSystem
  ) -> [String] {
    guard parent.isAbstract else { return [] }
    var counts: [String: Int] = [:]
    for name in schema.possibleTypes(of: parent.name) {
      guard let type = schema.types[name], type.field(field) != nil else { continue }
      counts[name] = 1
      for interface in type.interfaces where schema.types[interface]?.field(field) != nil {
        counts[interface, default: 0] += 1
      }
    }
    return counts.keys.sorted { left, right in
      if let a = counts[left], let b = counts[right], a != b { return a > b }
      // A type comes behind the interfaces that it implements.
      if schema.isSubtype(right, of: left) { return true }
      if schema.isSubtype(left, of: right) { return false }
      return Suggestions.naturallyPrecedes(left, right)
    }
  }
}
