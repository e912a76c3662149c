import GraphQLLanguage
import GraphQLValidation

/// Something that the generation has found in the documents, the schema or the configuration.
public struct GenerationFinding: Error, Hashable, Sendable {
  /// How bad it is.
  public enum Severity: String, Hashable, Sendable {
    /// Nothing is generated.
    case error
    /// The code is generated.
    case warning
  }

  /// How bad it is.
  public var severity: Severity
  /// The path of the file.
  public var path: String
  /// The line, counted from 1; zero for a file as a whole.
  public var line: Int
  /// The column in UTF-8 bytes, counted from 1.
  public var column: Int
  /// What is wrong, and what to do.
  public var message: String
  /// Other places that belong to it.
  public var related: [GenerationFinding]

  /// Creates a finding at a line and a column.
  public init(
    _ message: String, severity: Severity = .error, path: String, line: Int = 0, column: Int = 0,
    related: [GenerationFinding] = []
  ) {
    (self.severity, self.path, self.line, self.column) = (severity, path, line, column)
    (self.message, self.related) = (message, related)
  }

  /// Creates a finding at the place of a syntax node.
  init(
    _ message: String, severity: Severity = .error, _ file: SourceFile, _ location: SourceLocation,
    related: [GenerationFinding] = []
  ) {
    let (line, column) = Self.position(of: location.utf8Offset, in: file.text)
    self.init(
      message, severity: severity, path: file.path, line: line, column: column, related: related)
  }

  /// Creates a finding from one of the validation.
  init(_ diagnostic: Diagnostic) {
    let place = diagnostic.place
    self.init(
      "\(diagnostic.message) [\(diagnostic.rule)]",
      severity: diagnostic.severity == .error ? .error : .warning, path: place.path,
      line: place.line, column: place.column,
      related: diagnostic.related.map {
        GenerationFinding("See also here.", path: $0.path, line: $0.line, column: $0.column)
      })
  }

  /// Returns the line and the column of an offset. Takes time in proportion to the offset, which
  /// only findings pay.
  static func position(of offset: Int?, in text: String) -> (line: Int, column: Int) {
    guard let offset else { return (0, 0) }
    var (line, column) = (1, 1)
    for byte in text.utf8.prefix(offset) {
      (line, column) = byte == UInt8(ascii: "\n") ? (line + 1, 1) : (line, column + 1)
    }
    return (line, column)
  }
}

extension GenerationFinding: CustomStringConvertible {
  /// The form that Xcode and other tools understand: `path:line:column: error: message`, and a line
  /// with `note:` for each related place.
  public var description: String {
    let notes = related.map { "\n\($0.place): note: \($0.message)" }
    return "\(place): \(severity.rawValue): \(message)" + notes.joined()
  }

  private var place: String { line == 0 ? path : "\(path):\(line):\(column)" }
}
