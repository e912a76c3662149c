import GraphQLLanguage
import GraphQLValidation

/// The tokens of a text, and the comments between them.
struct TokenizedText {
  struct Comment {
    /// The text with the `#`, without white space at its end.
    let text: String
    /// The token that follows; the number of tokens at the end of the text.
    let token: Int
    /// Whether a token is before it in its line.
    let isTrailing: Bool
    /// Whether an empty line follows.
    let endsParagraph: Bool
    /// Whether an empty line must stay between the comment and the token. Without it, a
    /// `# weir:ignore` would silence the line of the token.
    var isDetached = false

    /// Whether the comment is `# weir:ignore`, which is about a line.
    var isIgnoring: Bool {
      text.split(separator: "#").contains { LineTable.ignoreComment($0) != nil }
    }
  }

  private let utf8: [UInt8]
  private(set) var tokens: [Range<Int>] = []
  private(set) var comments: [Comment] = []

  init(_ text: String) {
    utf8 = Array(text.utf8)
    var finder = TokenFinder(text)
    var end = 0
    while let token = finder.token(from: 0, skipping: tokens.count) {
      collectComments(in: end..<token.lowerBound)
      tokens.append(token)
      end = token.upperBound
    }
    collectComments(in: end..<utf8.count)
  }

  func bytes(_ token: Int) -> ArraySlice<UInt8> { utf8[tokens[token]] }

  var count: Int { utf8.count }

  /// The texts of all comments; those that may be repeated, once.
  var commentTexts: [String] {
    let ignoring = Set(comments.lazy.filter(\.isIgnoring).map(\.text))
    return comments.lazy.filter { !$0.isIgnoring }.map(\.text).sorted() + ignoring.sorted()
  }

  /// The offsets at which lines begin that are not within a string.
  var lineStarts: [Int] {
    var starts = [0]
    var token = 0
    for offset in utf8.indices where utf8[offset] == UInt8(ascii: "\n") {
      while token < tokens.count, tokens[token].upperBound <= offset { token += 1 }
      if token < tokens.count, tokens[token].lowerBound < offset { continue }
      starts.append(offset + 1)
    }
    return starts
  }

  func string(_ range: Range<Int>) -> String { String(decoding: utf8[range], as: UTF8.self) }

  /// Whether the canonical form may lack the token: a delimiter before the first member of a list, or
  /// the word of a query that has only a selection set.
  func isOptional(_ token: Int) -> Bool {
    bytes(token).elementsEqual("|".utf8) || bytes(token).elementsEqual("&".utf8)
      || bytes(token).elementsEqual("query".utf8)
  }

  /// Between tokens, there is nothing but white space, commas and comments.
  private mutating func collectComments(in gap: Range<Int>) {
    var isTrailing = !tokens.isEmpty
    let first = comments.count
    var offset = gap.lowerBound
    while offset < gap.upperBound {
      guard utf8[offset] == UInt8(ascii: "#") else {
        if isLineEnd(offset) { isTrailing = false }
        offset += 1
        continue
      }
      let end = utf8[offset..<gap.upperBound].indices.first(where: isLineEnd) ?? gap.upperBound
      var text = string(offset..<end)
      while text.last?.isWhitespace == true { text.removeLast() }
      let next = utf8[end..<gap.upperBound].prefix { $0 != UInt8(ascii: "#") }
      comments.append(
        Comment(
          text: text, token: tokens.count, isTrailing: isTrailing,
          endsParagraph: next.indices.count(where: endsLine) > 1))
      offset = end
    }
    detachComments(from: first)
  }

  /// Marks the comments that are separated from their token if some of them are `# weir:ignore`.
  private mutating func detachComments(from first: Int) {
    let gap = comments[first...]
    guard let last = gap.lastIndex(where: \.endsParagraph) else { return }
    let alone = gap[...last].indices.filter { !comments[$0].isTrailing }
    guard alone.contains(where: { comments[$0].isIgnoring }) else { return }
    for index in alone { comments[index].isDetached = true }
  }

  /// The tokens that begin in the line of a comment, or in the line below if the comment is alone in its
  /// own. None if the comment is separated from that line.
  func line(of comment: Comment) -> Range<Int> {
    guard comment.isTrailing else {
      guard comment.token < tokens.count, !comment.isDetached else {
        return comment.token..<comment.token
      }
      let end = utf8[tokens[comment.token].lowerBound...].indices.first(where: isLineEnd)
      let count = tokens[comment.token...].prefix { $0.lowerBound < end ?? utf8.count }.count
      return comment.token..<comment.token + count
    }
    let before = utf8[..<tokens[comment.token - 1].upperBound]
    let start = before.indices.last(where: isLineEnd) ?? -1
    let count = tokens[..<comment.token].reversed().prefix { $0.lowerBound > start }.count
    return comment.token - count..<comment.token
  }

  /// Whether a line ends at an offset. A carriage return together with a line feed is one end.
  private func endsLine(_ offset: Int) -> Bool {
    isLineEnd(offset) && !utf8[offset...].starts(with: "\r\n".utf8)
  }

  private func isLineEnd(_ offset: Int) -> Bool {
    utf8[offset] == UInt8(ascii: "\n") || utf8[offset] == UInt8(ascii: "\r")
  }
}
