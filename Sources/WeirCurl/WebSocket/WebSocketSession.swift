#if os(Linux) || os(macOS)
  import Weir

  /// One WebSocket from the handshake to the end, without any input or output of its own: bytes that
  /// arrive lead to events, and to bytes to send.
  package struct WebSocketSession: Sendable {
    package enum Event: Sendable {
      case opened
      case message(String)
      /// No further message arrives.
      case ended(any Error)
    }

    private enum Phase {
      case opening(WebSocketHandshake)
      case open
      /// This side has closed, and waits for the server's close frame.
      case closing
      /// The server has closed, or has violated the protocol. Further bytes are ignored.
      case closed
      /// There is nothing to wait for.
      case over
    }

    /// The maximum number of pongs to send later. A server that does not read gets the last ones,
    /// which RFC 6455, section 5.5.3, permits.
    private static let pongLimit = 100

    private var phase: Phase
    private var frames: WebSocketFrames
    private var request: [UInt8]?
    private var pongs = FIFOQueue<[UInt8]>()
    private var closeFrame: [UInt8]?

    package init(_ handshake: WebSocketHandshake, limit: Int) {
      phase = .opening(handshake)
      request = handshake.request
      frames = WebSocketFrames(limit: limit)
    }

    /// Whether messages may be sent.
    var isOpen: Bool { if case .open = phase { true } else { false } }

    /// Whether this side or the server has closed, so that little is left to do.
    var isClosing: Bool {
      switch phase {
      case .opening, .open: false
      case .closing, .closed, .over: true
      }
    }

    /// Whether the connection can be closed without a loss once all bytes are sent.
    package var isOver: Bool { if case .over = phase { true } else { false } }

    // MARK: Bytes to send

    /// The next bytes to send before any message.
    package mutating func takeControl() -> [UInt8]? {
      if let request {
        self.request = nil
        return request
      }
      return pongs.popFirst()
    }

    /// The close frame, after which nothing is sent.
    package mutating func takeClose() -> [UInt8]? {
      defer { closeFrame = nil }
      return closeFrame
    }

    /// Closes from this side.
    package mutating func close(code: Int, reason: String) {
      switch phase {
      case .opening: phase = .over
      case .open: begin(.closing, WebSocketFrames.close(code: code, reason: reason))
      case .closing, .closed, .over: break
      }
    }

    private mutating func begin(_ phase: Phase, _ closeFrame: [UInt8]) {
      self.phase = phase
      self.closeFrame = closeFrame
      pongs = FIFOQueue()
    }

    // MARK: Received bytes

    package mutating func receive(_ bytes: ArraySlice<UInt8>) -> [Event] {
      var input = bytes
      var events: [Event] = []
      do {
        if case .opening(var handshake) = phase {
          let isOpen = try handshake.receive(&input)
          phase = isOpen ? .open : .opening(handshake)
          guard isOpen else { return [] }
          events.append(.opened)
        }
        while isReading, let event = try frames.next(&input) {
          if let event = receive(event) { events.append(event) }
        }
      } catch let violation as WebSocketFrames.Violation {
        if let event = fail(violation) { events.append(event) }
      } catch {
        phase = .over
        events.append(.ended(error))
      }
      return events
    }

    private var isReading: Bool {
      switch phase {
      case .open, .closing: true
      case .opening, .closed, .over: false
      }
    }

    private mutating func receive(_ event: WebSocketFrames.Event) -> Event? {
      switch event {
      case .close(let code, let reason):
        guard isOpen else {
          phase = .closed
          return nil
        }
        begin(.closed, WebSocketFrames.close(code: code))
        return .ended(SocketClosure(code: code ?? 1005, reason: reason))
      case _ where !isOpen, .pong: return nil
      case .text(let text): return .message(text)
      // As `URLSession`'s WebSocket does it.
      case .binary(let bytes): return .message(String(decoding: bytes, as: UTF8.self))
      case .ping(let payload):
        if pongs.count == Self.pongLimit { _ = pongs.popFirst() }
        pongs.append(WebSocketFrames.pong(payload))
        return nil
      }
    }

    private mutating func fail(_ violation: WebSocketFrames.Violation) -> Event? {
      guard isOpen else {
        phase = .closed
        return nil
      }
      begin(.closed, WebSocketFrames.close(code: violation.code, reason: violation.reason))
      return .ended(SocketClosure(code: violation.code, reason: violation.reason))
    }

    /// Notes the end of the connection.
    package mutating func receiveEnd() -> Event? {
      defer { phase = .over }
      switch phase {
      case .opening: return .ended(Self.lost("before the handshake was complete"))
      case .open: return .ended(Self.lost("without a close frame"))
      case .closing, .closed, .over: return nil
      }
    }

    private static func lost(_ moment: String) -> HTTPTransportError {
      .lost("The connection ended \(moment).")
    }
  }
#endif
