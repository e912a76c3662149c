import GraphQLLanguage
import GraphQLValidation

extension Documents {
  /// The findings for definitions whose selections nest deeper than the client sends, and than the
  /// generator has stack space for. One that spreads such a fragment of this module has none of its own.
  func tooDeepNesting(in files: [SourceFile]) -> [GenerationFinding] {
    var nesting = SelectionNesting(fragments: fragments.mapValues(\.definition))
    return files.flatMap { file in
      file.document.definitions.compactMap { definition in
        guard let selections = definition.selections, nesting.isTooDeep(selections) else {
          return nil
        }
        let isReported = Self.spreads(in: selections).compactMap { fragments[$0.name] }.contains {
          $0.modules.isEmpty && nesting.isTooDeep($0.definition.selectionSet)
        }
        guard !isReported else { return nil }
        return GenerationFinding(
          "Selections and fragments nest more than \(SelectionNesting.limit) levels deep here. Spread "
            + "fewer fragments in each other.", file, definition.location)
      }
    }
  }
}

extension SelectionNesting {
  fileprivate mutating func isTooDeep(_ set: SelectionSet) -> Bool {
    (try? extent(of: set)) == nil
  }
}
