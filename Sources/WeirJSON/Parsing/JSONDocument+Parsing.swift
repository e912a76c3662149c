/// What a parser is to accept.
public struct JSONParseOptions: Hashable, Sendable {
  /// How many arrays and objects may be open at once: 512 at most and by default.
  ///
  /// The parser itself needs no stack for nesting. The limit protects what walks a value later: a
  /// recursive type that is decoded, a tree of `JSONValue`s that is released.
  public var maximumDepth: Int {
    get { depth }
    set { depth = min(max(newValue, 0), JSONParseOptions.deepest) }
  }

  private var depth: Int

  /// The deepest nesting that anything here reads or writes.
  package static let deepest = 512

  /// Makes options; a depth beyond 512 counts as 512.
  public init(maximumDepth: Int = 512) {
    depth = min(max(maximumDepth, 0), JSONParseOptions.deepest)
  }
}

extension JSONDocument {
  /// Parses a text strictly by RFC 8259.
  ///
  /// Takes one pass and two allocations beside the bytes, which are kept, not copied. Of several
  /// members with one key the last one counts. Numbers without fraction and exponent are exact
  /// between -2^63 and 2^64 - 1; all others are the nearest `Double`, and it is an error if that
  /// would be an infinity. Half surrogate pairs, bytes that are not UTF-8 and a byte order mark
  /// are errors.
  public static func parse(
    _ bytes: [UInt8], options: JSONParseOptions = JSONParseOptions()
  ) throws(JSONError) -> JSONDocument {
    guard bytes.count <= JSONCell.maximumOffset else {
      throw JSONError(.tooLarge, offset: JSONCell.maximumOffset)
    }
    return try bytes.withUnsafeBufferPointer { text in
      guard let base = text.baseAddress, !text.isEmpty else {
        return Result<JSONDocument, JSONError>.failure(JSONError(.unexpectedEnd, offset: 0))
      }
      return withScratch { cells, lists, pending, frames in
        let parser = JSONParser(
          text: base, end: text.count, maximumDepth: options.maximumDepth, cells: cells,
          lists: lists, pending: pending, frames: frames)
        return parser.run(bytes)
      }
    }.get()
  }

  /// Gives `body` buffers on the stack. They suffice for small texts and grow on the heap.
  @inline(__always)
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
  /// Parses and makes the document, or frees what was allocated.
  fileprivate consuming func run(_ bytes: [UInt8]) -> Result<JSONDocument, JSONError> {
    let result: Result<JSONDocument, JSONError>
    do throws(JSONError) {
      try parse()
      let words = cells.take(more: lists.words.count)
      (words + cells.count).update(from: lists.words.base, count: lists.words.count)
      result = .success(
        JSONDocument(
          bytes: bytes, words: words, cellCount: cells.count,
          wordCount: cells.count + lists.words.count))
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
