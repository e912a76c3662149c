#if os(Linux) || os(macOS)
  import Foundation
  import Testing
  import Weir
  import WeirCurl

  @Suite("CurlTransport", .timeLimit(.minutes(10)))
  struct CurlTransportTests {
    /// A file of the server's folder.
    func file(_ name: String) throws -> URL {
      try #require(Bundle.module.url(forResource: "Server/\(name)", withExtension: "pem"))
    }

    func trusting(
      _ change: (inout CurlTransport.Options) throws -> Void = { _ in }
    ) throws -> CurlTransport {
      var options = CurlTransport.Options()
      options.tls.certificateAuthorities = try file("certificate")
      options.connectTimeout = nil
      try change(&options)
      return CurlTransport(options: options)
    }

    // MARK: Ending

    @Test("Closing ends requests before their head, in their body, and later ones")
    func close() async throws {
      let space = try await Space()
      let transport = CurlTransport()
      let waiting = Task {
        try await transport.send(HTTPRequest(url: space.broken("hang"))).status
      }
      _ = try await space.stats(when: "connections", reaches: 1)
      let response = try await transport.send(HTTPRequest(url: space.broken("hang-after-head")))
      await transport.close()
      await expectError(.closed) { _ = try await waiting.value }
      await expectError(.closed) { _ = try await response.body.collect() }
      await expectError(.closed) { _ = try await transport.send(HTTPRequest(url: space.graphQL)) }
      await transport.close()
    }

    @Test("Closing a transport that was never used returns")
    func closeUnused() async throws {
      await CurlTransport().close()
    }

    @Test("Connections have the options that protect programs and waiting requests")
    func socketOptions() async throws {
      let listener = try Listener()
      let transport = CurlTransport()
      let request = HTTPRequest(url: try listener.url)
      let sending = Task { try await transport.send(request).status }
      let connections = try await listener.accept()
      #expect(!connections.isEmpty)
      // Programs that the process starts do not inherit connections.
      #expect(connections.allSatisfy { fcntl($0, F_GETFD) & FD_CLOEXEC != 0 })
      #if os(Linux)
        // The system gives up a connection whose server acknowledges nothing for that long.
        for connection in connections {
          var (milliseconds, length) = (UInt32(0), socklen_t(4))
          let level = Int32(IPPROTO_TCP)
          #expect(getsockopt(connection, level, TCP_USER_TIMEOUT, &milliseconds, &length) == 0)
          #expect(milliseconds == 90_000)
        }
      #endif
      await transport.close()
      await expectError(.closed) { _ = try await sending.value }
    }

    @Test("The environment does not name exceptions from the proxy of the options (H3)")
    func explicitProxy() async throws {
      await #expect(processExitsWith: .success) {
        setenv("no_proxy", "nowhere.invalid", 1)
        var options = CurlTransport.Options()
        (options.proxy, options.connectTimeout) = (.url("http://127.0.0.1:1"), nil)
        let url = try #require(URL(string: "http://nowhere.invalid/"))
        // Without the proxy, the host would not be found.
        await expectError(.cannotConnect) {
          _ = try await CurlTransport(options: options).send(HTTPRequest(url: url))
        }
      }
    }

    @Test("A complete response ends the request, although the server does not read its body (H3)")
    func earlyResponse() async throws {
      let space = try await Space()
      let body = [UInt8](repeating: 0x78, count: 20_000_000)
      let transport = CurlTransport()
      let response = try await transport.send(
        HTTPRequest(method: .post, url: space.other("early"), body: body))
      #expect(try await response.body.collect().count == 34)
      await transport.close()
    }

    @Test("The time in which a response waits for its reader is not idle (H3)")
    func pausedIsNotIdle() async throws {
      let space = try await Space()
      let transport = CurlTransport()
      func response(_ url: URL) async throws -> HTTPResponse {
        try await transport.send(
          HTTPRequest(
            method: .get, url: url, idleTimeout: .seconds(2), responseBodyLimit: 10_000_000))
      }
      func readLate() async throws -> Int {
        let paused = try await response(space.other("large"))
        // Each takes as long as the limit.
        for _ in 0..<3 {
          await expectError(.timedOut) {
            _ = try await response(space.broken("hang-after-head")).body.collect()
          }
        }
        return try await paused.body.collect().count
      }
      for _ in 0..<9 {
        do {
          return #expect(try await readLate() == 8 << 20)
        } catch let error as HTTPTransportError where error.code == .timedOut {
          // A busy machine may let nothing run for as long.
        }
      }
      Issue.record("The response timed out nine times.")
    }

    @Test("Extreme settings are those nearest to them that make sense")
    func extremes() async throws {
      let space = try await Space()
      var options = CurlTransport.Options()
      options.unreadLimit = .min
      options.connectTimeout = .seconds(Int64.max)
      let transport = CurlTransport(options: options)
      let large = HTTPRequest(
        method: .get, url: space.other("large"), responseBodyLimit: 10_000_000)
      #expect(try await transport.send(large).body.collect().count == 8 << 20)
      options.connectTimeout = .seconds(Int64.min)
      let hasty = CurlTransport(options: options)
      // A millisecond may be enough.
      _ = try? await hasty.send(large).status
      await hasty.close()
    }

    // MARK: Secure connections

    @Test("A certificate is trusted only if its authority is (H3)")
    func certificates() async throws {
      let space = try await Space()
      let request = HTTPRequest(url: try #require(space.secure("broken/data-200")))
      await expectError(.insecure) { _ = try await CurlTransport().send(request) }
      #expect(try await trusting().send(request).body.collect().count == 34)
    }

    @Test("A pinned key is the only one that is accepted (H3)")
    func pinning() async throws {
      let space = try await Space()
      let request = HTTPRequest(url: try #require(space.secure("broken/data-200")))
      let pinned = try trusting {
        $0.tls.pinnedPublicKeys = [
          "sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
          "sha256//iwKDVELEdGiI+PbrIrOZVghr3XdTaEDV8xbnQ4/ar4s=",
        ]
      }
      #expect(try await pinned.send(request).status == 200)
      let other = try trusting {
        $0.tls.pinnedPublicKeys = ["sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="]
      }
      await expectError(.insecure) { _ = try await other.send(request) }
      let wrong = try trusting { $0.tls.pinnedPublicKeys = ["key.pem"] }
      await expectError(.insecure) { _ = try await wrong.send(request) }
    }

    @Test("Behind a proxy, the status is the server's (H3)", arguments: [200, 401, 500, 503])
    func tunnelled(status: Int) async throws {
      let space = try await Space()
      let url = try #require(space.secure("broken/data-\(status)", tunnelled: true))
      let transport = try trusting { $0.proxy = .url(space.proxy) }
      let response = try await transport.send(HTTPRequest(url: url))
      #expect(response.status == status)
      #expect(try await response.body.collect().count == 34)
      var untrusting = CurlTransport.Options()
      untrusting.proxy = .url(space.proxy)
      await expectError(.insecure) {
        _ = try await CurlTransport(options: untrusting).send(HTTPRequest(url: url))
      }
    }

    // MARK: Requests

    @Test("A method that is not a token is refused before it is sent")
    func method() async throws {
      let space = try await Space()
      for text in ["", "GET / HTTP/1.1\r\nx: y\r\n\r\nGET", "A B", "\0"] {
        let request = HTTPRequest(method: HTTPMethod(rawValue: text), url: space.graphQL)
        await expectError(.invalidRequest) { _ = try await CurlTransport().send(request) }
      }
      #expect(try await space.stats().total == 0)
    }

    @Test("Requests go to a Unix domain socket, whatever host their URLs name, around any proxy")
    func unixSocket() async throws {
      let space = try await Space()
      // Short, because the system takes about a hundred characters.
      let file = URL(filePath: "/tmp/weir-\(UUID().uuidString.prefix(8)).socket")
      defer { try? FileManager.default.removeItem(at: file) }
      let transport = try trusting {
        $0.unixSocket = file
        $0.proxy = .url("http://127.0.0.1:1")
      }
      var parts = try #require(URLComponents(url: space.echo, resolvingAgainstBaseURL: true))
      (parts.host, parts.port) = ("nowhere.invalid", 81)
      let request = HTTPRequest(url: try #require(parts.url))
      await expectError(.cannotConnect) { _ = try await transport.send(request) }
      try await space.listen(atSocket: file)
      for _ in 0..<2 {
        let text = String(
          decoding: try await transport.send(request).body.collect(), as: UTF8.self)
        #expect(text.contains("\r\nHost: nowhere.invalid:81\r\n"))
      }
      #expect(try await space.stats().connections == 1)
      await transport.close()
    }

    // MARK: Back-pressure

    @Test("A body that is not read holds the server back, and then arrives complete")
    func heldBack() async throws {
      let space = try await Space()
      let count = 60_000
      let url = space.view("flood").appending(queryItems: [
        URLQueryItem(name: "events", value: "\(count)"), URLQueryItem(name: "size", value: "1400"),
      ])
      let response = try await CurlTransport().send(HTTPRequest(method: .get, url: url))
      let stalled = try await space.stats(when: "stalled", reaches: 1).marks
      // The limit and the system's buffers, which may take 36 MB, of 84 MB.
      #expect(stalled["sent", default: 0] < count * 2 / 3)
      var lines = 0
      for try await chunk in response.body { lines += chunk.count { $0 == UInt8(ascii: "{") } }
      #expect(lines == 2 * count)
    }
  }
#endif
