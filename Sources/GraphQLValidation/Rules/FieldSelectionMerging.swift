import GraphQLLanguage

/// Fields with the same response key mean the same, so that a response can hold both (section 5.3.2).
///
/// The specification compares all pairs of fields. Here the fields of a response key are one set: each
/// is compared with one representative, and their selection sets are united and checked as one. A
/// union that was already checked is not checked again, so the time is nearly proportional to the
/// documents. A limit protects against documents that are made to need more.
enum FieldSelectionMerging: ValidationRule {
  static let name = "field-selection-merging"

  static func check(_ context: DocumentContext) {
    var merging = SelectionMerging(context)
    for definition in context.definitions {
      guard let set = definition.selectionSet else { continue }
      if merging.check(set) { continue }
      context.report(
        Self.self, "The fragments nest in too many ways to check whether fields can be merged.",
        at: definition.place)
      break
    }
    for conflict in merging.conflicts {
      context.report(
        Self.self,
        "Fields \"\(conflict.responseKey)\" conflict because \(conflict.reason). Use different "
          + "aliases on the fields to fetch both if this was intentional.",
        at: conflict.places[0], related: Array(conflict.places.dropFirst()))
    }
  }
}
