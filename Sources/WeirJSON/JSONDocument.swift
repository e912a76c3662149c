import Foundation

/// A parsed JSON text: its bytes and a flat tape of 8-byte cells, immutable and shared.
///
/// Values of it are `JSON`s, a reference to the document and the index of a cell. A value keeps its
/// whole document alive.
public final class JSONDocument: Sendable {
  /// The text, as it was given.
  public let bytes: [UInt8]

  // Proof: the memory is written before it is given to `init`, never written again, and freed in
  // `deinit`. So any thread may read it as long as it has a reference to the document.
  @usableFromInline nonisolated(unsafe) let words: UnsafeMutablePointer<UInt64>
  @usableFromInline let cellCount: Int
  private let wordCount: Int

  /// Takes ownership of `words`: the cells, then the key lists.
  init(bytes: [UInt8], words: UnsafeMutablePointer<UInt64>, cellCount: Int, wordCount: Int) {
    self.bytes = bytes
    self.words = words
    self.cellCount = cellCount
    self.wordCount = wordCount
  }

  deinit {
    free(words)
  }

  /// The value that the text is.
  public var root: JSON { JSON(document: self, index: 0) }

  /// How many bytes of memory the document takes: the text and the tape, without the few words
  /// that the allocations themselves cost.
  public var footprint: Int { bytes.count + tapeSize }

  /// How many bytes the tape takes.
  package var tapeSize: Int { wordCount * MemoryLayout<UInt64>.stride }

  /// Whether another document is the same text. (`==` of arrays looks at one byte after the other.)
  package func hasSameText(as other: JSONDocument) -> Bool {
    bytes.count == other.bytes.count
      && withTape { tape in
        // Proof: both texts have so many bytes.
        other.withTape { memcmp(tape.text, $0.text, bytes.count) == 0 }
      }
  }

  /// How many words the key lists take: one more than the largest index of a key list.
  package var keyListWords: Int { wordCount - cellCount }

  /// For each of its key lists, by index, which one of another document has the same keys: -1 as
  /// long as none is known. The first one is that of objects without members in every document.
  package var unknownKeyLists: ContiguousArray<Int> {
    var lists = ContiguousArray(repeating: -1, count: keyListWords)
    if !lists.isEmpty { lists[0] = 0 }
    return lists
  }

  /// Runs `body` with a view of the cells that is valid until it returns.
  @inlinable @inline(__always)
  package func withTape<Result, Failure: Error>(
    _ body: (JSONTape) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try bytes.withUnsafeBufferPointer { (text) throws(Failure) -> Result in
      // Proof: the parser refuses an empty text, so there is a base address.
      let base = text.baseAddress.unsafelyUnwrapped
      return try withExtendedLifetime(self) { () throws(Failure) -> Result in
        try body(JSONTape(text: base, cells: words, keyLists: words + cellCount))
      }
    }
  }
}
