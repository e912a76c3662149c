import GraphQLLanguage

/// The definition of a directive does not use the directive, directly or through the types and
/// directives of its arguments (section 3.13).
enum DirectiveCycles: ValidationRule {
  static let name = "directive-cycles"

  static func check(_ context: ValidationContext) {
    let uses = DirectiveUses(context.schema)
    for name in context.schema.directives.keys.sorted() {
      guard let directive = context.schema.directives[name], !directive.isBuiltIn,
        uses.isCyclic(name)
      else { continue }
      context.report(
        Self.self, "Directive \"@\(name)\" must not reference itself in its definition.",
        at: directive.place)
    }
  }
}

/// Which directives and types the definitions of directives lead to. The name of a directive begins with
/// `@`, as no name of a type does.
private struct DirectiveUses {
  private let links: [String: [String]]
  private let groups: LinkGroups

  init(_ schema: TypeSystem) {
    let directives = schema.directives.keys.sorted().map { "@\($0)" }
    var links: [String: [String]] = [:]
    var work = directives
    while let name = work.popLast() {
      if links[name] != nil { continue }
      let next =
        name.hasPrefix("@")
        ? Self.names(schema.directives[String(name.dropFirst())]) : Self.names(schema.types[name])
      links[name] = next
      work += next
    }
    self.links = links
    groups = LinkGroups(links, order: directives)
  }

  /// Whether the definition of a directive leads to the directive.
  func isCyclic(_ directive: String) -> Bool {
    let name = "@\(directive)"
    return links[name, default: []].contains { groups.areTogether($0, name) }
  }

  private static func names(_ directive: SchemaDirective?) -> [String] {
    directive?.definition.arguments.flatMap(names) ?? []
  }

  private static func names(_ type: SchemaType?) -> [String] {
    guard let type else { return [] }
    return names(type.directives) + type.inputFields.flatMap { names($0.definition) }
      + type.values.flatMap { names($0.directives) }
  }

  private static func names(_ input: InputValueDefinition) -> [String] {
    names(input.directives) + [input.type.namedType]
  }

  private static func names(_ directives: [Directive]) -> [String] {
    directives.map { "@\($0.name)" }
  }
}
