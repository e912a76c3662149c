/// Parses an event stream (WHATWG HTML, section 9.2.6 "Interpreting an event stream").
///
/// A state machine without input or output: append chunks, cut anywhere, and take events until
/// there are no more. It reads each byte once, and holds one chunk and one incomplete event.
///
/// It differs from a browser in three points. An event with a name but without data is an event,
/// because some servers send `event: complete` in this way. And an event whose blank line is
/// missing at the end of the stream is delivered, if the stream ended in an orderly way. An id with
/// a control character, or of more than 4 KiB, is ignored, because it cannot be the value of a header.
struct EventStreamParser {
  struct Event: Equatable, Sendable {
    /// The name; empty if the server sent none, which means `message`.
    var name = ""
    /// The data lines, joined by line feeds.
    var data: [UInt8] = []
  }

  /// Servers and libraries refuse longer header fields.
  private static let maximumIDLength = 4 << 10

  private let limit: Int
  private var chunk: [UInt8] = []
  private var position = 0
  /// The start of a line from earlier chunks.
  private var line: [UInt8] = []
  private var isFirstLine = true
  private var skipsLineFeed = false
  private var isFinished = false
  private var event = Event()
  private var hasData = false
  /// The last `id` field, which takes effect at the end of its event.
  private var readID: String?

  /// The `id` field of the last complete event, which a client sends as `last-event-id` when it
  /// reconnects; nil if there was none. An empty id cancels earlier ones.
  private(set) var lastEventID: String?
  /// The last `retry` field: the time in milliseconds that the server asks clients to wait before
  /// they reconnect.
  private(set) var retryMilliseconds: Int?

  /// Whether the stream ended before the blank line of the last event that `next` returned. It may
  /// have been cut within the event, in an orderly way.
  private var endsWithinEvent = false
  private var idBeforeEnd: String?

  /// - Parameter limit: The maximum size of an event in bytes.
  init(limit: Int = .max) {
    self.limit = limit
  }

  /// Adds the next chunk, after all events of the previous chunk were taken.
  mutating func append(_ chunk: [UInt8]) {
    self.chunk = chunk
    position = 0
  }

  /// Notes that the stream has ended in an orderly way.
  mutating func finish() {
    isFinished = true
  }

  /// Returns the next event; nil if it needs more bytes, or there are no more.
  mutating func next() throws(StreamFormatError) -> Event? {
    while let line = try nextLine() {
      guard line.isEmpty else {
        read(line)
        continue
      }
      lastEventID = readID
      if let event = takeEvent() { return event }
    }
    guard isFinished else { return nil }
    if !line.isEmpty { read(withoutMark(line[...])) }
    line = []
    guard let event = takeEvent() else { return nil }
    endsWithinEvent = true
    idBeforeEnd = lastEventID
    lastEventID = readID
    return event
  }

  /// Notes that the last event is incomplete, if the stream ended within it, so that its id does not
  /// count.
  ///
  /// - Returns: Whether it did.
  mutating func discardLastEvent() -> Bool {
    if endsWithinEvent { lastEventID = idBeforeEnd }
    return endsWithinEvent
  }

  /// Returns the next line without its end; nil if the chunk has no more complete line.
  private mutating func nextLine() throws(StreamFormatError) -> ArraySlice<UInt8>? {
    if skipsLineFeed, position < chunk.count {
      skipsLineFeed = false
      if chunk[position] == lineFeed { position += 1 }
    }
    let found = chunk.endOfLine(from: position, orCarriageReturn: true)
    let content = chunk[position..<(found ?? chunk.count)]
    guard content.count <= limit - line.count - event.data.count else { throw .tooLarge(limit) }
    position = found.map { $0 + 1 } ?? chunk.count
    guard let found else {
      line += content
      return nil
    }
    skipsLineFeed = chunk[found] == carriageReturn
    if !line.isEmpty { line += content }
    let whole = line.isEmpty ? content : line[...]
    line = []
    return withoutMark(whole)
  }

  /// Removes the byte order mark from the first line.
  private mutating func withoutMark(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    defer { isFirstLine = false }
    return isFirstLine && line.starts(with: [0xEF, 0xBB, 0xBF]) ? line.dropFirst(3) : line
  }

  private mutating func read(_ line: ArraySlice<UInt8>) {
    let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
    var value = line[colon...].dropFirst()
    if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
    switch String(decoding: line[..<colon], as: UTF8.self) {
    case "event": event.name = String(decoding: value, as: UTF8.self)
    case "data":
      if hasData { event.data.append(lineFeed) }
      event.data += value
      hasData = true
    case "id":
      // A browser ignores ids with a NUL. Other control characters cannot be sent back either.
      if value.count <= Self.maximumIDLength, !value.contains(where: { $0 < 0x20 || $0 == 0x7F }) {
        readID = String(decoding: value, as: UTF8.self)
      }
    case "retry":
      let digits = String(decoding: value, as: UTF8.self)
      if digits[...].isDecimal, let milliseconds = Int(digits) { retryMilliseconds = milliseconds }
    default: break
    }
  }

  private mutating func takeEvent() -> Event? {
    defer {
      event = Event()
      hasData = false
    }
    return hasData || !event.name.isEmpty ? event : nil
  }
}
