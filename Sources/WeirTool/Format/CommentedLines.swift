import Weir

/// The lines of a canonical text with comments above and behind them. A string with line breaks is in
/// one line together with what is before and behind it.
struct CommentedLines {
  private struct Line {
    /// Comments above an empty line.
    var detached: [TokenizedText.Comment] = []
    var above: [TokenizedText.Comment] = []
    var behind: String?
  }

  private let canonical: TokenizedText
  private let starts: [Int]
  private var lines: [Line]
  private var atEnd: [TokenizedText.Comment] = []

  init(_ canonical: TokenizedText) {
    self.canonical = canonical
    starts = canonical.lineStarts
    lines = Array(repeating: Line(), count: starts.count)
  }

  /// The line of an offset.
  private func line(of offset: Int) -> Int { starts.partitioningIndex { $0 > offset } - 1 }

  mutating func insert(_ comment: TokenizedText.Comment, before token: Int) {
    guard token < canonical.tokens.count else { return atEnd.append(comment) }
    let line = line(of: canonical.tokens[token].lowerBound)
    if comment.isDetached {
      lines[line].detached.append(comment)
    } else {
      lines[line].above.append(comment)
    }
  }

  /// Places a comment above each line that has some tokens and more than delimiters. Returns whether
  /// there are several such lines; otherwise, nothing changes.
  mutating func insert(
    _ comment: TokenizedText.Comment, aboveLinesOf tokens: some Sequence<Int>
  ) -> Bool {
    let delimiters = Set("{}()[]".utf8)
    let named = tokens.filter { token in
      !canonical.bytes(token).allSatisfy(delimiters.contains)
    }
    let found = Set(named.map { line(of: canonical.tokens[$0].lowerBound) })
    guard found.count > 1 else { return false }
    for line in found { lines[line].above.append(comment) }
    return true
  }

  /// Only one comment fits behind a line; another one is placed above it.
  mutating func append(_ comment: TokenizedText.Comment, behind token: Int) {
    let line = line(of: canonical.tokens[token].lowerBound)
    if lines[line].behind == nil {
      lines[line].behind = comment.text
    } else {
      lines[line].above.append(comment)
    }
  }

  var text: String {
    var output = ""
    for (index, line) in lines.enumerated() {
      let end = index + 1 < starts.count ? starts[index + 1] - 1 : canonical.count
      let content = canonical.string(starts[index]..<end)
      // A comment before a closing brace belongs to the block.
      let isClosing = content.drop { $0 == " " }.hasPrefix("}")
      let indentation = String(content.prefix { $0 == " " }) + (isClosing ? "  " : "")
      for comment in line.detached {
        output += "\(indentation)\(comment.text)\n" + (comment.endsParagraph ? "\n" : "")
      }
      for (position, comment) in line.above.enumerated() {
        output += "\(indentation)\(comment.text)\n"
        // A remark at the head of a file is not about the definition below it.
        let isHead = index == 0 || position + 1 < line.above.count
        if comment.endsParagraph, isHead, indentation.isEmpty { output += "\n" }
      }
      output += content + (line.behind.map { " \($0)" } ?? "") + "\n"
    }
    if !atEnd.isEmpty { output += "\n" + atEnd.map { "\($0.text)\n" }.joined() }
    return output
  }
}
