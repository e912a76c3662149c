#if os(Linux) || os(macOS)
  import Foundation
  import Testing
  import Weir
  import WeirCurl

  /// Compressed bodies that inflate a thousandfold, without end.
  @Suite("CurlTransport and compressed floods", .timeLimit(.minutes(10)))
  struct CompressedFloodTests {
    /// Sends ordinary requests over a transport; returns how many bytes they got.
    private func others(_ transport: CurlTransport, _ space: Space) async throws -> Int {
      try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<50 {
          group.addTask {
            try await transport.send(HTTPRequest(url: space.broken("data-200"))).body.collect()
              .count
          }
        }
        return try await group.reduce(0, +)
      }
    }

    @Test("A body that nobody reads is inflated no further, and other requests go on (H13)")
    func unread() async throws {
      let space = try await Space()
      let transport = CurlTransport()
      let response = try await transport.send(HTTPRequest(method: .get, url: space.view("bomb")))
      var body = response.body.makeAsyncIterator()
      var received = try #require(try await body.next()).count
      // The server cannot send any more: the transport does not read on.
      _ = try await space.stats(when: "stalled", reaches: 1)
      #expect(try await others(transport, space) == 50 * 34)
      // Parts of 64 KiB: only the system's buffers are full.
      #expect(try await space.stats().marks["sent", default: 0] < 1_000)
      // The rest of the body is read after that.
      while received < 40_000_000, let chunk = try await body.next() { received += chunk.count }
      #expect(received >= 40_000_000)
    }

    @Test("What inflates a million times is refused, even if no limit is set (H13)")
    func brotli() async throws {
      let space = try await Space()
      let transport = CurlTransport()
      let response = try await transport.send(
        HTTPRequest(method: .get, url: space.other("brotli"), responseBodyLimit: nil))
      var body = response.body.makeAsyncIterator()
      // Nobody reads on meanwhile.
      _ = try await body.next()
      #expect(try await others(transport, space) == 50 * 34)
      await expectError(.tooLarge) { while try await body.next() != nil {} }
      #expect(try await others(transport, space) == 50 * 34)
    }

    @Test("A body over the limit is refused, is not inflated any further, and delays nobody (H13)")
    func refused() async throws {
      let space = try await Space()
      let transport = CurlTransport()
      let request = HTTPRequest(
        method: .get, url: space.view("bomb"), responseBodyLimit: 1_000_000)
      for _ in 0..<3 {
        let response = try await transport.send(request)
        async let rest = others(transport, space)
        var received = 0
        await expectError(.tooLarge) {
          for try await chunk in response.body { received += chunk.count }
        }
        #expect(received <= 1_000_000)
        #expect(try await rest == 50 * 34)
      }
      // An endless body ends only when its connection does.
      #expect(try await space.stats(when: "refused", reaches: 3).marks["refused"] == 3)
    }
  }
#endif
