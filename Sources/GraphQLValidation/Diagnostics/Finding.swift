/// A diagnostic whose places have not been looked up in the source texts.
struct Finding {
  let rule: String
  var severity: Diagnostic.Severity
  var message: String
  /// The first place is the wrong one, the others belong to it.
  var places: [SourcePlace]
  var suggestions: [String] = []
}

extension [Finding] {
  /// Looks up the places, and sorts by file in the given order, line and column.
  func diagnostics(order files: [SourceFile]) -> [Diagnostic] {
    if isEmpty { return [] }
    var finder = PlaceFinder()
    let ranks = Dictionary(
      files.enumerated().map { (ObjectIdentifier($1), $0) }, uniquingKeysWith: { first, _ in first }
    )
    let ranked = map { finding -> (Int, Diagnostic) in
      let rank = finding.places.first.flatMap { ranks[ObjectIdentifier($0.file)] }
      return (rank ?? files.count, finder.diagnostic(of: finding))
    }
    return ranked.enumerated().sorted { left, right in
      let (a, b) = (left.element.1.place, right.element.1.place)
      return (left.element.0, a.line, a.column, left.offset)
        < (right.element.0, b.line, b.column, right.offset)
    }.map(\.element.1)
  }
}
