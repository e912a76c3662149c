#if os(Linux) || os(macOS)
  /// Parses the frames that a server sends (RFC 6455, section 5), without any input or output of its
  /// own.
  package struct WebSocketFrames: Sendable {
    package enum Event: Equatable {
      case text(String)
      case binary([UInt8])
      case ping([UInt8])
      case pong([UInt8])
      /// The code is nil if the server sent none.
      case close(code: Int?, reason: String)
    }

    /// The server violated the protocol; close the connection with `code`.
    package struct Violation: Error, Equatable {
      let code: Int
      let reason: String
    }

    enum Opcode: UInt8 {
      case continuation = 0
      case text, binary
      case close = 8
      case ping, pong

      var isControl: Bool { rawValue >= 8 }
    }

    private struct Frame {
      let isFinal: Bool
      let opcode: Opcode
      /// The number of bytes of the payload that have not arrived.
      var missing: Int
    }

    private let limit: Int
    /// The first bytes of a frame whose length is not known yet.
    private var header: [UInt8] = []
    private var frame: Frame?
    private var control: [UInt8] = []
    /// The message whose fragments are arriving.
    private var message: (opcode: Opcode, bytes: [UInt8])?

    /// Makes a parser that accepts messages of at most `limit` bytes.
    init(limit: Int) {
      self.limit = limit
    }

    /// Takes bytes from `input` and returns the next message or control frame; nil if all bytes were
    /// taken before its end. The payload of a fragment is kept only as part of its message.
    mutating func next(_ input: inout ArraySlice<UInt8>) throws(Violation) -> Event? {
      while true {
        if self.frame == nil { self.frame = try nextFrame(&input) }
        guard var frame else { return nil }
        let part = input.prefix(frame.missing)
        input = input.dropFirst(part.count)
        frame.missing -= part.count
        if frame.opcode.isControl { control += part } else { message?.bytes += part }
        self.frame = frame.missing == 0 ? nil : frame
        guard frame.missing == 0 else { return nil }
        if let event = try ended(frame) { return event }
      }
    }

    private mutating func ended(_ frame: Frame) throws(Violation) -> Event? {
      guard frame.opcode.isControl else {
        guard frame.isFinal, let whole = message else { return nil }
        message = nil
        return try whole.opcode == .text ? .text(text(whole.bytes[...])) : .binary(whole.bytes)
      }
      defer { control = [] }
      switch frame.opcode {
      case .ping: return .ping(control)
      case .pong: return .pong(control)
      default: return try closing()
      }
    }

    private mutating func nextFrame(
      _ input: inout ArraySlice<UInt8>
    ) throws(Violation) -> Frame? {
      func missing(_ count: Int) -> Bool {
        while header.count < count, let byte = input.popFirst() { header.append(byte) }
        return header.count < count
      }
      if missing(2) { return nil }
      let opcode = try opcode(ofControlUpTo: 125)
      let short = Int(header[1])
      let extended = short == 126 ? 2 : short == 127 ? 8 : 0
      if missing(2 + extended) { return nil }
      let length = header[2...].reduce(UInt64(extended == 0 ? short : 0)) { $0 << 8 | UInt64($1) }
      let isFinal = header[0] & 0x80 != 0
      header = []
      guard extended == 0 || length > (extended == 2 ? 125 : 0xFFFF), length >> 63 == 0 else {
        throw Violation(code: 1002, reason: "The length of a frame is not in its shortest form.")
      }
      if !opcode.isControl { try beginPart(opcode, length) }
      return Frame(isFinal: isFinal, opcode: opcode, missing: Int(length))
    }

    /// Checks the first two bytes of a frame.
    private func opcode(ofControlUpTo limit: UInt8) throws(Violation) -> Opcode {
      guard header[0] & 0x70 == 0, let opcode = Opcode(rawValue: header[0] & 0x0F) else {
        throw Violation(code: 1002, reason: "A frame has reserved bits or a reserved opcode.")
      }
      guard header[1] & 0x80 == 0 else {
        throw Violation(code: 1002, reason: "A frame of the server is masked.")
      }
      guard !opcode.isControl || header[0] & 0x80 != 0 && header[1] <= limit else {
        throw Violation(code: 1002, reason: "A control frame is too long or in fragments.")
      }
      return opcode
    }

    private mutating func beginPart(_ opcode: Opcode, _ length: UInt64) throws(Violation) {
      switch (opcode, message) {
      case (.continuation, nil):
        throw Violation(code: 1002, reason: "A frame continues no message.")
      case (.continuation, _): break
      case (_, nil): message = (opcode, [])
      default: throw Violation(code: 1002, reason: "A message begins within another one.")
      }
      guard length <= UInt64(max(0, limit - (message?.bytes.count ?? 0))) else {
        throw Violation(code: 1009, reason: "A message has more than \(limit) bytes.")
      }
    }

    private func closing() throws(Violation) -> Event {
      guard !control.isEmpty else { return .close(code: nil, reason: "") }
      let code = control.count == 1 ? 0 : Int(control[0]) << 8 | Int(control[1])
      switch code {
      // Others are reserved, or must not be sent (sections 7.4.1 and 7.4.2).
      case 1000...1003, 1007...1014, 3000...4999:
        return .close(code: code, reason: try text(control[2...]))
      default: throw Violation(code: 1002, reason: "A close frame has an invalid code.")
      }
    }

    private func text(_ bytes: ArraySlice<UInt8>) throws(Violation) -> String {
      // Decoding repairs what is invalid, and nothing else.
      let text = String(decoding: bytes, as: UTF8.self)
      guard text.utf8.elementsEqual(bytes) else {
        throw Violation(code: 1007, reason: "A text is not valid UTF-8.")
      }
      return text
    }
  }

  // MARK: - Frames of the client

  extension WebSocketFrames {
    /// The bytes of a message. The mask must be unpredictable (section 10.3).
    package static func text(
      _ text: String, mask: UInt32 = .random(in: 0...UInt32.max)
    ) -> [UInt8] {
      frame(.text, Array(text.utf8), mask: mask)
    }

    static func pong(_ payload: [UInt8]) -> [UInt8] {
      frame(.pong, payload)
    }

    /// The bytes of a close frame; without a code if it is nil. A long reason is cut between two
    /// characters.
    package static func close(code: Int?, reason: String = "") -> [UInt8] {
      guard let code else { return frame(.close, []) }
      var reason = reason
      while reason.utf8.count > 123 { reason.removeLast() }
      return frame(
        .close,
        [UInt8(truncatingIfNeeded: code >> 8), UInt8(truncatingIfNeeded: code)]
          + reason.utf8)
    }

    private static func frame(
      _ opcode: Opcode, _ payload: [UInt8], mask: UInt32 = .random(in: 0...UInt32.max)
    ) -> [UInt8] {
      var frame: [UInt8] = []
      frame.reserveCapacity(payload.count + 14)
      frame.append(0x80 | opcode.rawValue)
      switch payload.count {
      case ...125: frame.append(0x80 | UInt8(payload.count))
      case ...0xFFFF: frame += [0x80 | 126] + bigEndian(UInt16(payload.count))
      default: frame += [0x80 | 127] + bigEndian(UInt64(payload.count))
      }
      let key = bigEndian(mask)
      frame += key
      for (index, byte) in payload.enumerated() { frame.append(byte ^ key[index & 3]) }
      return frame
    }
  }
#endif
