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
  ///
  /// Comments can silence rules that the specification does not have, if `comments` is true.
  func diagnostics(order files: [SourceFile], comments: Bool = false) -> [Diagnostic] {
    if isEmpty { return [] }
    var finder = PlaceFinder()
    let ranks = Dictionary(
      files.enumerated().map { (ObjectIdentifier($1), $0) }, uniquingKeysWith: { first, _ in first }
    )
    var ranked: [(rank: Int, position: Int, diagnostic: Diagnostic)] = []
    for (position, finding) in enumerated() {
      let diagnostic = finder.diagnostic(of: finding)
      let file = finding.places.first?.file
      if comments, let file, finder.isSilenced(diagnostic, in: file) { continue }
      let rank = file.flatMap { ranks[ObjectIdentifier($0)] }
      ranked.append((rank ?? files.count, position, diagnostic))
    }
    return ranked.sorted { left, right in
      let (a, b) = (left.diagnostic.place, right.diagnostic.place)
      return (left.rank, a.line, a.column, left.position)
        < (right.rank, b.line, b.column, right.position)
    }.map(\.diagnostic)
  }
}
