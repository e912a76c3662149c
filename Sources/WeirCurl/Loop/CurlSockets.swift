#if os(Linux) || os(macOS)
  import CCurl
  import Weir

  /// The WebSockets of one transport. Only its thread uses them.
  struct CurlSockets {
    private var connections: [ObjectIdentifier: SocketConnection] = [:]
    private var buffer: [UInt8] = []

    var isEmpty: Bool { connections.isEmpty }

    mutating func open(
      _ mailbox: SocketMailbox, _ options: CurlTransport.Options, in multi: borrowing MultiHandle
    ) {
      // The task may have been cancelled meanwhile.
      guard mailbox.closure == nil else { return mailbox.finish(CancellationError()) }
      if buffer.isEmpty { buffer = [UInt8](repeating: 0, count: 32 << 10) }
      do throws(HTTPTransportError) {
        let connection = try SocketConnection(mailbox, options)
        guard curl_multi_add_handle(multi.pointer, connection.handle.pointer) == CURLM_OK else {
          throw HTTPTransportError(.other, "libcurl has no memory for another WebSocket.")
        }
        connections[ObjectIdentifier(mailbox)] = connection
      } catch {
        mailbox.finish(error)
      }
    }

    func update(_ mailbox: SocketMailbox) {
      connections[ObjectIdentifier(mailbox)]?.isDue = true
    }

    /// Sends and receives on the WebSockets that are ready, and removes those that have ended.
    mutating func perform(in multi: borrowing MultiHandle) {
      guard !connections.isEmpty else { return }
      let now = ContinuousClock.now
      for (key, connection) in connections {
        let isOverdue = connection.deadline.map { $0 <= now } == true
        guard connection.isDue || isOverdue, !connection.perform(&buffer) else { continue }
        remove(key, CancellationError(), from: multi)
      }
    }

    mutating func endAll(with error: HTTPTransportError, in multi: borrowing MultiHandle) {
      for key in connections.keys { remove(key, error, from: multi) }
    }

    private mutating func remove(
      _ key: ObjectIdentifier, _ error: any Error, from multi: borrowing MultiHandle
    ) {
      guard let connection = connections.removeValue(forKey: key) else { return }
      // Closes the connection, too.
      curl_multi_remove_handle(multi.pointer, connection.handle.pointer)
      connection.mailbox.finish(error)
    }

    /// Waits for these WebSockets and for everything that libcurl performs by itself.
    func wait(in multi: borrowing MultiHandle) {
      var waiting: [curl_waitfd] = []
      var waiters: [SocketConnection] = []
      // libcurl returns earlier for its own time limits.
      var timeout: Int32 = 3_600_000
      for connection in connections.values {
        if connection.isDue { timeout = 0 }
        if let deadline = connection.deadline { timeout = min(timeout, deadline.milliseconds) }
        guard let descriptor = connection.waiting else { continue }
        waiting.append(descriptor)
        waiters.append(connection)
      }
      curl_multi_poll(multi.pointer, &waiting, UInt32(waiting.count), timeout, nil)
      for (descriptor, connection) in zip(waiting, waiters) where descriptor.revents != 0 {
        connection.isDue = true
      }
    }
  }

  extension ContinuousClock.Instant {
    /// The time from now in milliseconds, rounded up.
    fileprivate var milliseconds: Int32 {
      Int32(clamping: Int64((self - .now) / .milliseconds(1)) + 1).clampedToZero
    }
  }

  extension Int32 {
    fileprivate var clampedToZero: Int32 { Swift.max(0, self) }
  }
#endif
