import GraphQLLanguage
import GraphQLValidation

/// Finds the response keys that tell whether a response has a part.
struct SelectionKeys {
  let schema: TypeSystem
  let documents: Documents

  /// Returns the paths to the leaves that are selected without a condition.
  func paths(_ sources: [SelectionCollection.Source], on type: SchemaType) -> [String] {
    var seen: Set<String> = []
    return sources.filter { !$0.isConditional }
      .flatMap { paths($0.selections, on: type, spreading: []) }
      .filter { seen.insert($0).inserted }
  }

  private func paths(
    _ set: SelectionSet, on type: SchemaType, spreading: Set<String>
  ) -> [String] {
    set.selections.flatMap { selection -> [String] in
      switch selection {
      case .field(let field):
        guard !field.directives.areConditional, field.name != "__typename" else { return [] }
        guard let selections = field.selectionSet,
          let inner = schema.field(field.name, of: type).flatMap({ schema.type(of: $0.type) })
        else { return [field.responseKey] }
        let below = paths(selections, on: inner, spreading: spreading)
        return below.isEmpty
          ? [field.responseKey] : below.map { "\(field.responseKey).\($0)" }
      case .fragmentSpread(let spread):
        guard !spread.directives.areConditional, !spreading.contains(spread.name),
          let fragment = documents.fragments[spread.name]?.definition,
          schema.isSubtype(type.name, of: fragment.typeCondition)
        else { return [] }
        return paths(
          fragment.selectionSet, on: type, spreading: spreading.union([spread.name]))
      case .inlineFragment(let fragment):
        guard !fragment.directives.areConditional,
          fragment.typeCondition.map({ schema.isSubtype(type.name, of: $0) }) ?? true
        else { return [] }
        return paths(fragment.selectionSet, on: type, spreading: spreading)
      }
    }
  }
}
