/// Parses and builds the frames of RFC 6455 (section 5), without any input or output of its own.
struct WebSocketFrames {
  enum Event: Equatable {
    case text(String)
    case binary([UInt8])
    case ping([UInt8])
    case pong([UInt8])
    /// The code is nil if the peer sent none (1005).
    case close(code: Int?, reason: String)
  }

  /// The peer violated the protocol; close the connection with `code`.
  struct Violation: Error, Equatable {
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

  private var buffer: [UInt8] = []
  /// The message whose fragments are arriving.
  private var message: (opcode: Opcode, bytes: [UInt8])?

  mutating func append(_ bytes: [UInt8]) {
    buffer += bytes
  }

  /// Returns the next message or control frame; nil if more bytes are needed.
  mutating func next() throws(Violation) -> Event? {
    while let (isFinal, opcode, payload) = try nextFrame() {
      switch opcode {
      case .close: return try closing(payload)
      case .ping: return .ping(payload)
      case .pong: return .pong(payload)
      case .continuation:
        guard var open = message else {
          throw Violation(code: 1002, reason: "A continuation of nothing.")
        }
        open.bytes += payload
        message = open
      case .text, .binary:
        guard message == nil else {
          throw Violation(code: 1002, reason: "A message within a message.")
        }
        message = (opcode, payload)
      }
      guard isFinal, let whole = message else { continue }
      message = nil
      return try whole.opcode == .text ? .text(text(whole.bytes)) : .binary(whole.bytes)
    }
    return nil
  }

  private mutating func nextFrame() throws(Violation) -> (Bool, Opcode, [UInt8])? {
    guard buffer.count >= 2 else { return nil }
    guard buffer[0] & 0x70 == 0, let opcode = Opcode(rawValue: buffer[0] & 0x0F) else {
      throw Violation(code: 1002, reason: "Reserved bits or a reserved opcode.")
    }
    guard buffer[1] & 0x80 == 0 else {
      throw Violation(code: 1002, reason: "A server does not mask.")
    }
    let isFinal = buffer[0] & 0x80 != 0
    let short = Int(buffer[1] & 0x7F)
    guard !opcode.isControl || isFinal && short <= 125 else {
      throw Violation(code: 1002, reason: "A control frame that is long or in fragments.")
    }
    let extended = short == 126 ? 2 : short == 127 ? 8 : 0
    guard buffer.count >= 2 + extended else { return nil }
    let length = extended == 0 ? short : buffer[2..<(2 + extended)].reduce(0) { $0 << 8 | Int($1) }
    guard length <= 1 << 28 else { throw Violation(code: 1009, reason: "Too long.") }
    let end = 2 + extended + length
    guard buffer.count >= end else { return nil }
    let payload = Array(buffer[(2 + extended)..<end])
    buffer.removeFirst(end)
    return (isFinal, opcode, payload)
  }

  private func closing(_ payload: [UInt8]) throws(Violation) -> Event {
    guard payload.count != 1 else { throw Violation(code: 1002, reason: "Half a code.") }
    guard payload.count >= 2 else { return .close(code: nil, reason: "") }
    return .close(code: Int(payload[0]) << 8 | Int(payload[1]), reason: try text(payload[2...]))
  }

  private func text(_ bytes: some Collection<UInt8>) throws(Violation) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Violation(code: 1007, reason: "Not UTF-8.")
    }
    return text
  }

  /// A frame as a client sends it, with a mask.
  static func frame(
    _ opcode: Opcode, _ payload: [UInt8], isFinal: Bool = true,
    mask: [UInt8] = (0..<4).map { _ in .random(in: 0...255) }
  ) -> [UInt8] {
    var frame = [opcode.rawValue | (isFinal ? 0x80 : 0)]
    switch payload.count {
    case ...125: frame.append(0x80 | UInt8(payload.count))
    case ...0xFFFF: frame += [0x80 | 126] + bigEndian(UInt16(payload.count))
    default: frame += [0x80 | 127] + bigEndian(UInt64(payload.count))
    }
    return frame + mask + payload.enumerated().map { $1 ^ mask[$0 % 4] }
  }

  /// Splits a message into frames of at most `size` bytes.
  static func message(_ text: String, fragmentedAt size: Int) -> [UInt8] {
    let bytes = Array(text.utf8)
    var frames: [UInt8] = []
    var start = 0
    repeat {
      let end = min(start + size, bytes.count)
      frames += frame(
        start == 0 ? .text : .continuation, Array(bytes[start..<end]), isFinal: end == bytes.count)
      start = end
    } while start < bytes.count
    return frames
  }
}
