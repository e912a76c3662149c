/// Reads a multipart body (RFC 2046, section 5.1) as GraphQL servers send it, one part for each
/// payload.
///
/// A pure state machine: give it chunks, cut anywhere, and take parts until there are no more. Each
/// byte is looked at once (twice if the part says its length); what is held is one chunk and one
/// unfinished part.
///
/// - A part is complete as soon as the delimiter after it begins. Its rest may come only with the
///   next part.
/// - A part with a `content-length` is complete when as many bytes are there, if they are a whole
///   JSON value: some servers send the delimiter only before the next part, and some count
///   characters.
/// - Lines may end with LF alone. The preamble, the epilogue, and parts without content are left out.
struct MultipartParser {
  struct Part: Equatable, Sendable {
    var headers: HTTPHeaders = [:]
    var body: [UInt8] = []
  }

  private enum State { case preamble, delimiterTail(dashes: Int), headers, body, gap, closed }

  private let limit: Int
  /// `--` and the boundary, which begins a line.
  private let delimiter: [UInt8]
  private var state = State.preamble
  private var chunk: [UInt8] = []
  private var position = 0
  /// How much of the delimiter the current line has matched; nil within a line that is none.
  private var matched: Int? = 0
  /// A header line, or the body so far.
  private var buffer: [UInt8] = []
  private var headers: HTTPHeaders = [:]
  /// What the part says its length is, until that has been reached.
  private var expectedLength: Int?
  private var isFinished = false

  /// - Parameters:
  ///   - boundary: As in `content-type`, without the dashes before it.
  ///   - limit: The most bytes that one part may have.
  init(boundary: String, limit: Int = .max) {
    delimiter = Array("--\(boundary)".utf8)
    self.limit = limit
  }

  /// Whether the closing delimiter has been read.
  var isClosed: Bool {
    if case .closed = state { true } else { false }
  }

  /// Takes the next chunk. The parts of the one before must have been taken.
  mutating func append(_ chunk: [UInt8]) {
    self.chunk = chunk
    position = 0
  }

  /// The body has ended in an orderly way.
  mutating func finish() {
    isFinished = true
  }

  /// The next part; nil if that needs more bytes, or there are no more.
  ///
  /// - Throws: `endedEarly` if the body ended without the closing delimiter.
  mutating func next() throws(StreamFormatError) -> Part? {
    while position < chunk.count {
      if let part = try advance() { return part }
    }
    guard isFinished, !isClosed else { return nil }
    let last = takePart()
    state = .gap
    if let last, isWholeJSON(last.body[...]) { return last }
    throw StreamFormatError(.endedEarly, "The body ended without its closing boundary.")
  }

  /// Reads on until something is known.
  private mutating func advance() throws(StreamFormatError) -> Part? {
    switch state {
    case .closed:
      position = chunk.count
    case .delimiterTail(let dashes):
      readDelimiterTail(dashes)
    case .preamble, .headers, .body, .gap:
      if let matched { return try matchDelimiter(from: matched) }
      return try readLine()
    }
    return nil
  }

  // MARK: Delimiters

  /// At the beginning of a line: compares with the delimiter.
  private mutating func matchDelimiter(from start: Int) throws(StreamFormatError) -> Part? {
    var count = start
    while position < chunk.count, count < delimiter.count, chunk[position] == delimiter[count] {
      position += 1
      count += 1
    }
    if count == delimiter.count {
      defer {
        state = .delimiterTail(dashes: 0)
        matched = nil
      }
      return takePart()
    }
    if position == chunk.count {
      matched = count
    } else {
      matched = nil
      try keep(delimiter[..<count])
    }
    return nil
  }

  /// What follows a delimiter on its line: two dashes at the very end, else white space.
  private mutating func readDelimiterTail(_ dashes: Int) {
    let byte = chunk[position]
    position += 1
    if byte == UInt8(ascii: "-"), dashes >= 0 {
      state = dashes == 1 ? .closed : .delimiterTail(dashes: dashes + 1)
    } else if byte == lineFeed {
      state = .headers
      matched = 0
    } else {
      state = .delimiterTail(dashes: -1)
    }
  }

  // MARK: Lines

  /// Reads to the end of a line, or of the chunk.
  private mutating func readLine() throws(StreamFormatError) -> Part? {
    let start = position
    var end = start
    chunk.withUnsafeBufferPointer { bytes in
      while end < bytes.count, bytes[end] != lineFeed { end += 1 }
    }
    let isWhole = end < chunk.count
    if isWhole { end += 1 }
    if case .body = state, let expectedLength, buffer.count + end - start >= expectedLength {
      // Look at the place where the part says that it ends.
      end = start + max(expectedLength - buffer.count, 0)
      self.expectedLength = nil
      try keep(chunk[start..<end])
      position = end
      return isWholeJSON(buffer[...]) ? takePart(then: .gap) : nil
    }
    try keep(chunk[start..<end])
    position = end
    if isWhole {
      matched = 0
      if case .headers = state { readHeader() }
    }
    return nil
  }

  private mutating func keep(_ bytes: ArraySlice<UInt8>) throws(StreamFormatError) {
    switch state {
    case .headers, .body:
      guard bytes.count <= limit - buffer.count else { throw .tooLarge(limit) }
      buffer += bytes
    case .preamble, .gap, .closed, .delimiterTail:
      break
    }
  }

  private mutating func readHeader() {
    let line = buffer.dropLast(buffer.dropLast().last == carriageReturn ? 2 : 1)
    defer { buffer.removeAll(keepingCapacity: true) }
    guard !line.isEmpty else {
      state = .body
      expectedLength = headers["content-length"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
      return
    }
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return }
    let value = line[line.index(after: colon)...].drop { $0 == UInt8(ascii: " ") || $0 == 9 }
    headers.add(
      String(decoding: line[..<colon], as: UTF8.self), String(decoding: value, as: UTF8.self))
  }

  // MARK: Parts

  /// The part that ends here, if there is one with content.
  private mutating func takePart(then next: State? = nil) -> Part? {
    defer {
      buffer = []
      headers = [:]
      expectedLength = nil
      if let next { state = next }
    }
    guard case .body = state else { return nil }
    if buffer.last == lineFeed { buffer.removeLast() }
    if buffer.last == carriageReturn { buffer.removeLast() }
    return buffer.isEmpty ? nil : Part(headers: headers, body: buffer)
  }
}

private let lineFeed = UInt8(ascii: "\n")
private let carriageReturn = UInt8(ascii: "\r")

/// Whether brackets and quotes are closed, and there are any: for an object, its very end.
private func isWholeJSON(_ bytes: ArraySlice<UInt8>) -> Bool {
  var depth = 0
  var isInString = false
  var isEscaped = false
  var hasOpened = false
  for byte in bytes {
    if isInString {
      if isEscaped {
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == UInt8(ascii: "\"") {
        isInString = false
      }
      continue
    }
    switch byte {
    case UInt8(ascii: "\""): isInString = true
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      depth += 1
      hasOpened = true
    case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
    default: break
    }
  }
  return hasOpened && depth == 0 && !isInString
}
