/// A parser that reads bytes into cells in one pass, strictly by RFC 8259.
///
/// It keeps its own stack, so that nesting does not use the thread's. For each object it guesses
/// that the key list is that of the object before it at the same place. While the guess is right, a
/// key costs one comparison of bytes and no cell.
///
/// Proof for every `text[...]` here and in the extensions: `at < end` was checked before, or a load
/// of n bytes is guarded by `at + n <= end`.
struct JSONParser: ~Copyable {
  let text: UnsafePointer<UInt8>
  let end: Int
  let maximumDepth: Int
  var at = 0

  var cells: Scratch<UInt64>
  var lists: KeyListTable
  var pending: Scratch<PendingKey>
  var frames: Scratch<Frame>

  /// For each object with repeated keys, by its first cell: the positions of the values to keep.
  var keptValues: [Int: [Int]] = [:]
  /// How many values were moved because of repeated keys; for tests.
  var movedValues = 0

  /// An array or an object that has not ended yet.
  struct Frame: BitwiseCopyable {
    /// The index of its first cell.
    var cell: UInt32 = 0
    /// The number of its elements or keys so far.
    var count: UInt32 = 0
    /// The guess for the object's key list.
    var list: UInt32 = 0
    /// The start of the object's own keys in `pending`, once the guess has failed.
    var pendingStart: UInt32 = Frame.isGuessed
    /// The key list of the last object in it, which is the guess for the next one.
    var childList: UInt32 = 0
    var isObject = false

    static let isGuessed = UInt32.max
  }

  /// A key of an object whose key list does not exist yet.
  struct PendingKey: BitwiseCopyable {
    var cell: UInt64
    var childList: UInt32
  }

  mutating func parse() throws(JSONError) {
    skipSpace()
    var frame = Frame()
    value: while true {
      if frame.isObject { try key(&frame) } else { frame.count += 1 }
      guard at < end else { throw JSONError(.unexpectedEnd, offset: at) }
      if cells.capacity - cells.count < 2 { growCells() }
      let byte = text[at]
      switch byte {
      case UInt8(ascii: "\""):
        at += 1
        try string()
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        try open(&frame, isObject: byte == UInt8(ascii: "{"))
        guard at < end else { throw JSONError(.unexpectedEnd, offset: at) }
        if text[at] != (frame.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) { continue value }
        at += 1
        close(&frame)
      default:
        try scalar(byte)
      }
      while true {
        if frames.count == 0 { return try finish() }
        skipSpace()
        guard at < end else { throw JSONError(.unexpectedEnd, offset: at) }
        let byte = text[at]
        if byte == UInt8(ascii: ",") {
          at += 1
          skipSpace()
          continue value
        }
        guard byte == (frame.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
          throw JSONError(.unexpectedCharacter, offset: at)
        }
        at += 1
        close(&frame)
      }
    }
  }

  @inline(__always)
  mutating func skipSpace() {
    while at < end, text[at] <= 0x20, isSpace(text[at]) { at += 1 }
  }

  private func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09
  }

  /// Makes room for the cells of the rest of the text, assuming that it is like the text so far.
  ///
  /// A good estimate saves copying and shrinking: memory of a size that was freed before is ready
  /// for use, but other memory must be mapped again.
  @inline(never)
  private mutating func growCells() {
    let likely = Double(cells.count) * Double(end) / Double(max(at, 1)) * 1.03
    // A byte makes at most one cell, or two if it opens an array or an object.
    let most = end + 2 * maximumDepth + 2
    cells.resize(to: max(cells.count * 5 / 4 + 64, min(Int(likely) + 64, most)))
  }

  private mutating func finish() throws(JSONError) {
    skipSpace()
    guard at == end else { throw JSONError(.trailingContent, offset: at) }
    if !keptValues.isEmpty { removeReplacedValues() }
  }

  /// Begins an array or an object, up to its first element or its end.
  @inline(__always)
  private mutating func open(_ frame: inout Frame, isObject: Bool) throws(JSONError) {
    guard frames.count < maximumDepth else { throw JSONError(.tooDeep, offset: at) }
    let guess = guess(in: frame)
    frames.append(frame)
    frame = Frame(cell: UInt32(truncatingIfNeeded: cells.count), isObject: isObject)
    if isObject { frame.list = guess } else { frame.childList = guess }
    let kind: JSONCell.Kind = isObject ? .object : .array
    cells[cells.count] = JSONCell(kind, offset: at, length: 0).bits
    cells.count += 2
    at += 1
    skipSpace()
  }

  /// Ends the array or the object of `frame`, and returns to the one around it.
  @inline(__always)
  private mutating func close(_ frame: inout Frame) {
    let index = Int(frame.cell)
    var detail = frame.count
    var result = frame.childList
    if frame.isObject {
      if frame.pendingStart != Frame.isGuessed || frame.count != lists.count(frame.list) {
        endMissedGuess(&frame)
      }
      detail = frame.list
      result = frame.list
    }
    let offset = JSONCell(bits: cells[index]).offset
    cells[index] |= UInt64(truncatingIfNeeded: at - offset) << 36
    cells[index + 1] = JSONExtent(cells: cells.count - index, detail: Int(detail)).bits
    // Proof: `open` pushed the frame that is popped here.
    frames.count -= 1
    frame = frames[frames.count]
    remember(result, in: &frame)
  }
}
