#if os(Linux) || os(macOS)
  import CCurl
  import Weir

  /// The connection of one WebSocket. Only the thread of its transport uses it.
  final class SocketConnection {
    /// How long the server has to close its side.
    private static let closingTime = Duration.seconds(3)
    /// The number of reads after which other connections have their turn.
    private static let readsPerTurn = 8

    let mailbox: SocketMailbox
    let handle: EasyHandle
    private var session: WebSocketSession
    /// The bytes that are being sent. They stay where they are until all are sent, because OpenSSL
    /// requires the same address when it is to try again.
    private var output: [UInt8] = []
    private var sentBytes = 0
    private var isMessage = false
    private var isConnected = false
    private var wantsToSend = false
    private var wantsToReceive = true
    private var hasSent = false
    /// When to stop waiting for the server: to take what is sent, and to close its side.
    private(set) var deadline: ContinuousClock.Instant?
    /// Whether there is something to do now.
    var isDue = false
    /// The connection's descriptor, once libcurl has connected.
    private(set) var descriptor: Int32?
    /// The events that are waited for.
    var watchedEvents: DescriptorEvents = []

    /// Prepares a connection that libcurl opens, and on which it sends nothing by itself.
    init(_ mailbox: SocketMailbox, _ options: CurlTransport.Options) throws(HTTPTransportError) {
      self.mailbox = mailbox
      session = mailbox.session
      // libcurl may close a connection of the transport's cache that no request uses, which this one
      // seems to be until something is sent.
      handle = try EasyHandle(sharing: CurlShare(CURL_LOCK_DATA_CONNECT))
      try handle.apply(options)
      handle.set(CURLOPT_URL, mailbox.server)
      handle.set(CURLOPT_CONNECT_ONLY, true)
      handle.set(CURLOPT_FRESH_CONNECT, true)
      // Not HTTP/2, whose WebSockets are different; and a proxy does not see the handshake.
      handle.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
      handle.set(CURLOPT_HTTPPROXYTUNNEL, true)
      // Proof: the worker keeps this object until it has removed the handle.
      weir_curl_set_pointer(
        handle.pointer, CURLOPT_PRIVATE, Unmanaged.passUnretained(self).toOpaque())
    }

    /// The events to wait for.
    var wantedEvents: DescriptorEvents {
      guard isConnected else { return [] }
      var events: DescriptorEvents = []
      if wantsToReceive { events.insert(.readable) }
      if wantsToSend { events.insert(.writable) }
      return events
    }

    /// Notes that libcurl has connected, or why it has not.
    func connected(_ code: CURLcode) {
      guard code == CURLE_OK else {
        return fail(
          HTTPTransportError(
            code, handle.message(of: code), headArrived: false,
            connectStatus: handle.info(CURLINFO_HTTP_CONNECTCODE),
            systemError: handle.info(CURLINFO_OS_ERRNO)))
      }
      isConnected = true
      descriptor = weir_curl_active_socket(handle.pointer)
    }

    /// Sends and receives what is possible without waiting.
    ///
    /// - Returns: Whether the connection goes on.
    func perform(_ buffer: inout [UInt8]) -> Bool {
      isDue = false
      hasSent = false
      if let closure = mailbox.closure, !isConnected || !session.isOpen {
        session.close(code: closure.code, reason: closure.reason)
      }
      if isConnected {
        send()
        receive(&buffer)
        // The message that has arrived may need an answer.
        send()
      }
      // What is still to be sent before the close frame has time as long as the server takes it.
      let isLeaving = mailbox.closure != nil
      if session.isClosing || isLeaving, deadline == nil || hasSent && !session.isClosing {
        deadline = .now + Self.closingTime
      }
      return !session.isOver && deadline.map { $0 > .now } != false
    }

    private func send() {
      while !session.isOver {
        if sentBytes == output.count {
          guard takeOutput() else { break }
        }
        var count = 0
        let code = output.withUnsafeBytes {
          curl_easy_send(
            handle.pointer, $0.baseAddress.map { $0 + sentBytes }, $0.count - sentBytes, &count)
        }
        sentBytes += count
        if count > 0 { hasSent = true }
        guard code == CURLE_OK else {
          wantsToSend = code == CURLE_AGAIN
          return wantsToSend ? () : fail(error(code))
        }
        if isMessage, sentBytes == output.count { mailbox.noteSent() }
      }
      wantsToSend = false
    }

    private func takeOutput() -> Bool {
      let control = session.takeControl()
      let message = control == nil && session.isOpen ? mailbox.takeFrame() : nil
      if control == nil, message == nil, session.isOpen, let closure = mailbox.closure {
        session.close(code: closure.code, reason: closure.reason)
      }
      guard let next = control ?? message ?? session.takeClose() else { return false }
      (output, sentBytes, isMessage) = (next, 0, message != nil)
      return true
    }

    private func receive(_ buffer: inout [UInt8]) {
      for _ in 0..<Self.readsPerTurn {
        wantsToReceive = !session.isOver && !mailbox.holdsBack()
        guard wantsToReceive else { return }
        var count = 0
        let code = buffer.withUnsafeMutableBytes {
          curl_easy_recv(handle.pointer, $0.baseAddress, $0.count, &count)
        }
        if code == CURLE_AGAIN { return }
        guard code == CURLE_OK else { return fail(error(code)) }
        guard count > 0 else {
          if let event = session.receiveEnd() { mailbox.deliver(event) }
          return
        }
        mailbox.noteReceived(count)
        for event in session.receive(buffer[..<count]) { mailbox.deliver(event) }
      }
      isDue = true
    }

    private func error(_ code: CURLcode) -> HTTPTransportError {
      HTTPTransportError(
        code, handle.message(of: code), headArrived: true, connectStatus: 0, systemError: 0)
    }

    private func fail(_ error: HTTPTransportError) {
      mailbox.deliver(.ended(error))
      _ = session.receiveEnd()
    }
  }
#endif
