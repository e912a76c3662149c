/// Reads an event stream (WHATWG HTML, section 9.2.6 "Interpreting an event stream").
///
/// A pure state machine: give it chunks, cut anywhere, and take events until there are no more. Each
/// byte is looked at once; what is held is one chunk and one unfinished event.
///
/// It differs from a browser in two points. An event that has a name but no data is an event, since
/// some servers send `event: complete` so. And an event that the end of the stream cuts off before
/// its blank line is delivered, if the stream ended in an orderly way.
struct EventStreamParser {
  struct Event: Equatable, Sendable {
    /// The name; empty if the server gave none, which stands for `message`.
    var name = ""
    /// The data lines, joined by line feeds.
    var data: [UInt8] = []
  }

  private enum Field { case event, data, id, retry, other }

  private let limit: Int
  private var chunk: [UInt8] = []
  private var position = 0
  /// The beginning of a line that earlier chunks brought.
  private var line: [UInt8] = []
  private var isFirstLine = true
  private var skipsLineFeed = false
  private var isFinished = false
  private var event = Event()
  private var hasData = false
  /// The last `id` field, which counts as soon as its event is whole.
  private var readID: String?

  /// The last whole event's `id` field: what a client sends as `last-event-id` when it comes back. An
  /// empty one takes back those before; nil if there was none.
  private(set) var lastEventID: String?
  /// The last `retry` field: how long the server asks a client to wait before it comes back, in
  /// milliseconds.
  private(set) var retryMilliseconds: Int?

  /// - Parameter limit: The most bytes that one event may have.
  init(limit: Int = .max) {
    self.limit = limit
  }

  /// Takes the next chunk. The events of the one before must have been taken.
  mutating func append(_ chunk: [UInt8]) {
    self.chunk = chunk
    position = 0
  }

  /// The stream has ended in an orderly way.
  mutating func finish() {
    isFinished = true
  }

  /// The next event; nil if that needs more bytes, or there are no more.
  mutating func next() throws(StreamFormatError) -> Event? {
    while let isComplete = try advance() {
      guard isComplete else { continue }
      lastEventID = readID
      if let event = takeEvent() { return event }
    }
    guard isFinished else { return nil }
    if !line.isEmpty {
      read(line[...])
      line = []
    }
    guard let event = takeEvent() else { return nil }
    lastEventID = readID
    return event
  }

  /// Reads up to the end of the next line.
  ///
  /// - Returns: whether the line was blank; nil if there is no more line in the chunk.
  private mutating func advance() throws(StreamFormatError) -> Bool? {
    if skipsLineFeed, position < chunk.count {
      skipsLineFeed = false
      if chunk[position] == lineFeed { position += 1 }
    }
    let start = position
    guard let end = endOfLine(from: start) else {
      guard start < chunk.count else { return nil }
      try check(chunk.count - start)
      line += chunk[start...]
      position = chunk.count
      return nil
    }
    try check(end - start)
    skipsLineFeed = chunk[end] == carriageReturn
    position = end + 1
    defer { line.removeAll(keepingCapacity: line.count < 4096) }
    if line.isEmpty { return read(chunk[start..<end]) }
    line += chunk[start..<end]
    return read(line[...])
  }

  private func check(_ more: Int) throws(StreamFormatError) {
    if more > limit - line.count - event.data.count { throw .tooLarge(limit) }
  }

  private func endOfLine(from start: Int) -> Int? {
    chunk.withUnsafeBufferPointer { bytes in
      var at = start
      while at < bytes.count {
        if bytes[at] == lineFeed || bytes[at] == carriageReturn { return at }
        at += 1
      }
      return nil
    }
  }

  /// Reads one line without its end.
  ///
  /// - Returns: whether it was blank, which completes an event.
  @discardableResult
  private mutating func read(_ line: ArraySlice<UInt8>) -> Bool {
    var line = line
    if isFirstLine {
      isFirstLine = false
      if line.starts(with: [0xEF, 0xBB, 0xBF]) { line = line.dropFirst(3) }
    }
    guard !line.isEmpty else { return true }
    let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
    var value = line[colon...].dropFirst()
    if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
    switch field(named: line[..<colon]) {
    case .event: event.name = String(decoding: value, as: UTF8.self)
    case .data:
      if hasData { event.data.append(lineFeed) }
      event.data += value
      hasData = true
    case .id:
      if !value.contains(0) { readID = String(decoding: value, as: UTF8.self) }
    case .retry:
      if let milliseconds = Int(digits: value) { retryMilliseconds = milliseconds }
    case .other: break
    }
    return false
  }

  private func field(named name: ArraySlice<UInt8>) -> Field {
    if name.elementsEqual("data".utf8) { return .data }
    if name.elementsEqual("event".utf8) { return .event }
    if name.elementsEqual("id".utf8) { return .id }
    if name.elementsEqual("retry".utf8) { return .retry }
    return .other
  }

  private mutating func takeEvent() -> Event? {
    defer {
      event = Event()
      hasData = false
    }
    return hasData || !event.name.isEmpty ? event : nil
  }
}

private let lineFeed = UInt8(ascii: "\n")
private let carriageReturn = UInt8(ascii: "\r")

extension Int {
  /// A number of ASCII digits only; nil for anything else, and for what does not fit.
  fileprivate init?(digits: ArraySlice<UInt8>) {
    let isNumber = digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard isNumber, let number = Int(String(decoding: digits, as: UTF8.self)) else { return nil }
    self = number
  }
}
