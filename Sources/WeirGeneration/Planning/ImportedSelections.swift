import GraphQLLanguage
import GraphQLValidation

extension Documents {
  /// Returns what the fragments of other modules select that files spread, also by other fragments:
  /// caches have to know these types, too.
  func importedSelections(
    from files: [SourceFile], _ schema: TypeSystem
  ) -> [String: Set<String>] {
    var selected: [String: Set<String>] = [:]
    var seen: Set<String> = []
    var sizes = SpreadSizes(self, onlyUnmasked: true)
    var pending = files.flatMap(\.document.definitions).compactMap(\.selections)
      .flatMap(Self.spreads).map(\.name)
    while let name = pending.popLast() {
      guard let fragment = fragments[name], !fragment.modules.isEmpty, seen.insert(name).inserted,
        // Their module reports them.
        !sizes.isTooLarge(name),
        let type = schema.types[fragment.definition.typeCondition]
      else { continue }
      pending += Self.spreads(in: fragment.definition.selectionSet).map(\.name)
      var planner = SelectionPlanner(
        schema, self, NumberedFile(fragment.file), casing: .schema)
      _ = planner.plan(
        name, [.init(selections: fragment.definition.selectionSet, isConditional: false)], on: type,
        as: .object, mayRepeat: true)
      selected.merge(planner.selected) { $0.union($1) }
    }
    return selected
  }
}
