/// Parses a multipart body (RFC 2046, section 5.1) as GraphQL servers send it, with one part for
/// each payload.
///
/// A state machine without input or output: append chunks, cut anywhere, and take parts until there
/// are no more. It reads each byte once (twice if the part has a length), and holds one chunk and
/// one incomplete part.
///
/// - A part is complete as soon as the delimiter after it begins, because the rest of the delimiter
///   may arrive only with the next part.
/// - A part with a `content-length` is complete when so many bytes have arrived, if they are a
///   whole JSON value: some servers send the delimiter only before the next part, and some count
///   characters instead of bytes.
/// - Lines may end with a line feed alone. The preamble, the epilogue and empty parts are skipped, and
///   so are the other header fields.
struct MultipartParser {
  private enum State { case preamble, delimiterTail(dashes: Int), headers, body, gap, closed }

  private let limit: Int
  /// `--` and the boundary, at the start of a line.
  private let delimiter: [UInt8]
  private var state = State.preamble
  private var chunk: [UInt8] = []
  private var position = 0
  /// The number of delimiter bytes that the current line has matched; nil once the line has
  /// differed.
  private var matched: Int? = 0
  /// A header line, or the body so far.
  private var buffer: [UInt8] = []
  /// The `content-length` of the part, until that many bytes have arrived.
  private var expectedLength: Int?
  private var isFinished = false

  /// - Parameters:
  ///   - boundary: The boundary as in `content-type`, without leading dashes.
  ///   - limit: The maximum size of a part in bytes.
  init(boundary: String, limit: Int = .max) {
    delimiter = Array("--\(boundary)".utf8)
    self.limit = limit
  }

  /// Whether the closing delimiter has been read.
  var isClosed: Bool {
    if case .closed = state { true } else { false }
  }

  /// Adds the next chunk, after all parts of the previous chunk were taken.
  mutating func append(_ chunk: [UInt8]) {
    self.chunk = chunk
    position = 0
  }

  /// Notes that the body has ended in an orderly way.
  mutating func finish() {
    isFinished = true
  }

  /// Returns the body of the next part; nil if it needs more bytes, or there are no more.
  ///
  /// - Throws: `endedEarly` if the body ended without the closing delimiter.
  mutating func next() throws(StreamFormatError) -> [UInt8]? {
    while position < chunk.count {
      if let part = try advance() { return part }
    }
    guard isFinished, !isClosed else { return nil }
    let last = takePart()
    state = .gap
    if let last, last.isWholeJSON { return last }
    throw StreamFormatError(.endedEarly, "The body ended without its closing boundary.")
  }

  /// Reads a delimiter, a line or the rest of the chunk.
  private mutating func advance() throws(StreamFormatError) -> [UInt8]? {
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

  /// Compares the start of a line with the delimiter.
  private mutating func matchDelimiter(from start: Int) throws(StreamFormatError) -> [UInt8]? {
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

  /// Reads the rest of a delimiter's line: two dashes after the last part, otherwise white space.
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
  private mutating func readLine() throws(StreamFormatError) -> [UInt8]? {
    let start = position
    let lineEnd = chunk.endOfLine(from: start)
    let end = lineEnd.map { $0 + 1 } ?? chunk.count
    if case .body = state, let expectedLength, buffer.count + end - start >= expectedLength {
      position = start + max(expectedLength - buffer.count, 0)
      self.expectedLength = nil
      try keep(chunk[start..<position])
      // Some servers count the end of the line before the delimiter, which then begins here.
      if position == end, lineEnd != nil { matched = 0 }
      return buffer.isWholeJSON ? takePart(then: .gap) : nil
    }
    try keep(chunk[start..<end])
    position = end
    if lineEnd != nil {
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
      return
    }
    let field = String(decoding: line, as: UTF8.self).split(separator: ":", maxSplits: 1)
    guard field.count == 2, field[0].lowercased() == "content-length" else { return }
    expectedLength = Int(field[1].trimmedWhitespace).flatMap { $0 > 0 ? $0 : nil }
  }

  // MARK: Parts

  /// Returns the body of the part that ends here, if there is one with content.
  private mutating func takePart(then next: State? = nil) -> [UInt8]? {
    defer {
      buffer = []
      expectedLength = nil
      if let next { state = next }
    }
    guard case .body = state else { return nil }
    if buffer.last == lineFeed { buffer.removeLast() }
    if buffer.last == carriageReturn { buffer.removeLast() }
    return buffer.isEmpty ? nil : buffer
  }
}

extension [UInt8] {
  /// Whether the bytes are a complete JSON object or list.
  fileprivate var isWholeJSON: Bool {
    guard let json = try? JSON(parsing: self) else { return false }
    return json.kind == .object || json.kind == .array
  }
}
