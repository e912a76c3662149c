#if os(Linux) || os(macOS)
  import Testing
  import Weir
  import WeirCurl

  extension CurlSocketTests {
    // MARK: - Closing and cancelling

    @Test("The server's code and reason arrive, and receiving and sending then fail with them (H6)")
    func closedByServer() async throws {
      let space = try await Space()
      let socket = try await CurlTransport.shared.openSocket(
        to: #require(space.socket("close?4321")))
      for _ in 1...2 {
        await #expect(throws: SocketClosure(code: 4321, reason: "Bye")) {
          try await socket.receive()
        }
      }
      await #expect(throws: SocketClosure(code: 4321, reason: "Bye")) {
        while true { try await socket.send("x") }
      }
      await socket.close(code: 1000, reason: "")
      #expect(try await space.stats(when: "socketsClosed", reaches: 1).closingCodes == [4321])
    }

    @Test("Releasing a socket, or cancelling a task that waits, closes it with 1001 (H9)")
    func leaving() async throws {
      let space = try await Space()
      _ = try await CurlTransport.shared.openSocket(to: #require(space.socket("echo")))
      #expect(try await space.stats(when: "socketsClosed", reaches: 1).closingCodes == [1001])
      let socket = try await CurlTransport.shared.openSocket(to: #require(space.socket("echo")))
      let receiving = Task { try await socket.receive() }
      receiving.cancel()
      await #expect(throws: CancellationError.self) { try await receiving.value }
      #expect(
        try await space.stats(when: "socketsClosed", reaches: 2).closingCodes == [1001, 1001])
    }

    @Test("Cancelling a connection in its handshake closes it (H9)")
    func cancelledHandshake() async throws {
      let space = try await Space()
      let url = try #require(space.broken("hang").asWebSocket)
      let connecting = Task { try await CurlTransport.shared.openSocket(to: url) }
      _ = try await space.stats(when: "connections", reaches: 1)
      connecting.cancel()
      await #expect(throws: CancellationError.self) { _ = try await connecting.value }
      let stats = try await space.stats(when: "closedEarly", reaches: 1)
      #expect(stats.closedEarlyByOperation == ["hang": 1])
    }

    @Test("A message to a server that does not read waits, and cancelling it ends the wait (H9)")
    func sendingToNobody() async throws {
      let space = try await Space()
      let transport = CurlTransport()
      let socket = try await transport.openSocket(to: #require(space.socket("silent")))
      let sending = Task {
        while true { try await socket.send(String(repeating: "x", count: 1_000_000)) }
      }
      // The thread is not blocked meanwhile.
      #expect(try await echo(over: transport, space.socket("echo"), ["1", "2"]) == ["1", "2"])
      sending.cancel()
      await #expect(throws: CancellationError.self) { try await sending.value }
      await transport.close()
    }

    @Test("Closing ends, even if the server does not read what is still to be sent (H9)")
    func closingBeforeSent() async throws {
      let space = try await Space()
      let transport = CurlTransport()
      let socket = try await transport.openSocket(to: #require(space.socket("silent")))
      let sending = Task { try await socket.send(String(repeating: "x", count: 30_000_000)) }
      await Task.yield()
      await socket.close(code: 1000, reason: "")
      await #expect(throws: CancellationError.self) { try await sending.value }
      await transport.close()
    }

    @Test("Closing the transport ends its WebSockets, open or not, and refuses new ones")
    func closedTransport() async throws {
      let space = try await Space()
      let transport = CurlTransport()
      let socket = try await transport.openSocket(to: #require(space.socket("echo")))
      let hanging = try #require(space.broken("hang").asWebSocket)
      let connecting = Task { try await transport.openSocket(to: hanging) }
      _ = try await space.stats(when: "connections", reaches: 1)
      await transport.close()
      await expectError(.closed) { _ = try await socket.receive() }
      await expectError(.closed) { _ = try await connecting.value }
      await expectError(.closed) { _ = try await transport.openSocket(to: hanging) }
      await socket.close(code: 1000, reason: "")
    }
  }
#endif
