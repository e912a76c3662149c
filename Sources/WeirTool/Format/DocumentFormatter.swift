import GraphQLLanguage
import GraphQLValidation
import WeirGeneration

/// Puts a text into the canonical form, and its comments beside the same tokens again.
///
/// The canonical form has the tokens of the text, so the formatter goes through both. A comment on a
/// line of its own is placed above the line of the token that it precedes; a comment at the end of a
/// line, at the end of the line of the token that it follows. A comment `# weir:ignore` is about a line, and is
/// placed above each of those into which its line is broken.
enum DocumentFormatter {
  static func format(_ text: String, path: String) throws(GenerationFinding) -> String {
    let file = try SourceFile.parse(text, path: path)
    // A file with comments at most.
    if file.document.definitions.isEmpty { return text }
    let source = TokenizedText(text)
    let canonical = file.document.canonicalText
    guard !source.comments.isEmpty else { return canonical + "\n" }
    let formatted = try place(source, in: TokenizedText(canonical), path)
    // A defect of the formatter must not change a document.
    let again = TokenizedText(formatted)
    guard let parsed = try? Document(parsing: formatted), parsed == file.document,
      again.commentTexts == source.commentTexts
    else { throw refusal(path) }
    return formatted
  }

  private static func refusal(_ path: String) -> GenerationFinding {
    GenerationFinding(
      "The comments of the file cannot be kept. Move them to lines of their own.", path: path)
  }

  private static func place(
    _ source: TokenizedText, in canonical: TokenizedText, _ path: String
  ) throws(GenerationFinding) -> String {
    var lines = CommentedLines(canonical)
    // The token of the canonical text for each of the source; for one that is left out, the next.
    var targets: [Int] = []
    var target = 0
    for index in source.tokens.indices {
      targets.append(target)
      if isSame(source, index, canonical, target) {
        target += 1
      } else if !source.isOptional(index) {
        throw refusal(path)
      }
    }
    guard target == canonical.tokens.count else { throw refusal(path) }
    targets.append(target)
    for comment in source.comments {
      let target = targets[comment.token]
      if comment.isIgnoring,
        lines.insert(comment, aboveLinesOf: source.line(of: comment).map { targets[$0] })
      {
        continue
      }
      if comment.isTrailing, target > 0 {
        lines.append(comment, behind: target - 1)
      } else {
        lines.insert(comment, before: target)
      }
    }
    return lines.text
  }

  /// Whether two tokens are the same. Strings may be written in different ways.
  private static func isSame(
    _ source: TokenizedText, _ index: Int, _ canonical: TokenizedText, _ target: Int
  ) -> Bool {
    guard target < canonical.tokens.count else { return false }
    let (left, right) = (source.bytes(index), canonical.bytes(target))
    return left.first == UInt8(ascii: "\"")
      ? right.first == UInt8(ascii: "\"") : left.elementsEqual(right)
  }
}
