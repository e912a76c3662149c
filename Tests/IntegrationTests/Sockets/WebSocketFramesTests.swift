import Foundation
import Testing
import Weir

@Suite("The WebSocket client of these tests", .timeLimit(.minutes(10)))
struct WebSocketFramesTests {
  @Test("The handshake proof matches the standard's example, and SHA-1 pads correctly")
  func proof() {
    #expect(acceptance(of: "dGhlIHNhbXBsZSBub25jZQ==") == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
    for (message, hash) in [
      ("", "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
      ("abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "84983e441c3bd26ebaae4aa1f95129e5e54670f1"
      ),
      (String(repeating: "a", count: 1000), "291e9a6c66994949b57ba5e650361e98fc36b1ba"),
    ] {
      #expect(sha1(Array(message.utf8)).map { String(format: "%02x", $0) }.joined() == hash)
    }
  }

  /// A frame as a server sends it.
  private static func frame(_ first: UInt8, _ payload: [UInt8]) -> [UInt8] {
    let length: [UInt8] =
      switch payload.count {
      case ...125: [UInt8(payload.count)]
      case ...0xFFFF: [126] + bigEndian(UInt16(payload.count))
      default: [127] + bigEndian(UInt64(payload.count))
      }
    return [first] + length + payload
  }

  @Test("Frames of all lengths are parsed wherever their bytes are split")
  func messages() throws {
    let long = [UInt8](repeating: UInt8(ascii: "x"), count: 70_000)
    let bytes =
      Self.frame(0x01, Array("Hé".utf8).dropLast()) + Self.frame(0x89, [1, 2])
      + Self.frame(0x00, [0xA9]) + Self.frame(0x8A, []) + Self.frame(0x80, Array("!".utf8))
      + Self.frame(0x81, []) + Self.frame(0x82, [0xFF]) + Self.frame(0x81, Array(long[..<300]))
      + Self.frame(0x81, long) + Self.frame(0x88, [0x11, 0x30] + Array("Bye".utf8))
    let expected: [WebSocketFrames.Event] = [
      .ping([1, 2]), .pong([]), .text("Hé!"), .text(""), .binary([0xFF]),
      .text(String(repeating: "x", count: 300)), .text(String(repeating: "x", count: 70_000)),
      .close(code: 4400, reason: "Bye"),
    ]
    for size in [1, 7, 1000, bytes.count] {
      var frames = WebSocketFrames()
      var events: [WebSocketFrames.Event] = []
      for start in stride(from: 0, to: bytes.count, by: size) {
        let end = min(start + size, bytes.count)
        frames.append(Array(bytes[start..<end]))
        while let event = try frames.next() { events.append(event) }
      }
      #expect(events == expected, "in pieces of \(size)")
    }
  }

  @Test(
    "A frame that a server must not send is a violation",
    arguments: [
      ([0xC1, 0x00], 1002), ([0x83, 0x00], 1002), ([0x81, 0x80], 1002), ([0x89, 0x7E], 1002),
      ([0x09, 0x00], 1002), ([0x80, 0x00], 1002), ([0x01, 0x00, 0x81, 0x00], 1002),
      ([0x88, 0x01, 0x03], 1002), ([0x81, 0x01, 0xFF], 1007),
      ([0x81, 0x7F, 0, 0, 0, 1, 0, 0, 0, 0], 1009),
    ] as [([UInt8], Int)])
  func violations(bytes: [UInt8], code: Int) {
    var frames = WebSocketFrames()
    frames.append(bytes)
    #expect {
      while try frames.next() != nil {}
    } throws: { ($0 as? WebSocketFrames.Violation)?.code == code }
  }

  @Test("Client frames are masked, and long messages are fragmented")
  func masking() {
    let mask: [UInt8] = [0x37, 0xFA, 0x21, 0x3D]
    #expect(
      WebSocketFrames.frame(.text, Array("Hello".utf8), mask: mask)
        == [0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58])
    let message = WebSocketFrames.message("abcde", fragmentedAt: 2)
    #expect([message[0], message[8], message[16]] == [0x01, 0x00, 0x80])
    #expect(WebSocketFrames.message("", fragmentedAt: 2).count == 6)
  }

  @Test("A real server answers both kinds of ping; without WebSockets the handshake fails")
  func server() async throws {
    let space = try await Space()
    let socket = try await LoopbackWebSocket.connect(to: space.view("socket"))
    try socket.send(.ping, [7])
    for await pong in socket.pongs {
      #expect(pong == [7])
      break
    }
    try await socket.send(#"{"type":"ping","payload":{"a":1}}"#)
    #expect(try await socket.receive() == #"{"type":"pong"}"#)
    await socket.close(code: 4321, reason: "Enough")
    await #expect(throws: SocketClosure.self) { try await socket.receive() }
    #expect(try await space.stats(when: "socketsClosed", reaches: 1).closingCodes == [4321])
    let nowhere = try #require(URL(string: "http://127.0.0.1:\(space.graphQL.port ?? 0)/x/nowhere"))
    await #expect(throws: LoopbackWebSocket.HandshakeFailure.self) {
      try await LoopbackWebSocket.connect(to: nowhere)
    }
  }
}
