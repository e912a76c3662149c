/// A mistake or a weakness that the validation has found, with its place.
///
/// The messages are those of the reference implementation, graphql-js.
public struct Diagnostic: Hashable, Sendable {
  /// How bad a finding is.
  public enum Severity: String, Hashable, Sendable {
    /// The document or the schema is invalid.
    case error
    /// The document works, but something about it is probably not intended.
    case warning
  }

  /// A range in a source file.
  public struct Place: Hashable, Sendable {
    /// The path of the file.
    public var path: String
    /// The line, counted from 1; zero if the document was built in code.
    public var line = 0
    /// The column in UTF-8 bytes, counted from 1. Xcode counts like this.
    public var column = 0
    /// The column in UTF-16 code units, counted from 1. Most editors and GraphQL servers count like
    /// this.
    public var utf16Column = 0
    /// The line of the end.
    public var endLine = 0
    /// The column behind the end, in UTF-8 bytes.
    public var endColumn = 0
    /// The column behind the end, in UTF-16 code units.
    public var utf16EndColumn = 0

    init(path: String) { self.path = path }

    /// Makes the place of a point.
    package init(path: String, line: Int, column: Int, utf16Column: Int) {
      self.path = path
      (self.line, endLine) = (line, line)
      (self.column, endColumn) = (column, column)
      (self.utf16Column, utf16EndColumn) = (utf16Column, utf16Column)
    }
  }

  /// The name of the rule, for example `field-selections`.
  public var rule: String
  /// How bad it is.
  public var severity: Severity
  /// The description of the mistake, in full sentences.
  public var message: String
  /// The place that is wrong.
  public var place: Place
  /// More places that belong to it, for example the other one of two equal names.
  public var related: [Place]
  /// Names that may have been meant, the most likely first. The message contains them, too.
  public var suggestions: [String]

  /// Makes a finding.
  package init(
    rule: String, severity: Severity, message: String, place: Place, related: [Place] = [],
    suggestions: [String] = []
  ) {
    (self.rule, self.severity, self.message) = (rule, severity, message)
    (self.place, self.related, self.suggestions) = (place, related, suggestions)
  }
}

extension Diagnostic: CustomStringConvertible {
  /// The form that Xcode and other tools understand: `path:line:column: error: message [rule]`, and a
  /// line with `note:` for each related place.
  public var description: String {
    let notes = related.map { "\n\($0): note: see also [\(rule)]" }
    return "\(place): \(severity.rawValue): \(message) [\(rule)]" + notes.joined()
  }
}

extension Diagnostic.Place: CustomStringConvertible {
  /// `path:line:column`, with the column in UTF-8 bytes; only the path without a line.
  public var description: String { line == 0 ? path : "\(path):\(line):\(column)" }
}
