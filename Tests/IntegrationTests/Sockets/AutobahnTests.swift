#if os(Linux) || os(macOS)
  import Testing
  import Weir
  import WeirCurl

  @Suite("WebSocket frames, by the numbers of Autobahn's cases")
  struct AutobahnTests {
    /// A client after its handshake. Passes the server's bytes in pieces of some size.
    static func outcome(
      of bytes: [UInt8], inPiecesOf size: Int, limit: Int = 1 << 20
    ) throws -> Outcome {
      var session = try openSession(limit: limit)
      var outcome = Outcome()
      for start in stride(from: 0, to: bytes.count, by: size) {
        for event in session.receive(bytes[start..<min(start + size, bytes.count)]) {
          switch event {
          case .opened: Issue.record("It was open.")
          case .message(let text): outcome.messages.append(text)
          case .ended(let error): outcome.closure = try #require(error as? SocketClosure)
          }
        }
        while let frame = session.takeControl() { outcome.sent.append(try ClientFrame(frame)) }
        if let frame = session.takeClose() { outcome.sent.append(try ClientFrame(frame)) }
      }
      return outcome
    }

    static func openSession(limit: Int) throws -> WebSocketSession {
      let handshake = WebSocketHandshake(
        host: "localhost", target: "/", headers: [:], subprotocol: "x",
        key: Array("the sample nonce".utf8))
      var session = WebSocketSession(handshake, limit: limit)
      let head = """
        HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
        Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n
        """
      #expect(session.takeControl() == handshake.request)
      let events = session.receive(Array(head.utf8)[...])
      guard events.count == 1, case .opened = events[0] else { throw NotOpen() }
      return session
    }

    struct NotOpen: Error {}

    /// The client's reaction to the server's bytes.
    struct Outcome: Equatable {
      var messages: [String] = []
      var sent: [ClientFrame] = []
      var closure: SocketClosure?
    }

    private func check(_ cases: [AutobahnCase]) throws {
      for one in cases {
        for size in Set([1, 7, 997, max(1, one.bytes.count)]) {
          if size == 1, one.bytes.count > 100_000 { continue }
          let outcome = try Self.outcome(of: one.bytes, inPiecesOf: size)
          #expect(outcome.messages == one.messages, "case \(one.number), pieces of \(size)")
          #expect(outcome.sent == one.sent, "case \(one.number), pieces of \(size)")
          #expect(outcome.closure?.code == one.code, "case \(one.number), pieces of \(size)")
        }
      }
    }

    @Test("Messages of all lengths arrive (1, 9)")
    func messages() throws { try check(AutobahnCase.lengths) }

    @Test("Pings are answered in order, and pongs are ignored (2)")
    func pings() throws { try check(AutobahnCase.pings) }

    @Test("Reserved bits and opcodes end the connection with 1002 (3, 4)")
    func reserved() throws { try check(AutobahnCase.reserved) }

    @Test("Fragments form messages, with control frames between them (5)")
    func fragments() throws { try check(AutobahnCase.fragments) }

    @Test("Text that is not valid UTF-8 ends the connection with 1007 (6)")
    func text() throws { try check(AutobahnCase.text) }

    @Test("Close frames are answered, and invalid ones end the connection with 1002 (7)")
    func closing() throws { try check(AutobahnCase.closing) }

    @Test("A message over the limit ends the connection with 1009 before it has arrived (9)")
    func limit() throws {
      let text = [UInt8](repeating: UInt8(ascii: "x"), count: 1000)
      let fragments = frame(.text, Array(text[..<500]), isFinal: false)
      for (bytes, fits) in [
        (frame(.text, text), true), (frame(.text, text + [0]), false),
        (fragments + frame(.continuation, Array(text[500...])), true),
        (fragments + frame(.continuation, Array(text[499...])), false),
        (Array(frame(.text, text + [0]).prefix(4)), false),
        ([0x81, 0x7F, 0x7F] + [UInt8](repeating: 0xFF, count: 7), false),
      ] {
        let outcome = try Self.outcome(of: bytes, inPiecesOf: bytes.count, limit: 1000)
        #expect(outcome.closure?.code == (fits ? nil : 1009))
        #expect(outcome.messages.isEmpty != fits)
      }
    }

    @Test("A client that closes sends nothing more, and its session ends with the connection")
    func closingFirst() throws {
      var session = try Self.openSession(limit: 10)
      session.close(code: 4000, reason: String(repeating: "é", count: 100))
      let close = try session.takeClose().map { try ClientFrame($0) }
      // 123 bytes are not a whole number of these characters.
      #expect(close == .close(4000, String(repeating: "é", count: 61)))
      #expect(session.receive((frame(.text, [65]) + frame(.ping, []))[...]).isEmpty)
      #expect(session.receive(frame(.close, [3, 232])[...]).isEmpty)
      #expect(!session.isOver)
      _ = session.receiveEnd()
      #expect(session.isOver)
    }

    @Test("Only the last hundred of many pings are answered by a client that cannot send")
    func manyPings() throws {
      var session = try Self.openSession(limit: 10)
      for number in 0..<250 as Range<UInt8> {
        _ = session.receive(frame(.ping, [number])[...])
      }
      var pongs: [ClientFrame] = []
      while let pong = session.takeControl() { pongs.append(try ClientFrame(pong)) }
      #expect(pongs == (150..<250).map { .pong([$0]) })
    }

    @Test("Frames of a client are masked (RFC 6455, section 5.7)")
    func masking() throws {
      #expect(
        WebSocketFrames.text("Hello", mask: 0x37FA_213D)
          == [0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58])
      for count in [0, 1, 125, 126, 127, 65_535, 65_536, 100_001] {
        let text = String(repeating: "x", count: count)
        #expect(try ClientFrame(WebSocketFrames.text(text)) == .text(text))
      }
    }
  }
#endif
