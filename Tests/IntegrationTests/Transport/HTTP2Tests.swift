#if os(Linux) || os(macOS)
  import Foundation
  import Testing
  import Weir
  import WeirCurl

  @Suite("CurlTransport over HTTP/2", .timeLimit(.minutes(10)))
  struct HTTP2Tests {
    private func transport(usesHTTP2: Bool? = nil) -> CurlTransport {
      var options = CurlTransport.Options()
      if let usesHTTP2 { options.usesHTTP2 = usesHTTP2 }
      options.tls.certificateAuthorities = Bundle.module.url(
        forResource: "Server/certificate", withExtension: "pem")
      return CurlTransport(options: options)
    }

    private func outcome(
      of kind: String, in space: Space, over transport: CurlTransport
    ) async throws -> String {
      let request = HTTPRequest(
        url: try #require(space.http2(kind)), timeout: .seconds(600))
      do {
        let response = try await transport.send(request)
        let body = try await response.body.collect()
        return response.status == 200 && body.count == 34 ? "data" : "\(response.status)"
      } catch let error as HTTPTransportError {
        return error.code.description
      }
    }

    @Test("Resets, GOAWAY, trailers and interim heads end as typed errors or as the data (H3)")
    func kinds() async throws {
      let space = try await Space()
      let kinds = try await space.kinds("http2")
      #expect(kinds.count > 50)
      for kind in kinds {
        // A transport of its own: the connection is a part of what is tested.
        let transport = transport()
        var outcome = ""
        for _ in 0..<(kind.name.hasSuffix("-twice") ? 2 : 1) {
          outcome = try await self.outcome(of: kind.name, in: space, over: transport)
        }
        #expect(kind.outcomes.contains(outcome), "\(kind): \(outcome), not \(kind.expected)")
        await transport.close()
      }
    }

    @Test(
      "A server that offers HTTP/2 gets HTTP/1.1 if the options say so",
      arguments: [(nil, 34), (true, 34), (false, "HTTP/1.1".count)] as [(Bool?, Int)])
    func version(usesHTTP2: Bool?, length: Int) async throws {
      let space = try await Space()
      let transport = transport(usesHTTP2: usesHTTP2)
      let request = HTTPRequest(method: .get, url: try #require(space.http2("data")))
      #expect(try await transport.send(request).body.collect().count == length)
      await transport.close()
    }

    @Test("Requests share a connection, whose other requests survive a reset (H3)")
    func shared() async throws {
      let space = try await Space()
      let transport = transport()
      let kinds = ["data", "reset-CANCEL", "trailers", "reset-in-body-INTERNAL_ERROR"]
      try await withThrowingTaskGroup { group in
        for number in 0..<100 {
          group.addTask {
            let kind = kinds[number % 4]
            let outcome = try await outcome(of: kind, in: space, over: transport)
            #expect((outcome == "data") == (number % 2 == 0), "\(kind): \(outcome)")
          }
        }
        try await group.waitForAll()
      }
      await transport.close()
    }

    @Test(
      "The server learns at once that a response was dropped, whatever shares its connection (H9)")
    func dropped() async throws {
      let space = try await Space()
      let transport = transport()
      let request = HTTPRequest(method: .get, url: try #require(space.http2("open")))
      func open() async throws -> HTTPBody.Iterator {
        var body = try await transport.send(request).body.makeAsyncIterator()
        #expect(try await body.next() == Array("a".utf8))
        return body
      }
      var kept = try await open()
      do { _ = try await open() }
      #expect(try await space.stats(when: "dropped", reaches: 1).marks["dropped"] == 1)
      // The other response goes on, on the same connection.
      #expect(try await kept.next() == Array("b".utf8))
      kept = HTTPBody([]).makeAsyncIterator()
      #expect(try await space.stats(when: "dropped", reaches: 2).marks["dropped"] == 2)
      await transport.close()
    }

    @Test(
      "The server learns at once that a response was too large, whatever shares its connection (H9)",
      arguments: [false, true])
    func tooLarge(isShared: Bool) async throws {
      let space = try await Space()
      let transport = transport()
      func request(_ kind: String) throws -> HTTPRequest {
        HTTPRequest(
          method: .get, url: try #require(space.http2(kind)), responseBodyLimit: 100_000)
      }
      var other: HTTPBody.Iterator?
      if isShared {
        var body = try await transport.send(request("open")).body.makeAsyncIterator()
        #expect(try await body.next() == Array("a".utf8))
        other = body
      }
      // All of the body arrives at once, so that libcurl's function refuses it.
      await expectError(.tooLarge) {
        _ = try await transport.send(request("large")).body.collect()
      }
      #expect(try await space.stats(when: "dropped", reaches: 1).marks["dropped"] == 1)
      if isShared { #expect(try await other?.next() == Array("b".utf8)) }
      await transport.close()
    }

    @Test(
      "The server learns at once that the rest of an upload cannot be read (H9)",
      arguments: [false, true])
    func unreadableUpload(isShared: Bool) async throws {
      let space = try await Space()
      let transport = transport()
      var other: HTTPBody.Iterator?
      if isShared {
        let open = HTTPRequest(method: .get, url: try #require(space.http2("open")))
        other = try await transport.send(open).body.makeAsyncIterator()
        #expect(try await other?.next() == Array("a".utf8))
      }
      var upload = HTTPRequest(url: try #require(space.http2("upload")))
      upload.streamedBody = HTTPStreamedBody([
        .bytes([UInt8](repeating: 0, count: 10_000)),
        .file(URL(fileURLWithPath: "/nowhere"), length: 10_000),
      ])
      await expectError(.invalidRequest) { _ = try await transport.send(upload) }
      #expect(try await space.stats(when: "dropped", reaches: 1).marks["dropped"] == 1)
      if isShared { #expect(try await other?.next() == Array("b".utf8)) }
      await transport.close()
    }

    @Test("A response that is not read holds back none of the others on its connection (H13)")
    func unread() async throws {
      let space = try await Space()
      let transport = transport()
      func send(_ kind: String) async throws -> HTTPResponse {
        try await transport.send(
          HTTPRequest(
            method: .get, url: try #require(space.http2(kind)), timeout: .seconds(600),
            responseBodyLimit: 50_000_000))
      }
      let open = try await send("open")
      for _ in 0..<4 {
        let large = try await send("large")
        for _ in 0..<2 { #expect(try await send("data").body.collect().count == 34) }
        // The server does not end the body.
        var (count, body) = (0, large.body.makeAsyncIterator())
        while count < 8_000_000, let chunk = try await body.next() { count += chunk.count }
        #expect(count == 8_000_000)
      }
      withExtendedLifetime(open) {}
      await transport.close()
    }

    @Test(
      "A response that is not read, and cannot be paused, fails after 32 MiB (H13)",
      .enabled(if: CurlLibrary.pausesWholeConnections))
    func unreadForLong() async throws {
      let space = try await Space()
      let transport = transport()
      let url = try #require(space.http2("huge"))
      let response = try await transport.send(
        HTTPRequest(method: .get, url: url, responseBodyLimit: 50_000_000))
      #expect(try await space.stats(when: "dropped", reaches: 1).marks["dropped"] == 1)
      await expectError(.tooLarge) { _ = try await response.body.collect() }
      await transport.close()
    }

    #if os(Linux)
      @Test("A response that is dropped before it is read leaves no memory behind (H13)")
      func droppedUnread() async throws {
        // In a process of its own, because other tests take memory meanwhile.
        await #expect(processExitsWith: .success) {
          let space = try await Space()
          let transport = HTTP2Tests().transport()
          let url = try #require(space.http2("open"))
          let other = try await transport.send(HTTPRequest(method: .get, url: url))
          func drop(_ count: Int) async throws {
            let large = HTTPRequest(
              method: .get, url: try #require(space.http2("large")),
              responseBodyLimit: 10_000_000)
            let other = HTTPRequest(url: space.broken("data-200"))
            for _ in 0..<count {
              let response = try await transport.send(large)
              // Meanwhile, its body arrives.
              _ = try await transport.send(other).body.collect()
              withExtendedLifetime(response) {}
            }
          }
          try await drop(5)
          let before = residentBytes()
          try await drop(50)
          _ = try await space.stats(when: "dropped", reaches: 55)
          // Each may have inflated to 8 MB.
          #expect(residentBytes() - before < 100_000_000)
          await transport.close()
          withExtendedLifetime(other) {}
        }
      }
    #endif
  }
#endif
