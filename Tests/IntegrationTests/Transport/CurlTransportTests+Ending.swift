#if os(Linux) || os(macOS)
  import Foundation
  import Testing
  import Weir
  import WeirCurl

  extension CurlTransportTests {
    /// A request that the server answers when the space is released.
    private func held(in space: Space) -> HTTPRequest {
      HTTPRequest(
        method: .post, url: space.view("core"), headers: ["Content-Type": "application/json"],
        body: Array(#"{"query":"query Held { never }","operationName":"Held"}"#.utf8),
        responseBodyLimit: 1_000_000)
    }

    private func send(_ request: HTTPRequest, over transport: CurlTransport) async throws -> String
    {
      String(decoding: try await transport.send(request).body.collect(), as: UTF8.self)
    }

    /// Waits until the transport accepts no more requests.
    private func refuses(_ transport: CurlTransport, in space: Space) async {
      while true {
        do {
          _ = try await send(HTTPRequest(url: space.echo), over: transport)
        } catch {
          return #expect((error as? HTTPTransportError)?.code == .closed, "\(error)")
        }
      }
    }

    @Test("Finishing waits for running requests, refuses new ones, and ends streams at once")
    func finish() async throws {
      let space = try await Space()
      let transport = CurlTransport()
      // As the renewal of a token may be sent.
      var request = held(in: space)
      (request.responseBodyLimit, request.timeout) = (nil, .seconds(600))
      let running = Task { [request] in try await send(request, over: transport) }
      _ = try await space.stats(when: "inFlight", reaches: 1)
      let stream = try await transport.send(HTTPRequest(url: space.broken("hang-after-head")))
      let socket = try await transport.openSocket(to: try #require(space.socket("echo")))
      let finishing = Task { await transport.finish(within: .seconds(Int64.max)) }
      await expectError(.closed) { _ = try await stream.body.collect() }
      await expectError(.closed) { _ = try await socket.receive() }
      await refuses(transport, in: space)
      #expect(try await space.stats(when: "socketsClosed", reaches: 1).closingCodes == [1001])
      try await space.release()
      #expect(try await running.value.contains("released"))
      await finishing.value
      // Later calls find nothing to do.
      await transport.finish(within: .zero)
      await transport.close()
    }

    @Test("Finishing ends streams that wait for a connection, and lets requests that wait run")
    func finishQueued() async throws {
      let space = try await Space()
      let transport = try trusting { $0.connectionsPerHost = 1 }
      let running = Task { try await send(held(in: space), over: transport) }
      _ = try await space.stats(when: "inFlight", reaches: 1)
      let stream = Task.startingHere {
        await expectError(.closed) {
          _ = try await transport.send(HTTPRequest(method: .get, url: space.view("core")))
        }
      }
      let answer = Locked("")
      let waiting = Task.startingHere {
        let text = try? await send(held(in: space), over: transport)
        answer.withLock { $0 = text ?? "" }
      }
      // This one waits behind them.
      await expectError(.timedOut) {
        var request = held(in: space)
        request.timeout = .milliseconds(50)
        _ = try await transport.send(request)
      }
      let finishing = Task { await transport.finish(within: .seconds(600)) }
      await stream.value
      #expect(try await space.stats().inFlight == 1)
      try await space.release()
      #expect(try await running.value.contains("released"))
      await waiting.value
      #expect(answer.withLock { $0 }.contains("released"))
      await finishing.value
    }

    @Test(
      "Finishing ends the requests that still run after its time, or when its task is cancelled",
      arguments: [false, true])
    func finishLate(isCancelled: Bool) async throws {
      let space = try await Space()
      let transport = CurlTransport()
      let running = Task { try await send(held(in: space), over: transport) }
      _ = try await space.stats(when: "inFlight", reaches: 1)
      let finishing = Task {
        await transport.finish(within: isCancelled ? .seconds(600) : .milliseconds(1))
      }
      if isCancelled { finishing.cancel() }
      await finishing.value
      await expectError(.closed) { _ = try await running.value }
    }

    @Test("Finishing a transport that was never used returns, and closes it")
    func finishUnused() async throws {
      let transport = CurlTransport()
      await transport.finish(within: .seconds(600))
      let url = try #require(URL(string: "http://127.0.0.1:1/"))
      await expectError(.closed) { _ = try await transport.send(HTTPRequest(url: url)) }
    }
  }
#endif
