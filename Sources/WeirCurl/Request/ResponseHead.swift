#if os(Linux) || os(macOS)
  import Weir

  /// Collects the lines of response heads, interim ones included, and counts those of trailers.
  struct ResponseHead {
    /// The maximum size of all heads and of the trailer of one response in bytes, where a short line
    /// counts as 64: a server that sends fields or interim responses without end would fill the memory.
    static let limit = 1 << 20

    enum Event {
      case none
      /// A head has ended.
      case end(HTTPHeaders)
      case tooLarge
    }

    private var headers = HTTPHeaders()
    private var last: (name: String, value: String)?
    private var isFirstLine = true
    private var size = 0

    /// Adds a line with its line break.
    mutating func add(_ line: UnsafeRawBufferPointer) -> Event {
      guard allows(line) else { return .tooLarge }
      guard !isFirstLine else {
        // The status line.
        isFirstLine = false
        return .none
      }
      let text = line.trimmed
      guard !text.isEmpty || line.first.map(isBlank) == true else {
        addLast()
        defer { (headers, isFirstLine) = (HTTPHeaders(), true) }
        return .end(headers)
      }
      if line.first.map(isBlank) == true {
        // A folded line continues the value before it (RFC 9112, section 5.2).
        last?.value += " " + String(decoding: text, as: UTF8.self)
        return .none
      }
      addLast()
      guard let colon = text.firstIndex(of: UInt8(ascii: ":")) else { return .none }
      let value = UnsafeRawBufferPointer(rebasing: text[(colon + 1)...]).trimmed
      last = (
        String(decoding: text[..<colon], as: UTF8.self), String(decoding: value, as: UTF8.self)
      )
      return .none
    }

    /// Counts a line, and returns whether it keeps the limit.
    mutating func allows(_ line: UnsafeRawBufferPointer) -> Bool {
      // Each line costs an allocation, however short it is.
      size += max(line.count, 64)
      return size <= Self.limit
    }

    private mutating func addLast() {
      if let field = last { headers.add(field.name, field.value) }
      last = nil
    }
  }

  extension HTTPHeaders {
    /// The length of the body; -1 if the head does not say.
    var contentLength: Int64 {
      last { $0.isNamed("content-length") }.flatMap { Int64($0.value) } ?? -1
    }
  }

  extension HTTPHeaders {
    /// For how many seconds the server keeps the connection, by the field `Keep-Alive: timeout=5, max=100`;
    /// nil if it does not say.
    var keepAliveSeconds: Int? {
      guard let field = last(where: { $0.isNamed("keep-alive") }) else { return nil }
      let text = field.value.lowercased().filter { $0 != " " && $0 != "\t" }
      return text.split(separator: ",").first { $0.hasPrefix("timeout=") }
        .flatMap { UInt32($0.dropFirst("timeout=".count)) }.map { Int($0) }
    }
  }

  func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
  }

  extension UnsafeRawBufferPointer {
    /// The bytes without blanks and line breaks around them.
    ///
    /// Proof: the result is a part of this buffer, and used only while this buffer is.
    fileprivate var trimmed: UnsafeRawBufferPointer {
      func isSpace(_ byte: UInt8) -> Bool {
        isBlank(byte) || byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\n")
      }
      guard let first = firstIndex(where: { !isSpace($0) }),
        let last = lastIndex(where: { !isSpace($0) })
      else { return UnsafeRawBufferPointer(rebasing: self[..<startIndex]) }
      return UnsafeRawBufferPointer(rebasing: self[first...last])
    }
  }
#endif
