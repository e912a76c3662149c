#if os(Linux)
  import Foundation
  import Testing
  import Weir
  import WeirCurl

  /// Many requests and many transports. `WEIR_STRESS` multiplies the rounds.
  @Suite("CurlTransport under stress", .timeLimit(.minutes(60)))
  struct CurlStressTests {
    private static let factor =
      ProcessInfo.processInfo.environment["WEIR_STRESS"].flatMap(Int.init) ?? 1

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

    @Test("Of 2,000 requests half are cancelled, and the others get their own answers (H9)")
    func cancelled() async throws {
      let space = try await Space()
      let transport = CurlTransport()
      for _ in 0..<Self.factor {
        let right = try await withThrowingTaskGroup(of: Bool.self) { group in
          var right = 0
          for number in 0..<2_000 {
            if number >= 64, try await group.next() == true { right += 1 }
            group.addTask { [transport] in
              try await request(
                number, isCancelled: .random(), over: transport, space.echo)
            }
          }
          for try await isRight in group where isRight { right += 1 }
          return right
        }
        #expect(right == 2_000)
      }
      await transport.close()
    }

    private func entries(of directory: String) throws -> Int {
      try FileManager.default.contentsOfDirectory(atPath: "/proc/self/\(directory)").count
    }

    @Test("Transports that are opened and closed leave no descriptor, thread or memory behind (H6)")
    func growth() async throws {
      let space = try await Space()
      func use(_ count: Int) async throws {
        for number in 0..<count {
          let transport = CurlTransport()
          let request = HTTPRequest(url: space.echo, body: [1, 2, 3])
          #expect(try await transport.send(request).body.collect().isEmpty == false)
          // Every fourth one is only released.
          if number % 4 > 0 { await transport.close() }
        }
      }
      // Later transports use what the first ones have allocated.
      try await use(50)
      let (descriptors, threads) = (try entries(of: "fd"), try entries(of: "task"))
      let bytes = residentBytes()
      let count = 200 * Self.factor
      try await use(count)
      // Other tests open some at the same time. Each transport would leave three.
      #expect(try entries(of: "fd") < descriptors + 2 * count)
      #expect(try entries(of: "task") < threads + count / 2)
      // Other tests use memory at the same time, unless this one runs alone.
      if Self.factor > 1 { #expect(residentBytes() - bytes < 60_000_000) }
    }
  }
#endif
