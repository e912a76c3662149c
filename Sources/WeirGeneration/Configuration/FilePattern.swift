/// A pattern for the paths of files below a folder, as `weir.json` has it.
///
/// `*` stands for any characters but `/`, `?` for one of them, and `**` for any number of folders.
package struct FilePattern: Hashable, Sendable, ExpressibleByStringLiteral {
  /// The pattern, for example `**/*.graphqls`.
  package let text: String
  private let path: String
  private let line: Int
  private let column: Int

  /// Creates a pattern that no file has named.
  package init(stringLiteral text: String) {
    self.init(text, path: "weir.json", line: 0, column: 0)
  }

  init(_ text: String, path: String, line: Int, column: Int) {
    (self.text, self.path, self.line, self.column) = (text, path, line, column)
  }

  func finding(_ message: String) -> GenerationFinding {
    GenerationFinding(message, path: path, line: line, column: column)
  }

  /// Whether the pattern matches a path below the folder.
  package func matches(_ path: String) -> Bool {
    Self.matches(
      text.split(separator: "/").filter { $0 != "." }[...], path.split(separator: "/")[...])
  }

  private static func matches(
    _ pattern: ArraySlice<Substring>, _ path: ArraySlice<Substring>
  ) -> Bool {
    guard let first = pattern.first else { return path.isEmpty }
    if first == "**" {
      return matches(pattern.dropFirst(), path)
        || !path.isEmpty && matches(pattern, path.dropFirst())
    }
    guard let name = path.first, matches(Array(first), Array(name)) else { return false }
    return matches(pattern.dropFirst(), path.dropFirst())
  }

  /// Compares one name. After a `*`, only the last one needs another try, so the time is bounded by the
  /// product of the lengths.
  private static func matches(_ pattern: [Character], _ name: [Character]) -> Bool {
    var (i, j) = (0, 0)
    var retry: (pattern: Int, name: Int)?
    while j < name.count {
      if i < pattern.count, pattern[i] == "*" {
        retry = (i + 1, j)
        i += 1
      } else if i < pattern.count, pattern[i] == "?" || pattern[i] == name[j] {
        (i, j) = (i + 1, j + 1)
      } else if let last = retry {
        retry = (last.pattern, last.name + 1)
        (i, j) = (last.pattern, last.name + 1)
      } else {
        return false
      }
    }
    return pattern[i...].allSatisfy { $0 == "*" }
  }
}
