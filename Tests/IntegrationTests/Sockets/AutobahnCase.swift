#if os(Linux) || os(macOS)
  /// The bytes that a server sends in one of Autobahn's cases, and the client's reaction.
  struct AutobahnCase {
    var number: String
    var bytes: [UInt8]
    var messages: [String] = []
    /// The code with which the connection ends; nil if it goes on.
    var code: Int?
    var sent: [ClientFrame] = []

    init(_ number: String, _ bytes: [UInt8], _ messages: [String] = [], pongs: [[UInt8]] = []) {
      (self.number, self.bytes, self.messages) = (number, bytes, messages)
      sent = pongs.map { .pong($0) }
    }

    /// A case in which the client closes the connection.
    init(
      _ number: String, _ bytes: [UInt8], failing code: Int, _ reason: String,
      after messages: [String] = [], pongs: [[UInt8]] = []
    ) {
      self.init(number, bytes, messages, pongs: pongs)
      self.code = code
      sent.append(.close(code, reason))
    }

    /// A case in which the server closes it.
    init(
      _ number: String, _ bytes: [UInt8], closed code: Int?, after messages: [String] = [],
      pongs: [[UInt8]] = []
    ) {
      self.init(number, bytes, messages, pongs: pongs)
      self.code = code ?? 1005
      sent.append(.close(code, ""))
    }

    // MARK: 1, 9: Lengths

    static let lengths: [AutobahnCase] =
      zip(
        ["1.1.1", "1.1.2", "1.1.3", "1.1.4", "1.1.5", "1.1.6", "1.1.7", "9.1.2"],
        [0, 125, 126, 127, 128, 65_535, 65_536, 262_144]
      ).flatMap { number, count in
        let payload = [UInt8](repeating: UInt8(ascii: "*"), count: count)
        let text = [String(repeating: "*", count: count)]
        return [
          AutobahnCase(number, frame(.text, payload), text),
          AutobahnCase(number + " (binary)", frame(.binary, payload), text),
        ]
      }
      + [64, 1024, 16_384].map { size in
        let part = [UInt8](repeating: UInt8(ascii: "*"), count: size)
        let count = 65_536 / size
        let middle = (2..<count).flatMap { _ in frame(.continuation, part, isFinal: false) }
        return AutobahnCase(
          "9.3 (\(size))",
          frame(.text, part, isFinal: false) + middle + frame(.continuation, part),
          [String(repeating: "*", count: 65_536)])
      }
      + [
        // Not Autobahn's: a length in a longer form than necessary.
        [0x81, 126, 0, 125], [0x81, 127, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF],
        [0x81, 127, 0x80, 0, 0, 0, 0, 0, 0, 0],
      ].map {
        AutobahnCase(
          "length", $0, failing: 1002, "The length of a frame is not in its shortest form.")
      }

    // MARK: 2: Pings

    static let pings: [AutobahnCase] = [
      AutobahnCase("2.1", frame(.ping, []), pongs: [[]]),
      AutobahnCase("2.2", frame(.ping, Array("Hello".utf8)), pongs: [Array("Hello".utf8)]),
      AutobahnCase("2.3", frame(.ping, [0, 0xFF, 0xFE]), pongs: [[0, 0xFF, 0xFE]]),
      AutobahnCase("2.4", frame(.ping, long(125)), pongs: [long(125)]),
      AutobahnCase("2.5", frame(.ping, long(126)), failing: 1002, badControl),
      AutobahnCase("2.7", frame(.pong, [])),
      AutobahnCase("2.8", frame(.pong, [1, 2])),
      AutobahnCase("2.9", frame(.pong, [1]) + frame(.ping, [2]), pongs: [[2]]),
      AutobahnCase(
        "2.10", (0..<10).flatMap { frame(.ping, [$0]) }, pongs: (0..<10).map { [$0] }),
    ]

    // MARK: 3, 4: Reserved bits and opcodes

    static let reserved: [AutobahnCase] =
      (1...7).flatMap { bits in
        [Opcode.text, .binary, .ping, .close].map { opcode in
          AutobahnCase(
            "3.\(bits)", frame(.text, [65]) + frame(opcode, [], reserved: bits) + frame(.ping, []),
            failing: 1002, badBits, after: ["A"])
        }
      }
      + [3, 4, 5, 6, 7, 11, 12, 13, 14, 15].flatMap { opcode in
        [[], [65]].map { payload in
          AutobahnCase(
            "4 (\(opcode))", frame(.text, [65]) + frame(0x80 | opcode, payload) + frame(.ping, []),
            failing: 1002, badBits, after: ["A"])
        }
      } + [
        AutobahnCase(
          "masked", [0x81, 0x81, 0, 0, 0, 0, 65], failing: 1002, "A frame of the server is masked.")
      ]

    // MARK: 5: Fragments

    static let fragments: [AutobahnCase] = {
      let (a, b, c) = (
        frame(.text, [65], isFinal: false), frame(.continuation, [66]),
        frame(.continuation, [67], isFinal: false)
      )
      let nothing = "A frame continues no message."
      return [
        AutobahnCase("5.1", frame(.ping, [1], isFinal: false) + b, failing: 1002, badControl),
        AutobahnCase("5.2", frame(.pong, [1], isFinal: false) + b, failing: 1002, badControl),
        AutobahnCase("5.3", a + b, ["AB"]),
        AutobahnCase("5.6", a + frame(.ping, [9]) + b, ["AB"], pongs: [[9]]),
        AutobahnCase("5.9", b + frame(.text, [65]), failing: 1002, nothing),
        AutobahnCase("5.12", c + frame(.text, [65]), failing: 1002, nothing),
        AutobahnCase("5.15", a + b + c + frame(.text, [65]), failing: 1002, nothing, after: ["AB"]),
        AutobahnCase("5.18", a + a, failing: 1002, "A message begins within another one."),
        AutobahnCase(
          "5.18 (whole)", a + frame(.text, [65]), failing: 1002,
          "A message begins within another one."),
        AutobahnCase(
          "5.19", a + c + frame(.ping, [1]) + c + c + frame(.ping, [2]) + b, ["ACCCB"],
          pongs: [[1], [2]]),
      ]
    }()

    // MARK: 7: Closing

    static let closing: [AutobahnCase] = {
      let (normal, text) = (frame(.close, [3, 232]), frame(.text, [65]))
      let reason = long(123)
      func code(_ code: Int) -> [UInt8] {
        frame(.close, [UInt8(code >> 8), UInt8(code & 0xFF)] + Array("Bye".utf8))
      }
      return [
        AutobahnCase("7.1.1", text + normal, closed: 1000, after: ["A"]),
        AutobahnCase("7.1.2", normal + normal, closed: 1000),
        AutobahnCase("7.1.3", normal + frame(.ping, [1]), closed: 1000),
        AutobahnCase("7.1.4", normal + text, closed: 1000),
        AutobahnCase(
          "7.1.5", frame(.text, [65], isFinal: false) + normal + frame(.continuation, [66]),
          closed: 1000),
        AutobahnCase(
          "7.1.6", frame(.text, long(262_144)) + normal + frame(.ping, []), closed: 1000,
          after: [String(repeating: "*", count: 262_144)]),
        AutobahnCase("7.3.1", frame(.close, []), closed: nil),
        AutobahnCase("7.3.2", frame(.close, [3]), failing: 1002, badCode),
        AutobahnCase("7.3.5", frame(.close, [3, 232] + reason), closed: 1000),
        AutobahnCase("7.3.6", frame(.close, [3, 232] + reason + [65]), failing: 1002, badControl),
        AutobahnCase("7.5.1", frame(.close, [3, 232, 0xCE, 0xBA, 0xE1]), failing: 1007, badText),
      ]
        + [
          1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014, 3000, 3999,
          4000, 4999,
        ].map { AutobahnCase("7.7 (\($0))", code($0), closed: $0) }
        + [0, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65_535].map {
          AutobahnCase("7.9 (\($0))", code($0), failing: 1002, badCode)
        }
    }()

    static func long(_ count: Int) -> [UInt8] {
      [UInt8](repeating: UInt8(ascii: "*"), count: count)
    }

    static let badControl = "A control frame is too long or in fragments."
    static let badBits = "A frame has reserved bits or a reserved opcode."
    static let badCode = "A close frame has an invalid code."
    static let badText = "A text is not valid UTF-8."
  }
#endif
