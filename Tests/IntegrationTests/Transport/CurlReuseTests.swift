#if os(Linux) || os(macOS)
  import Foundation
  import Testing
  import Weir
  import WeirCurl

  /// The transport uses handles and connections again: nothing of one request may reach another.
  @Suite("CurlTransport's handles and connections", .timeLimit(.minutes(10)))
  struct CurlReuseTests {
    /// Requests that differ in everything that a handle remembers.
    private func requests(to url: URL) -> [HTTPRequest] {
      let bodies = [[], Array("small".utf8), [UInt8](repeating: 120, count: 70_000)]
      let methods = ["GET", "POST", "PUT", "DELETE", "M-SEARCH"]
      let headers: [HTTPHeaders] = [
        [:], ["X-Mine": "a", "Content-Type": "text/x"], ["X-Mine": "b"],
      ]
      var requests: [HTTPRequest] = []
      for (number, method) in methods.enumerated() {
        for (place, body) in bodies.enumerated() {
          var request = HTTPRequest(
            method: HTTPMethod(rawValue: method), url: url.appending(path: "\(number)\(place)"),
            headers: headers[(number + place) % headers.count], body: body)
          // A handle with small buffers, or with large ones.
          request.responseBodyLimit = (number + place) % 2 == 0 ? nil : 1_000_000
          requests.append(request)
        }
      }
      return requests
    }

    private func answer(
      to request: HTTPRequest, over transport: CurlTransport
    ) async throws -> [UInt8] {
      try await transport.send(request).body.collect()
    }

    @Test("A request is the same on a handle that was used before as on a new one")
    func reusedHandles() async throws {
      let space = try await Space()
      let shared = CurlTransport()
      let requests = requests(to: space.echo)
      var expected: [[UInt8]] = []
      for request in requests {
        let transport = CurlTransport()
        expected.append(try await answer(to: request, over: transport))
        await transport.close()
      }
      for distance in [1, 4, 7, 11] {
        for step in requests.indices {
          let index = step * distance % requests.count
          let bytes = try await answer(to: requests[index], over: shared)
          #expect(bytes == expected[index], "request \(index)")
        }
      }
    }

    @Test("A value of blanks only is sent as an empty one, and no body is announced by a question")
    func headers() async throws {
      let space = try await Space()
      let request = HTTPRequest(
        url: space.echo, headers: ["X-Blank": " \t", "X-Empty": "", "Expect": "100-continue"],
        body: [UInt8](repeating: 120, count: 10))
      let text = String(
        decoding: try await answer(to: request, over: CurlTransport()), as: UTF8.self)
      #expect(text.contains("\r\nX-Blank:\r\n"))
      #expect(text.contains("\r\nX-Empty:\r\n"))
      #expect(!text.lowercased().contains("\r\nexpect"))
    }

    @Test("A request without a body that is not idempotent uses a connection again")
    func emptyRequests() async throws {
      let space = try await Space()
      let transport = transport { $0.idleConnectionLimit = Self.long }
      for _ in 0..<5 {
        _ = try await answer(to: HTTPRequest(method: .post, url: space.echo), over: transport)
      }
      #expect(try await space.stats().connections == 1)
    }

    @Test("A request that is not idempotent is never sent twice, with a body or without one")
    func closedConnections() async throws {
      let space = try await Space()
      let transport = transport { $0.idleConnectionLimit = Self.long }
      for body in [[], [1, 2, 3], [UInt8](repeating: 1, count: 100_000)] {
        let request = HTTPRequest(method: .post, url: space.stale, body: body)
        let before = try await space.stats().total
        #expect(try await answer(to: request, over: transport).count == 34)
        await expectError(.connectionLost) { _ = try await answer(to: request, over: transport) }
        #expect(try await space.stats().total == before + 2)
      }
    }

    // MARK: Idle connections

    /// Longer than a test takes on a machine that has much else to do.
    private static let long = Duration.seconds(3600)

    private func transport(
      _ change: (inout CurlTransport.Options) -> Void = { _ in }
    ) -> CurlTransport {
      var options = CurlTransport.Options()
      change(&options)
      return CurlTransport(options: options)
    }

    /// Sends requests that are not idempotent, one after the other.
    private func post(_ count: Int, to url: URL, over transport: CurlTransport) async throws {
      for _ in 0..<count {
        _ = try await answer(to: HTTPRequest(method: .post, url: url), over: transport)
      }
    }

    /// Lets time pass by the time limit of a request over another transport.
    private func pass(_ time: Duration, in space: Space) async {
      await expectError(.timedOut) {
        let request = HTTPRequest(url: space.broken("hang"), timeout: time)
        _ = try await CurlTransport().send(request)
      }
    }

    @Test("A connection whose server announces no second for idleness is closed after its response")
    func announcedSecond() async throws {
      let space = try await Space()
      let transport = transport()
      try await post(4, to: space.keeping(seconds: "1"), over: transport)
      #expect(try await space.stats().connections == 4)
      try await post(4, to: space.keeping(seconds: "0"), over: transport)
      #expect(try await space.stats().connections == 8)
      await transport.close()
    }

    @Test(
      "An announced time that is long, or not a number of seconds, changes nothing",
      arguments: ["600", "4294967295", "99999999999999999999", "-9223372036854775808", "x", "-"])
    func otherAnnouncements(text: String) async throws {
      let space = try await Space()
      let transport = transport()
      try await post(3, to: space.keeping(seconds: text), over: transport)
      #expect(try await space.stats().connections == 1)
      await transport.close()
    }

    @Test("A connection is not used again in the last second of the time that its server announces")
    func announcedTime() async throws {
      let space = try await Space()
      let transport = transport()
      try await post(1, to: space.keeping(seconds: "2"), over: transport)
      await pass(.milliseconds(1_100), in: space)
      try await post(1, to: space.keeping(seconds: "2"), over: transport)
      // One of them is for the time that has passed.
      #expect(try await space.stats().connections == 3)
      await transport.close()
    }

    @Test("A connection is used again only within the limits of the options")
    func limits() async throws {
      let space = try await Space()
      let idle = transport { $0.idleConnectionLimit = .seconds(1) }
      // libcurl may count the lifetime in whole seconds.
      let old = transport { $0.connectionLifetime = .seconds(1) }
      for transport in [idle, old] { try await post(1, to: space.echo, over: transport) }
      await pass(.milliseconds(2_100), in: space)
      for transport in [idle, old] { try await post(1, to: space.echo, over: transport) }
      #expect(try await space.stats().connections == 5)
      for transport in [idle, old] { await transport.close() }
    }

    @Test(
      "A limit below a second means a new connection for each request, and an endless one none",
      arguments: [
        (.zero, 3), (.seconds(-1), 3), (.seconds(Int64.min), 3), (.seconds(Int64.max), 1),
      ] as [(Duration, Int)])
    func extremeLimits(limit: Duration, connections: Int) async throws {
      let space = try await Space()
      let transport = transport {
        $0.idleConnectionLimit = limit
        $0.connectionLifetime = .seconds(Int64.max)
      }
      try await post(3, to: space.echo, over: transport)
      #expect(try await space.stats().connections == connections)
      await transport.close()
    }

    @Test("Closing ends a transport at each moment of its thread")
    func closing() async throws {
      let space = try await Space()
      for number in 0..<60 {
        let transport = CurlTransport()
        let request = Task { try await answer(to: HTTPRequest(url: space.echo), over: transport) }
        if number % 3 > 0 { _ = try await request.value }
        if number % 3 > 1 {
          // The thread is about to wait, or does so.
          for _ in 0..<(number / 3) { await Task.yield() }
        }
        await transport.close()
        await expectClosed(request, number % 3 > 0)
      }
    }

    @Test("The callback that reports an upload's progress can close the transport")
    func closedByCallback() async throws {
      let space = try await Space()
      for limit in [0, 100_000, 900_000] {
        let transport = CurlTransport()
        let closed = Locked<[Task<Void, Never>]>([])
        var request = HTTPRequest(method: .post, url: space.echo)
        let bytes = [UInt8](repeating: 120, count: 1_000_000)
        request.streamedBody = HTTPStreamedBody([.bytes(bytes)]) { count in
          guard count >= limit else { return }
          closed.withLock { $0.append(Task { await transport.close() }) }
        }
        let task = Task { [request] in try await answer(to: request, over: transport) }
        await expectClosed(task, false)
        let closing = closed.withLock { $0 }
        #expect(!closing.isEmpty)
        for closing in closing { await closing.value }
        await expectError(.closed) { [request] in
          _ = try await transport.send(HTTPRequest(url: request.url))
        }
      }
    }

    private func expectClosed(_ request: Task<[UInt8], any Error>, _ isComplete: Bool) async {
      do {
        _ = try await request.value
      } catch {
        #expect(!isComplete && (error as? HTTPTransportError)?.code == .closed, "\(error)")
      }
    }

    @Test("A file of authorities that does not exist is a typed error (H3)")
    func missingAuthorities() async throws {
      let space = try await Space()
      var options = CurlTransport.Options()
      options.tls.certificateAuthorities = URL(filePath: "/nowhere/authorities.pem")
      let url = try #require(space.secure("broken/data-200"))
      await expectError(.insecure) {
        _ = try await CurlTransport(options: options).send(HTTPRequest(url: url))
      }
    }

    @Test(
      "A proxy that is not a URL, or of another protocol, is a typed error (H3)",
      arguments: ["", "not a proxy", "ftp://127.0.0.1:1", "http://", "http://127.0.0.1:99999"])
    func invalidProxy(text: String) async throws {
      let space = try await Space()
      var options = CurlTransport.Options()
      options.proxy = .url(text)
      do {
        let transport = CurlTransport(options: options)
        _ = try await transport.send(HTTPRequest(url: space.echo, timeout: .seconds(600)))
        Issue.record("The request went around the proxy \"\(text)\".")
      } catch let error as HTTPTransportError {
        #expect(error.code != .other && error.code != .timedOut, "\(error)")
      }
    }
  }
#endif
