import GraphQLLanguage

/// A mutation that returns objects selects more of them than `__typename`, so that caches learn what
/// has changed. A fragment that is missing may do so.
enum MutationSelectsNothing: ValidationRule {
  static let name = "mutation-selects-nothing"

  static func check(_ context: DocumentContext) {
    let table = context.selections
    for definition in context.definitions {
      guard definition.operation?.kind == .mutation, let root = definition.selectionSet else {
        continue
      }
      for id in table.closure(of: [root]).flatMap({ table.sets[$0].fields }) {
        let use = table.fields[id]
        guard let set = use.selectionSet, let fields = table.allFields(of: set) else { continue }
        if fields.contains(where: { $0.field.name != "__typename" }) { continue }
        context.report(
          Self.self,
          "The mutation \"\(use.field.name)\" selects no field of its result, so caches cannot learn "
            + "what has changed.",
          at: SourcePlace(file: use.file, location: use.field.location))
      }
    }
  }
}
