/// Writes syntax trees as text, in one of two layouts.
///
/// The canonical layout is that of graphql-js's `print`. The minified layout contains no
/// character that can be omitted. The same walk over the tree writes both: it emits words,
/// punctuators and layout, and the layout is empty in minified text.
///
/// The extensions define how each node is written.
struct Printer {
  /// Whether to omit every character that has no meaning.
  let isMinified: Bool
  private var bytes: [UInt8] = []
  private var indentation = 0
  /// The number of bytes of indentation, which does not count when lines are measured.
  private var indentationBytes = 0
  private var newlines = 0
  private var endsWithWord = false

  private init(isMinified: Bool) {
    self.isMinified = isMinified
    bytes.reserveCapacity(512)
  }

  /// The text that a closure writes.
  static func text(isMinified: Bool = false, _ write: (inout Printer) -> Void) -> String {
    var printer = Printer(isMinified: isMinified)
    write(&printer)
    return String(decoding: printer.bytes, as: UTF8.self)
  }
}

// MARK: - Tokens

extension Printer {
  /// Writes a name, a number or a keyword.
  mutating func word(_ text: String) {
    separateWords()
    // Proof: the bytes are copied, and the pointer does not leave the closure.
    var text = text
    text.withUTF8 { bytes.append(contentsOf: $0) }
    endsWithWord = true
  }

  /// Writes two words, separated by a space.
  mutating func words(_ first: String, _ second: String) {
    word(first)
    space()
    word(second)
  }

  /// Writes a name and a colon.
  mutating func key(_ name: String) {
    word(name)
    punctuator(Ascii.colon)
    space()
  }

  /// Writes a quoted string, which is separated from other words like a word; all lines after the
  /// first are indented.
  mutating func word(lines: some Sequence<some Sequence<UInt8>>) {
    separateWords()
    var isFirst = true
    for line in lines {
      if !isFirst { lineBreakInString() }
      bytes.append(contentsOf: line)
      isFirst = false
    }
    endsWithWord = true
  }

  /// Writes a punctuator.
  mutating func punctuator(_ byte: UInt8) {
    bytes.append(byte)
    endsWithWord = false
  }

  /// Writes three dots, separated from a preceding word: after a number, the lexer would take them
  /// for a part of it.
  mutating func spread() {
    separateWords()
    for _ in 0..<3 { bytes.append(Ascii.dot) }
    endsWithWord = false
  }

  private mutating func separateWords() {
    if isMinified && endsWithWord { bytes.append(Ascii.space) }
  }

  /// Begins a line. Minified text is never indented.
  private mutating func lineBreakInString() {
    bytes.append(Ascii.lineFeed)
    newlines += 1
    if isMinified { return }
    for _ in 0..<indentation { bytes.append(Ascii.space) }
    indentationBytes += indentation
  }
}

// MARK: - Layout

extension Printer {
  /// Writes a space, except in minified text.
  mutating func space() {
    if !isMinified { bytes.append(Ascii.space) }
  }

  /// Writes a line break and the indentation of the next line, except in minified text.
  mutating func lineBreak() {
    if !isMinified { lineBreakInString() }
  }

  /// Writes an empty line, except in minified text.
  mutating func emptyLine() {
    if isMinified { return }
    bytes.append(Ascii.lineFeed)
    bytes.append(Ascii.lineFeed)
    newlines += 2
  }

  /// Writes a list in brackets, in one line.
  mutating func inlineList<Item>(
    _ open: UInt8, _ items: [Item], _ close: UInt8, _ write: (inout Printer, Item) -> Void
  ) {
    punctuator(open)
    separated(items, by: { $0.comma() }, write)
    punctuator(close)
  }

  /// Writes a list in brackets, one item per line; without items, no line breaks.
  mutating func verticalList<Item>(
    _ open: UInt8, _ items: [Item], _ close: UInt8, indentedBy width: Int = 2,
    _ write: (inout Printer, Item) -> Void
  ) {
    punctuator(open)
    indentation += width
    for item in items {
      lineBreak()
      write(&self, item)
    }
    indentation -= width
    if !items.isEmpty { lineBreak() }
    punctuator(close)
  }

  /// Writes a list in parentheses, unless it is empty: in one line, or one item per line if one of
  /// them takes several lines.
  mutating func wrappedList<Item>(
    _ items: [Item], indentedBy width: Int, _ write: (inout Printer, Item) -> Void
  ) {
    if items.isEmpty { return }
    let start = mark
    inlineList(Ascii.leftParenthesis, items, Ascii.rightParenthesis, write)
    guard !isMinified, hasLineBreak(since: start) else { return }
    goBack(to: start)
    verticalList(Ascii.leftParenthesis, items, Ascii.rightParenthesis, indentedBy: width, write)
  }

  /// Writes items and a separator between them.
  mutating func separated<Item>(
    _ items: [Item], by separate: (inout Printer) -> Void, _ write: (inout Printer, Item) -> Void
  ) {
    var isFirst = true
    for item in items {
      if !isFirst { separate(&self) }
      write(&self, item)
      isFirst = false
    }
  }

  private mutating func comma() {
    if isMinified { return }
    bytes.append(Ascii.comma)
    bytes.append(Ascii.space)
  }
}

// MARK: - Measuring

extension Printer {
  /// A position in the output from which to measure, or to which to go back.
  struct Mark {
    fileprivate var byteCount: Int
    fileprivate var indentationBytes: Int
    fileprivate var newlines: Int
    fileprivate var endsWithWord: Bool
  }

  /// The end of the output.
  var mark: Mark {
    Mark(
      byteCount: bytes.count, indentationBytes: indentationBytes, newlines: newlines,
      endsWithWord: endsWithWord)
  }

  /// Discards the text after the mark.
  mutating func goBack(to mark: Mark) {
    bytes.removeSubrange(mark.byteCount...)
    indentationBytes = mark.indentationBytes
    newlines = mark.newlines
    endsWithWord = mark.endsWithWord
  }

  /// Whether the text after the mark contains a line break.
  func hasLineBreak(since mark: Mark) -> Bool {
    newlines > mark.newlines
  }

  /// Whether the text after the mark, without indentation, is wider than 80 UTF-16 code units.
  func isTooWide(since mark: Mark) -> Bool {
    let indentation = indentationBytes - mark.indentationBytes
    // A text has at least as many bytes as code units, so most lines need no count.
    if bytes.count - mark.byteCount - indentation <= Self.maximumWidth { return false }
    return UTF16Width.of(bytes[mark.byteCount...]) - indentation > Self.maximumWidth
  }

  private static let maximumWidth = 80
}
