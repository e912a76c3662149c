import TestSupport

#if os(Linux) || os(macOS)
  import Foundation
  import Testing
  import Weir
  import WeirCurl

  @Suite("WebSockets over libcurl", .timeLimit(.minutes(10)))
  struct CurlSocketTests {
    func transport(
      trusting: Bool = true, _ change: (inout CurlTransport.Options) -> Void = { _ in }
    ) -> CurlTransport {
      var options = CurlTransport.Options()
      options.connectTimeout = nil
      if trusting {
        options.tls.certificateAuthorities = Bundle.module.url(
          forResource: "Server/certificate", withExtension: "pem")
      }
      change(&options)
      return CurlTransport(options: options)
    }

    func echo(
      over transport: CurlTransport, _ url: URL?, _ texts: [String]
    ) async throws -> [String] {
      let socket = try await transport.openSocket(to: #require(url))
      var received: [String] = []
      for text in texts {
        try await socket.send(text)
        received.append(try await socket.receive())
      }
      let bytes = received.reduce(0) { $0 + $1.utf8.count }
      #expect(socket.receivedBytes.map { $0 > bytes } == true)
      await socket.close(code: 1000, reason: "Enough")
      return received
    }

    @Test(
      "Messages pass in both directions, with TLS, through a proxy, and both (H6)",
      arguments: [false, true], [false, true])
    func echo(isSecure: Bool, tunnelled: Bool) async throws {
      let space = try await Space()
      let transport = transport { if tunnelled { $0.proxy = .url(space.proxy) } }
      let texts =
        ["", "é\u{0}😀"]
        + [1, 125, 126, 65_535, 65_536, 3_000_000].map {
          String(repeating: "x", count: $0)
        }
      for action in ["echo", "fragments"] {
        let url = space.socket(action, isSecure: isSecure, tunnelled: tunnelled)
        let sent = action == "echo" ? texts : texts.filter { $0.utf8.count < 1000 && $0 != "" }
        let received = try await echo(over: transport, url, sent)
        #expect(received == sent)
      }
      let stats = try await space.stats(when: "socketsClosed", reaches: 2)
      #expect(stats.closingCodes == [1000, 1000])
      await transport.close()
    }

    @Test("Each handshake and frame that is wrong ends as a typed error or as a closure (H6)")
    func hostile() async throws {
      let space = try await Space()
      let kinds = try await space.kinds("upgrade")
      #expect(kinds.count > 60)
      let transport = CurlTransport()
      for kind in Stress.some(of: kinds) {
        let outcome = await outcome(of: space.upgrade(kind.name), over: transport)
        #expect(kind.outcomes.contains(outcome), "\(kind): \(outcome), not \(kind.expected)")
      }
      await transport.close()
    }

    /// How a WebSocket ends, in the words of `Server/sockets.py`.
    private func outcome(of url: URL?, over transport: CurlTransport) async -> String {
      do {
        let socket = try await transport.openSocket(to: #require(url))
        while true { _ = try await socket.receive() }
      } catch let error as SocketClosure {
        return "\(error.code)"
      } catch let error as OperationError {
        return "\(error.httpStatus ?? 0)"
      } catch {
        return (error as? HTTPTransportError)?.code.description ?? "\(error)"
      }
    }

    @Test("A certificate, a host, a port and a proxy that are wrong are typed errors (H3)")
    func unreachable() async throws {
      let space = try await Space()
      func outcome(_ url: String?, _ transport: CurlTransport) async -> String {
        await self.outcome(of: url.flatMap { URL(string: $0) }, over: transport)
      }
      let plain = transport(trusting: false)
      let secure = space.socket("echo", isSecure: true)?.absoluteString
      #expect(await outcome(secure, plain) == "insecure")
      #expect(await outcome("ws://127.0.0.1:1/", plain) == "cannotConnect")
      #expect(await outcome("ws://nowhere.invalid/", plain) == "hostNotFound")
      #expect(await outcome("http://127.0.0.1/", plain) == "invalidRequest")
      let proxied = transport { $0.proxy = .url(space.proxy) }
      #expect(await outcome("ws://status-407.invalid/", proxied) == "proxyRefused")
      #expect(await outcome("wss://status-503.invalid/", proxied) == "cannotConnect")
    }

    @Test("The header fields of the user are sent, except those of the handshake itself (H6)")
    func headers() async throws {
      let space = try await Space()
      let socket = try await CurlTransport.shared.openSocket(
        to: #require(space.socket("headers?")),
        headers: [
          "Authorization": "Bearer x", "Sec-WebSocket-Extensions": "permessage-deflate",
          "Upgrade": "h2c", "Sec-WebSocket-Key": "x",
        ])
      let fields = try JSONDecoder().decode(
        [String: String].self, from: Data(try await socket.receive().utf8))
      #expect(fields["Authorization"] == "Bearer x")
      #expect(fields["Upgrade"] == "websocket")
      #expect(fields["Sec-WebSocket-Protocol"] == "graphql-transport-ws")
      #expect(fields["Sec-WebSocket-Extensions"] == nil)
      #expect(fields["User-Agent"]?.hasPrefix("Weir libcurl/") == true)
      await #expect(throws: HTTPTransportError.self) {
        try await CurlTransport.shared.openSocket(
          to: #require(space.socket("echo")), headers: ["x": "a\r\nb: c"])
      }
    }

    @Test("A user and a password in the URL are sent, unless the header fields authorize (H6)")
    func credentials() async throws {
      let space = try await Space()
      var parts = try #require(
        space.socket("headers?").flatMap { URLComponents(url: $0, resolvingAgainstBaseURL: true) })
      (parts.user, parts.password) = ("Aladdin", "open sesame")
      let url = try #require(parts.url)
      for (headers, expected) in [
        ([:], "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="), (["authorization": "Bearer x"], "Bearer x"),
      ] as [(HTTPHeaders, String)] {
        let socket = try await CurlTransport.shared.openSocket(to: url, headers: headers)
        let fields = try JSONDecoder().decode(
          [String: String].self, from: Data(try await socket.receive().utf8))
        #expect(fields.first { $0.key.lowercased() == "authorization" }?.value == expected)
      }
    }

    @Test("Messages that are not read hold the server back, and then arrive complete")
    func heldBack() async throws {
      let space = try await Space()
      let socket = try await CurlTransport.shared.openSocket(
        to: #require(space.socket("flood?20000&2000")))
      let stalled = try await space.stats(when: "stalled", reaches: 1).marks
      #expect(stalled["sent", default: 0] < 10_000)
      for _ in 0..<20_000 { #expect(try await socket.receive().utf8.count == 2000) }
      await #expect(throws: SocketClosure(code: 1000)) { try await socket.receive() }
    }

    @Test("A hundred WebSockets and as many requests share a transport and its thread")
    func many() async throws {
      let space = try await Space()
      // A connection that libcurl takes for an unused one would be closed with this limit.
      let transport = transport { $0.connectionsPerHost = 4 }
      try await withThrowingTaskGroup { group in
        for number in 0..<100 {
          group.addTask {
            let texts = (0..<20).map { "\(number): \($0)" }
            let url = space.socket("echo", isSecure: number % 2 == 0)
            let received = try await echo(over: transport, url, texts)
            #expect(received == texts)
          }
          group.addTask {
            let request = HTTPRequest(url: space.broken("data-200"))
            let body = try await transport.send(request).body.collect()
            #expect(body.count == 34)
          }
        }
        try await group.waitForAll()
      }
      #expect(try await space.stats(when: "socketsClosed", reaches: 100).sockets == 0)
      await transport.close()
    }

    @Test("The public initializer opens a WebSocket, and refuses another scheme (H6)")
    func initializer() async throws {
      let space = try await Space()
      let url = try #require(space.view("socket").asWebSocket)
      var configuration = WebSocketConfiguration()
      configuration.acknowledgementTimeout = .seconds(600)
      let asked = Locked(0)
      configuration.connectionParameters = { _ in
        asked.withLock { $0 += 1 }
        return nil
      }
      let transport = try WebSocketTransport(url: url, socket: .curl, configuration: configuration)
      let client = GraphQLClient([.subscription(transport, kinds: [.query])])
      let hello = try await client.query(GraphQLOperation("{ hello }")).get()
      #expect(hello["hello"]?.string == "Hello, world!")
      let elsewhere = GraphQLOperation("{ hello }").with { $0.endpoint = space.graphQL }
      let refusal = await client.query(elsewhere).error?.underlying as? HTTPTransportError
      #expect(refusal?.code == .invalidRequest)
      #expect(asked.withLock(\.self) == 1)
      #expect(throws: HTTPTransportError.self) {
        try WebSocketTransport(url: space.graphQL, socket: .curl)
      }
      #if canImport(FoundationNetworking)
        #expect {
          try WebSocketTransport(url: url)
        } throws: {
          "\($0)".contains("socket: .curl")
        }
      #endif
    }

    @Test("SHA-1 and the proof of the handshake match their standards' examples")
    func proof() {
      #expect(
        WebSocketHandshake.acceptance(of: "dGhlIHNhbXBsZSBub25jZQ==")
          == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
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
  }
#endif
