import GraphQLLanguage

/// A field has a selection set if and only if its type has fields (section 5.3.3).
enum LeafFieldSelections: ValidationRule {
  static let name = "leaf-field-selections"

  static func check(_ use: AppliedField, _ context: DocumentContext) {
    guard let type = use.type, let definition = use.definition else { return }
    let field = use.field
    if type.isLeaf == (field.selectionSet == nil) { return }
    let text = definition.type.canonicalText
    if type.isLeaf {
      context.report(
        Self.self,
        "Field \"\(field.name)\" must not have a selection since type \"\(text)\" has no subfields.",
        at: SourcePlace(use.file, field.location, tokens: field.headTokenCount))
    } else {
      context.report(
        Self.self,
        "Field \"\(field.name)\" of type \"\(text)\" must have a selection of subfields. "
          + "Did you mean \"\(field.name) { ... }\"?",
        at: use.place)
    }
  }
}
