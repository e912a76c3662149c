#if os(Linux) || os(macOS)
  import CCurl
  import Weir

  /// The WebSockets of one transport. Only its thread uses them.
  struct CurlSockets {
    private var connections: [ObjectIdentifier: SocketConnection] = [:]
    /// The connections that libcurl has handed over, by their descriptors.
    private var connected: [Int32: SocketConnection] = [:]
    private var due: [SocketConnection] = []
    /// The connections that wait for the server's end.
    private var closing: [ObjectIdentifier: SocketConnection] = [:]
    private var buffer: [UInt8] = []

    var isEmpty: Bool { connections.isEmpty }

    /// How long the thread may wait, in milliseconds; nil for no limit.
    var limit: Int32? {
      guard due.isEmpty else { return 0 }
      return closing.values.compactMap(\.deadline?.milliseconds).min()
    }

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

    mutating func update(_ mailbox: SocketMailbox) {
      if let connection = connections[ObjectIdentifier(mailbox)] { note(connection) }
    }

    /// Notes that libcurl has connected, or why it has not.
    mutating func connected(_ connection: SocketConnection, _ code: CURLcode) {
      connection.connected(code)
      if let descriptor = connection.descriptor { connected[descriptor] = connection }
      note(connection)
    }

    /// Notes the events of a descriptor.
    ///
    /// - Returns: Whether it is that of a WebSocket.
    mutating func noteEvents(of descriptor: Int32) -> Bool {
      guard let connection = connected[descriptor] else { return false }
      note(connection)
      return true
    }

    private mutating func note(_ connection: SocketConnection) {
      guard !connection.isDue else { return }
      connection.isDue = true
      due.append(connection)
    }

    /// Sends and receives on the WebSockets that are ready, and removes those that have ended.
    mutating func perform(in multi: borrowing MultiHandle) {
      for connection in closing.values where connection.deadline?.milliseconds == 0 {
        note(connection)
      }
      let performed = due
      due = []
      // One that was removed meanwhile is no longer among the connections.
      for connection in performed where connections[connection.key] === connection {
        connection.isDue = false
        let goesOn = connection.perform(&buffer)
        if connection.isDue { due.append(connection) }
        guard goesOn else {
          remove(connection.key, CancellationError(), from: multi)
          continue
        }
        watch(connection, for: connection.wantedEvents, in: multi)
        if connection.deadline != nil { closing[connection.key] = connection }
      }
    }

    private func watch(
      _ connection: SocketConnection, for events: DescriptorEvents, in multi: borrowing MultiHandle
    ) {
      guard events != connection.watchedEvents, let descriptor = connection.descriptor else {
        return
      }
      connection.watchedEvents = events
      multi.events.watch(descriptor, for: events)
    }

    /// Closes the connections, which takes as long as the servers need, up to three seconds.
    func closeAll(with error: HTTPTransportError) {
      for connection in connections.values { connection.mailbox.close(.leaving, for: error) }
    }

    mutating func endAll(with error: HTTPTransportError, in multi: borrowing MultiHandle) {
      for key in connections.keys { remove(key, error, from: multi) }
    }

    private mutating func remove(
      _ key: ObjectIdentifier, _ error: any Error, from multi: borrowing MultiHandle
    ) {
      guard let connection = connections.removeValue(forKey: key) else { return }
      closing[key] = nil
      // Before the descriptor is closed, because its number may be used again at once.
      watch(connection, for: [], in: multi)
      if let descriptor = connection.descriptor { connected[descriptor] = nil }
      // Closes the connection, too.
      curl_multi_remove_handle(multi.pointer, connection.handle.pointer)
      connection.mailbox.finish(error)
    }
  }

  extension SocketConnection {
    fileprivate var key: ObjectIdentifier { ObjectIdentifier(mailbox) }
  }

  extension ContinuousClock.Instant {
    /// The time from now in milliseconds, rounded up; 0 if it has passed.
    fileprivate var milliseconds: Int32 {
      let left = self - .now
      return left <= .zero ? 0 : Int32(clamping: Int64(left / .milliseconds(1)) + 1)
    }
  }
#endif
