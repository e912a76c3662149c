import TestSupport

#if os(Linux)
  import Foundation
  import Testing
  import Weir
  import WeirCurl

  /// Many requests and many transports. `WEIR_STRESS` multiplies them.
  @Suite("CurlTransport under stress", .timeLimit(.minutes(60)))
  struct CurlStressTests {
    /// Sends a request whose answer no other request gets, and cancels it at some moment, or not.
    ///
    /// - Returns: Whether it ended as it must.
    private func request(
      _ number: Int, isCancelled: Bool, over transport: CurlTransport, _ url: URL
    ) async throws -> Bool {
      let request = HTTPRequest(
        url: url.appending(path: "\(number)"), body: Array("body \(number)".utf8))
      let task = Task { try await transport.send(request).body.collect() }
      if isCancelled {
        for _ in 0..<Int.random(in: 0...200) { await Task.yield() }
        task.cancel()
      }
      do {
        let text = String(decoding: try await task.value, as: UTF8.self)
        return text.contains("/\(number) HTTP/1.1\r\n") && text.hasSuffix("\r\n\r\nbody \(number)")
      } catch let error as HTTPTransportError {
        return isCancelled && error.code == .cancelled
      }
    }

    @Test("Half of many requests are cancelled, and the others get their own answers (H9)")
    func cancelled() async throws {
      let space = try await Space()
      let transport = CurlTransport()
      let count = Stress.rounds(2_000)
      let right = try await withThrowingTaskGroup(of: Bool.self) { group in
        var right = 0
        for number in 0..<count {
          if number >= 64, try await group.next() == true { right += 1 }
          group.addTask { [transport] in
            try await request(number, isCancelled: .random(), over: transport, space.echo)
          }
        }
        for try await isRight in group where isRight { right += 1 }
        return right
      }
      #expect(right == count)
      await transport.close()
    }

    @Test(
      "Transports that are closed or released leave no descriptor, thread or memory behind (H6)")
    func growth() async throws {
      // In a process of its own, because other tests use all that, too.
      await #expect(processExitsWith: .success) {
        let space = try await Space()
        func use(_ count: Int) async throws {
          for number in 0..<count {
            let transport = CurlTransport()
            let request = HTTPRequest(url: space.echo, body: [1, 2, 3])
            #expect(try await transport.send(request).body.collect().isEmpty == false)
            // Every other one is only released.
            if number % 2 == 0 { await transport.close() }
          }
        }
        try await Holdings.expectNoGrowth(in: space, rounds: 200, use)
      }
    }
  }
#endif
