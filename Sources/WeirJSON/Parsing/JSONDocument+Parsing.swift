/// Options for parsing.
public struct JSONParseOptions: Hashable, Sendable {
  /// How deeply arrays and objects may nest; at most 512, which is the default.
  ///
  /// The parser itself needs no stack for nesting. The limit protects code that walks a value
  /// later: decoding a recursive type, or releasing a tree of `JSONValue`s.
  public var maximumDepth: Int {
    get { depth }
    set { depth = min(max(newValue, 0), JSONParseOptions.deepest) }
  }

  private var depth: Int

  /// The deepest nesting that is read or written.
  package static let deepest = 512

  /// Creates options; a depth beyond 512 counts as 512.
  public init(maximumDepth: Int = 512) {
    depth = min(max(maximumDepth, 0), JSONParseOptions.deepest)
  }
}

extension JSONDocument {
  /// Parses a text strictly by RFC 8259.
  ///
  /// Takes one pass and two allocations; the bytes are kept, not copied. If several members have
  /// the same key, the last one counts. Numbers without a fraction and an exponent are exact
  /// between -2^63 and 2^64 - 1. All others are the nearest `Double`; it is an error if that would
  /// be infinite. Bytes that are not UTF-8 and a byte order mark are errors. An escape of one half of a
  /// surrogate pair, which remains where a server has cut a text within an emoji, is read as U+FFFD.
  public static func parse(
    _ bytes: [UInt8], options: JSONParseOptions = JSONParseOptions()
  ) throws(JSONError) -> JSONDocument {
    try parseAndCount(bytes, options: options).document
  }

  /// Parses a text, and counts the values that were moved because of repeated keys.
  static func parseAndCount(
    _ bytes: [UInt8], options: JSONParseOptions = JSONParseOptions()
  ) throws(JSONError) -> (document: JSONDocument, movedValues: Int) {
    guard bytes.count <= JSONCell.maximumOffset else {
      throw JSONError(.tooLarge, offset: JSONCell.maximumOffset)
    }
    return try bytes.withUnsafeBufferPointer { text in
      guard let base = text.baseAddress, !text.isEmpty else {
        return Result<(document: JSONDocument, movedValues: Int), JSONError>.failure(
          JSONError(.unexpectedEnd, offset: 0))
      }
      return withScratch { cells, lists, pending, frames in
        let parser = JSONParser(
          text: base, end: text.count, maximumDepth: options.maximumDepth, cells: cells,
          lists: lists, pending: pending, frames: frames)
        return parser.run(bytes)
      }
    }.get()
  }

  /// Runs `body` with buffers on the stack, which suffice for small texts and grow on the heap.
  ///
  /// Proof: `body` returns no buffer: the parser copies what it keeps, and releases the rest.
  private static func withScratch<Value>(
    _ body: (
      Scratch<UInt64>, KeyListTable, Scratch<JSONParser.PendingKey>, Scratch<JSONParser.Frame>
    ) -> Value
  ) -> Value {
    withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 128) { cells in
      withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 96) { words in
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 96) { childLists in
          withUnsafeTemporaryAllocation(of: JSONParser.PendingKey.self, capacity: 64) { pending in
            withUnsafeTemporaryAllocation(of: JSONParser.Frame.self, capacity: 32) { frames in
              body(
                Scratch(startingIn: cells),
                KeyListTable(
                  words: Scratch(startingIn: words), childLists: Scratch(startingIn: childLists)),
                Scratch(startingIn: pending), Scratch(startingIn: frames))
            }
          }
        }
      }
    }
  }
}

extension JSONParser {
  /// Parses the text, and creates the document or frees the buffers.
  fileprivate consuming func run(
    _ bytes: [UInt8]
  ) -> Result<(document: JSONDocument, movedValues: Int), JSONError> {
    let result: Result<(document: JSONDocument, movedValues: Int), JSONError>
    do throws(JSONError) {
      try parse()
      let words = cells.take(more: lists.words.count)
      (words + cells.count).update(from: lists.words.base, count: lists.words.count)
      let document = JSONDocument(
        bytes: bytes, words: words, cellCount: cells.count,
        wordCount: cells.count + lists.words.count, isParsed: true)
      result = .success((document, movedValues))
    } catch {
      result = .failure(error)
    }
    cells.release()
    lists.release()
    pending.release()
    frames.release()
    return result
  }
}
