import GraphQLLanguage

/// Turns places of syntax nodes into lines and columns. Reads each file once.
struct PlaceFinder {
  private final class Text {
    var tokens: TokenFinder
    let lines: LineTable

    init(_ text: String) {
      tokens = TokenFinder(text)
      lines = LineTable(text)
    }
  }

  private var texts: [ObjectIdentifier: Text] = [:]

  mutating func diagnostic(of finding: Finding) -> Diagnostic {
    let places = finding.places.map { place(of: $0) }
    return Diagnostic(
      rule: finding.rule, severity: finding.severity, message: finding.message,
      place: places.first ?? Diagnostic.Place(path: ""), related: Array(places.dropFirst()),
      suggestions: finding.suggestions)
  }

  private mutating func place(of place: SourcePlace) -> Diagnostic.Place {
    var result = Diagnostic.Place(path: place.file.path)
    guard let offset = place.location.utf8Offset, !place.file.text.isEmpty else { return result }
    let text = text(of: place.file)
    let token =
      place.file.isJSON || place.tokens < 0
      ? nil : text.tokens.token(from: offset, skipping: Int(place.tokens), name: place.name)
    let range = token ?? offset..<offset
    (result.line, result.column, result.utf16Column) = text.lines.position(of: range.lowerBound)
    (result.endLine, result.endColumn, result.utf16EndColumn) = text.lines.position(
      of: range.upperBound)
    return result
  }

  /// Whether a comment in the line, or in the comment lines above it, says to ignore the rule.
  mutating func isSilenced(_ diagnostic: Diagnostic, in file: SourceFile) -> Bool {
    guard ValidationOptions.silencedRules.contains(diagnostic.rule), diagnostic.place.line > 0
    else { return false }
    let lines = text(of: file).lines
    var line = diagnostic.place.line
    var words = lines.ignoreComment(in: line)
    while words?.contains(where: { $0 == diagnostic.rule }) != true {
      line -= 1
      guard line > 0, lines.isComment(line) else { return false }
      words = lines.ignoreComment(in: line)
    }
    return true
  }

  private mutating func text(of file: SourceFile) -> Text {
    let key = ObjectIdentifier(file)
    if let text = texts[key] { return text }
    let text = Text(file.text)
    texts[key] = text
    return text
  }
}
