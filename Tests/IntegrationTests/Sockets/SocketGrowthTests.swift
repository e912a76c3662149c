#if os(Linux)
  import Foundation
  import Testing
  import Weir
  import WeirCurl

  @Suite("Many WebSockets over libcurl", .timeLimit(.minutes(20)))
  struct SocketGrowthTests {
    /// `WEIR_STRESS=50` opens 10,000 sockets.
    @Test(
      "WebSockets that are closed or released leave no descriptor, thread or memory behind (H6)")
    func growth() async throws {
      // In a process of its own, because other tests use all that, too.
      await #expect(processExitsWith: .success) {
        let space = try await Space()
        let transport = CurlTransport()
        let url = try #require(space.socket("echo"))
        func use(_ count: Int) async throws {
          for number in 0..<count {
            let socket = try await transport.openSocket(to: url)
            try await socket.send("\(number)")
            #expect(try await socket.receive() == "\(number)")
            // Every other one is only released.
            if number % 2 == 0 { await socket.close(code: 1000, reason: "") }
          }
        }
        try await Holdings.expectNoGrowth(in: space, rounds: 200, use)
        await transport.close()
      }
    }
  }
#endif
