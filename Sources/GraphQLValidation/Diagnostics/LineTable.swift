/// The beginnings of the lines of a text. Lines end with a line feed, a carriage return, or both.
package struct LineTable {
  private let bytes: [UInt8]
  private let starts: [Int]
  private let isASCII: Bool

  package init(_ text: String) {
    bytes = Array(text.utf8)
    isASCII = bytes.allSatisfy { $0 < 0x80 }
    var starts = [0]
    for position in bytes.indices {
      let byte = bytes[position]
      let isEnd =
        byte == UInt8(ascii: "\n")
        || byte == UInt8(ascii: "\r")
          && (position + 1 == bytes.count || bytes[position + 1] != UInt8(ascii: "\n"))
      if isEnd { starts.append(position + 1) }
    }
    self.starts = starts
  }

  /// Returns the line and the columns of an offset in UTF-8 bytes, all counted from 1.
  package func position(of offset: Int) -> (line: Int, column: Int, utf16Column: Int) {
    let offset = min(offset, bytes.count)
    var (low, high) = (0, starts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= offset { low = middle } else { high = middle }
    }
    let before = bytes[starts[low]..<offset]
    // A line can be the whole text, so only texts that need it have their lines read.
    let utf16 = isASCII ? before.count : String(decoding: before, as: UTF8.self).utf16.count
    return (low + 1, before.count + 1, utf16 + 1)
  }

  /// Returns the column in UTF-8 bytes for one in UTF-16 code units, both counted from 1.
  package func column(ofUTF16 column: Int, in line: Int) -> Int {
    let units = text(of: line).utf16.prefix(column - 1)
    return Substring(units).utf8.count + 1
  }

  private func text(of line: Int) -> Substring {
    let end = line < starts.count ? starts[line] : bytes.count
    return String(decoding: bytes[starts[line - 1]..<end], as: UTF8.self)[...]
  }

  /// Whether a line, counted from 1, has nothing but a comment.
  func isComment(_ line: Int) -> Bool {
    text(of: line).first { !$0.isWhitespace } == "#"
  }

  /// The number of lines.
  var count: Int { starts.count }

  static let ignoreMarker = "weir:ignore"

  /// The words of a comment `# weir:ignore rule, rule` in a line; nil without one.
  func ignoreComment(in line: Int) -> [Substring]? {
    let parts = text(of: line).split(separator: "#").dropFirst(isComment(line) ? 0 : 1)
    return parts.lazy.compactMap(Self.ignoreComment).first
  }

  /// The words of a comment without its `#`; nil if it is another one.
  package static func ignoreComment(_ text: Substring) -> [Substring]? {
    let words = text.split { $0.isWhitespace || $0 == "," }
    return words.first == Substring(ignoreMarker) ? words : nil
  }

  /// Returns the offset of a word of a line in UTF-8 bytes.
  func offset(of word: Substring, in line: Int) -> Int {
    starts[line - 1] + word.base.utf8.distance(from: word.base.startIndex, to: word.startIndex)
  }
}
