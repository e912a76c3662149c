package import GraphQLLanguage
package import GraphQLValidation

/// Something that the generation has found in the documents, the schema or the configuration.
package struct GenerationFinding: Error, Hashable, Sendable {
  /// How bad it is.
  package enum Severity: String, Hashable, Sendable {
    /// Nothing is generated.
    case error
    /// The code is generated.
    case warning
  }

  /// How bad it is.
  package var severity: Severity
  /// The path of the file.
  package var path: String
  /// The line, counted from 1; zero for a file as a whole.
  package var line: Int
  /// The column in UTF-8 bytes, counted from 1.
  package var column: Int
  /// What is wrong, and what to do.
  package var message: String
  /// Other places that belong to it.
  package var related: [GenerationFinding]
  /// The column in UTF-16 code units, for the form in JSON; nil if it is the same.
  private var utf16Column: Int?
  /// The finding of the validation; nil for one of the generator's own.
  private var diagnostic: Diagnostic?

  /// Creates a finding at a line and a column.
  package init(
    _ message: String, severity: Severity = .error, path: String, line: Int = 0, column: Int = 0,
    related: [GenerationFinding] = []
  ) {
    (self.severity, self.path, self.line, self.column) = (severity, path, line, column)
    (self.message, self.related) = (message, related)
  }

  /// Creates a finding at the place of a syntax node. Takes time in proportion to the text; where a file
  /// may have many findings, use one ``NumberedFile``.
  package init(
    _ message: String, severity: Severity = .error, _ file: SourceFile, _ location: SourceLocation,
    related: [GenerationFinding] = []
  ) {
    self.init(message, severity: severity, NumberedFile(file), location, related: related)
  }

  /// Creates a finding at the place of a syntax node.
  init(
    _ message: String, severity: Severity = .error, _ file: NumberedFile,
    _ location: SourceLocation, related: [GenerationFinding] = []
  ) {
    let position = location.utf8Offset.map { file.lines.position(of: $0) }
    self.init(
      message, severity: severity, path: file.file.path, line: position?.line ?? 0,
      column: position?.column ?? 0, related: related)
    if let position, position.utf16Column != position.column {
      utf16Column = position.utf16Column
    }
  }

  /// Creates a finding from one of the validation.
  package init(_ diagnostic: Diagnostic) {
    let place = diagnostic.place
    self.init(
      "\(diagnostic.message) [\(diagnostic.rule)]",
      severity: diagnostic.severity == .error ? .error : .warning, path: place.path,
      line: place.line, column: place.column,
      related: diagnostic.related.map {
        GenerationFinding("See also here.", path: $0.path, line: $0.line, column: $0.column)
      })
    self.diagnostic = diagnostic
  }

  /// Creates a finding from an error of the parser.
  init(_ error: GraphQLSyntaxError, path: String, text: String) {
    let column = LineTable(text).column(ofUTF16: error.column, in: error.line)
    self.init(error.message, path: path, line: error.line, column: column)
    if column != error.column { utf16Column = error.column }
    diagnostic = Diagnostic(rule: "syntax", severity: .error, message: error.message, place: place)
  }

  /// Returns the line and the column of an offset. Takes time in proportion to the text, which only
  /// findings pay.
  package static func position(of offset: Int, in text: String) -> (line: Int, column: Int) {
    let (line, column, _) = LineTable(text).position(of: offset)
    return (line, column)
  }

  /// Returns the finding with other paths.
  func mapPaths(_ map: (String) -> String) -> GenerationFinding {
    var copy = self
    copy.path = map(path)
    copy.related = related.map { $0.mapPaths(map) }
    return copy
  }
}

extension GenerationFinding: CustomStringConvertible {
  /// The form that Xcode and other tools understand: `path:line:column: error: message`, and a line
  /// with `note:` for each related place. Control characters are escaped, so that texts of documents
  /// and servers neither begin a line that a tool takes for another finding nor change the terminal.
  package var description: String {
    let notes = related.map { "\($0.place): note: \($0.message)" }
    let first = "\(path.isEmpty ? "" : "\(place): ")\(severity.rawValue): \(message)"
    return ([first] + notes).map(\.visibleText).joined(separator: "\n")
  }

  /// The finding as a JSON object in one line, with the members of ``Diagnostic/json``. The rule is
  /// `syntax` for a file that cannot be parsed, and `generation` for what only the generator finds.
  package var json: String {
    var diagnostic =
      diagnostic
      ?? Diagnostic(
        rule: "generation", severity: severity == .error ? .error : .warning, message: message,
        place: place)
    diagnostic.place.path = path
    if diagnostic.related.count == related.count {
      for index in related.indices { diagnostic.related[index].path = related[index].path }
    } else {
      diagnostic.related = related.map(\.place)
    }
    return diagnostic.json
  }

  /// The place as a point.
  private var place: Diagnostic.Place {
    Diagnostic.Place(path: path, line: line, column: column, utf16Column: utf16Column ?? column)
  }
}
