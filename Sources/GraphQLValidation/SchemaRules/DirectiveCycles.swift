import GraphQLLanguage

/// The definition of a directive does not use the directive, directly or through the types and
/// directives of its arguments (section 3.13).
enum DirectiveCycles: ValidationRule {
  static let name = "directive-cycles"

  static func check(_ directive: SchemaDirective, _ context: ValidationContext) {
    var search = DirectiveUses(schema: context.schema)
    search.add(directive.definition.arguments)
    guard search.finds(directive.name) else { return }
    context.report(
      Self.self, "Directive \"@\(directive.name)\" must not reference itself in its definition.",
      at: directive.place)
  }
}

/// The directives that definitions reach.
private struct DirectiveUses {
  let schema: TypeSystem
  private var directives: Set<String> = []
  private var types: Set<String> = []
  private var work: [InputValueDefinition] = []

  init(schema: TypeSystem) {
    self.schema = schema
  }

  mutating func add(_ inputs: [InputValueDefinition]) { work += inputs }

  mutating func finds(_ name: String) -> Bool {
    while let input = work.popLast() {
      add(input.directives)
      if let type = schema.type(of: input.type), types.insert(type.name).inserted {
        add(type.directives)
        add(type.inputFields.map(\.definition))
        for value in type.values { add(value.directives) }
      }
      if directives.contains(name) { return true }
    }
    return false
  }

  private mutating func add(_ uses: [Directive]) {
    for use in uses where directives.insert(use.name).inserted {
      add(schema.directives[use.name]?.definition.arguments ?? [])
    }
  }
}
