#if os(Linux) || os(macOS)
  enum Opcode: UInt8 {
    case continuation = 0
    case text, binary
    case close = 8
    case ping, pong
  }

  /// A frame as a server sends it.
  func frame(
    _ opcode: Opcode, _ payload: [UInt8], isFinal: Bool = true, reserved: UInt8 = 0
  ) -> [UInt8] {
    frame((isFinal ? 0x80 : 0) | reserved << 4 | opcode.rawValue, payload)
  }

  func frame(_ first: UInt8, _ payload: [UInt8]) -> [UInt8] {
    func bigEndian(_ count: Int) -> [UInt8] {
      (0..<count).reversed().map { UInt8(truncatingIfNeeded: payload.count >> ($0 * 8)) }
    }
    let length: [UInt8] =
      switch payload.count {
      case ...125: bigEndian(1)
      case ...0xFFFF: [126] + bigEndian(2)
      default: [127] + bigEndian(8)
      }
    return [first] + length + payload
  }

  /// A frame of a client, without its mask.
  enum ClientFrame: Equatable {
    struct Malformed: Error {}

    case text(String)
    case pong([UInt8])
    /// The code is nil if there is none.
    case close(Int?, String)

    init(_ bytes: [UInt8]) throws {
      guard bytes.count >= 6, bytes[1] & 0x80 != 0 else { throw Malformed() }
      let short = Int(bytes[1] & 0x7F)
      let extended = short == 126 ? 2 : short == 127 ? 8 : 0
      let length = bytes[2..<(2 + extended)].reduce(extended == 0 ? short : 0) { $0 << 8 | Int($1) }
      let mask = Array(bytes[(2 + extended)...].prefix(4))
      let masked = bytes[(6 + extended)...]
      guard masked.count == length else { throw Malformed() }
      let payload = masked.enumerated().map { $1 ^ mask[$0 % 4] }
      switch bytes[0] {
      case 0x81: self = .text(String(decoding: payload, as: UTF8.self))
      case 0x8A: self = .pong(payload)
      case 0x88 where payload.isEmpty: self = .close(nil, "")
      case 0x88:
        self = .close(
          Int(payload[0]) << 8 | Int(payload[1]), String(decoding: payload[2...], as: UTF8.self))
      default: throw Malformed()
      }
    }
  }
#endif
