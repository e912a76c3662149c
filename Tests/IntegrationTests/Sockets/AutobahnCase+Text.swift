#if os(Linux) || os(macOS)
  extension AutobahnCase {
    // MARK: 6: UTF-8

    static let text: [AutobahnCase] =
      [
        AutobahnCase("6.1.1", frame(.text, []), [""]),
        AutobahnCase("6.1.2", parts([[], [], []]), [""]),
        AutobahnCase("6.1.3", parts([[], [65], []]), ["A"]),
        AutobahnCase(
          "6.2.2", parts([Array("Hello-µ@ß".utf8), Array("öäüàá".utf8)]),
          [
            "Hello-µ@ßöäüàá"
          ]),
        AutobahnCase(
          "6.2.3", parts("Hello-µ@ßöäüàá-UTF-8!!".utf8.map { [$0] }),
          [
            "Hello-µ@ßöäüàá-UTF-8!!"
          ]),
        AutobahnCase("6.3.2", parts(invalid[0].bytes.map { [$0] }), failing: 1007, badText),
        AutobahnCase(
          "6.4.1", parts([[0xCE, 0xBA], [0xF4, 0x90], [0x80]]), failing: 1007, badText),
      ]
      + valid.map { number, bytes in
        AutobahnCase(number, frame(.text, bytes), [String(decoding: bytes, as: UTF8.self)])
      }
      + invalid.map { AutobahnCase($0.number, frame(.text, $0.bytes), failing: 1007, badText) }

    private static func parts(_ parts: [[UInt8]]) -> [UInt8] {
      parts.enumerated().flatMap { index, part in
        frame(index == 0 ? .text : .continuation, part, isFinal: index == parts.count - 1)
      }
    }

    private static let valid: [(number: String, bytes: [UInt8])] = [
      ("6.5.1", Array("κόσμε".utf8)), ("6.6.2", [0xCE, 0xBA]),
      ("6.6.5", [0xCE, 0xBA, 0xE1, 0xBD, 0xB9]), ("6.7.1", [0]), ("6.7.2", [0xC2, 0x80]),
      ("6.7.3", [0xE0, 0xA0, 0x80]), ("6.7.4", [0xF0, 0x90, 0x80, 0x80]), ("6.9.1", [0x7F]),
      ("6.9.2", [0xDF, 0xBF]), ("6.9.3", [0xEF, 0xBF, 0xBF]), ("6.9.4", [0xF4, 0x8F, 0xBF, 0xBF]),
      ("6.11.1", [0xED, 0x9F, 0xBF]), ("6.11.2", [0xEE, 0x80, 0x80]),
      ("6.11.3", [0xEF, 0xBF, 0xBD]),
      ("6.22.1", [0xEF, 0xBF, 0xBE]), ("6.22.3", [0xF0, 0x9F, 0xBF, 0xBE]),
      ("6.23.1", [0xEF, 0xB7, 0x90]),
    ]

    private static let invalid: [(number: String, bytes: [UInt8])] = [
      ("6.3.1", Array("κόσμε".utf8) + [0xED, 0xA0, 0x80] + Array("edited".utf8)),
      ("6.6.1", [0xCE]), ("6.6.3", [0xCE, 0xBA, 0xE1]), ("6.6.4", [0xCE, 0xBA, 0xE1, 0xBD]),
      ("6.8.1", [0xF8, 0x88, 0x80, 0x80, 0x80]), ("6.8.2", [0xFC, 0x84, 0x80, 0x80, 0x80, 0x80]),
      ("6.10.1", [0xF7, 0xBF, 0xBF, 0xBF]), ("6.10.2", [0xFB, 0xBF, 0xBF, 0xBF, 0xBF]),
      ("6.10.3", [0xFD, 0xBF, 0xBF, 0xBF, 0xBF, 0xBF]), ("6.11.5", [0xF4, 0x90, 0x80, 0x80]),
      ("6.12.1", [0x80]), ("6.12.2", [0xBF]), ("6.12.3", [0x80, 0xBF]),
      ("6.12.8", Array(0x80...0xBF)), ("6.13.1", (0xC0...0xDF).flatMap { [$0, 0x20] }),
      ("6.13.2", (0xE0...0xEF).flatMap { [$0, 0x20] }),
      ("6.13.3", (0xF0...0xF7).flatMap { [$0, 0x20] }), ("6.14.1", [0xC0]),
      ("6.14.2", [0xE0, 0x80]),
      ("6.14.3", [0xF0, 0x80, 0x80]), ("6.14.6", [0xDF]), ("6.14.7", [0xEF, 0xBF]),
      ("6.15.1", [0xC0, 0xE0, 0x80, 0xF0, 0x80, 0x80]), ("6.16.1", [0xFE]), ("6.16.2", [0xFF]),
      ("6.16.3", [0xFE, 0xFE, 0xFF, 0xFF]), ("6.17.1", [0xC0, 0xAF]),
      ("6.17.2", [0xE0, 0x80, 0xAF]),
      ("6.17.3", [0xF0, 0x80, 0x80, 0xAF]), ("6.18.1", [0xC1, 0xBF]),
      ("6.18.2", [0xE0, 0x9F, 0xBF]),
      ("6.18.3", [0xF0, 0x8F, 0xBF, 0xBF]), ("6.19.1", [0xC0, 0x80]),
      ("6.19.2", [0xE0, 0x80, 0x80]),
      ("6.20.1", [0xED, 0xA0, 0x80]), ("6.20.7", [0xED, 0xBF, 0xBF]),
      ("6.21.1", [0xED, 0xA0, 0x80, 0xED, 0xB0, 0x80]),
      ("6.21.8", [0xED, 0xAF, 0xBF, 0xED, 0xBF, 0xBF]),
    ]
  }
#endif
