/// Why a tool ends without success.
package struct ToolFailure: Error {
  /// The exit code of the tool.
  package enum Code: Int32, Sendable {
    /// The schema or the documents have errors, or files differ.
    case documents = 1
    /// The arguments or the configuration are wrong.
    case usage = 2
    /// A file or a server cannot be read, or a file cannot be written.
    case files = 3
  }

  package let code: Code
  /// The mistakes, with their places.
  package let findings: [GenerationFinding]

  package init(_ code: Code, _ findings: [GenerationFinding]) {
    (self.code, self.findings) = (code, findings)
  }

  /// Creates a failure without a place, or with a file as its place.
  package init(_ code: Code, _ message: String, path: String = "") {
    self.init(code, [GenerationFinding(message, path: path)])
  }
}
