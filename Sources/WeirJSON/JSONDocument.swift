import Foundation

#if canImport(Android)
  import Android
#endif

/// A parsed JSON text: its bytes and a flat tape of 8-byte cells, immutable and shared.
///
/// Its values are `JSON`s: a reference to the document and the index of a cell. A value keeps its
/// whole document alive.
public final class JSONDocument: Sendable {
  /// The text that was parsed.
  public let bytes: [UInt8]

  // Proof: the memory is written before `init` receives it, never written again, and freed in
  // `deinit`. So any thread may read it as long as it has a reference to the document.
  @usableFromInline nonisolated(unsafe) let words: UnsafeMutablePointer<UInt64>
  @usableFromInline let cellCount: Int
  private let wordCount: Int
  /// Whether parsing the text again yields the same cells.
  package let isParsed: Bool

  /// Takes ownership of `words`: the cells, then the key lists.
  init(
    bytes: [UInt8], words: UnsafeMutablePointer<UInt64>, cellCount: Int, wordCount: Int,
    isParsed: Bool = false
  ) {
    self.isParsed = isParsed
    self.bytes = bytes
    self.words = words
    self.cellCount = cellCount
    self.wordCount = wordCount
  }

  deinit {
    free(words)
  }

  /// The whole text as a value.
  public var root: JSON { JSON(document: self, index: .root) }

  /// The document's size in memory in bytes: the text and the tape, without the few words that each
  /// allocation costs.
  public var footprint: Int { bytes.count + tapeSize }

  /// The size of the tape in bytes.
  package var tapeSize: Int { wordCount * MemoryLayout<UInt64>.stride }

  /// Returns whether a text is the one that was parsed. (`==` of arrays compares byte by byte.)
  package func hasText(_ text: ArraySlice<UInt8>) -> Bool {
    bytes.count == text.count
      && withTape { tape in
        // Proof: both texts have `bytes.count` bytes, and the parser refuses an empty one.
        text.withUnsafeBytes { memcmp(tape.text, $0.baseAddress.unsafelyUnwrapped, $0.count) == 0 }
      }
  }

  /// Returns whether another document has the same text.
  package func hasSameText(as other: JSONDocument) -> Bool {
    hasText(other.bytes[...])
  }

  /// The size of the key lists in words: one more than the largest index of a key list.
  package var keyListWords: Int { wordCount - cellCount }

  /// A table, by key list of this document, of key lists with the same keys in another document: -1
  /// if not known yet. In every document the first list is that of objects without members.
  package var unknownKeyLists: ContiguousArray<Int> {
    var lists = ContiguousArray(repeating: -1, count: keyListWords)
    if !lists.isEmpty { lists[0] = 0 }
    return lists
  }

  /// Runs `body` with a view of the cells that is valid until it returns.
  @inlinable
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
