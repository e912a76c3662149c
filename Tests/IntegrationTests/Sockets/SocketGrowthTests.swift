#if os(Linux)
  import Foundation
  import Testing
  import Weir
  import WeirCurl

  @Suite("Many WebSockets over libcurl", .timeLimit(.minutes(20)))
  struct SocketGrowthTests {
    /// `WEIR_STRESS=50` opens 10,000 sockets.
    private static let factor =
      ProcessInfo.processInfo.environment["WEIR_STRESS"].flatMap(Int.init) ?? 1

    private func entries(of directory: String) throws -> Int {
      try FileManager.default.contentsOfDirectory(atPath: "/proc/self/\(directory)").count
    }

    @Test("WebSockets that are opened and closed leave no descriptor, thread or memory behind (H6)")
    func growth() async throws {
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
      // Later sockets use what the first ones have allocated.
      try await use(20)
      let (descriptors, threads) = (try entries(of: "fd"), try entries(of: "task"))
      let bytes = residentBytes()
      let count = max(800, 200 * Self.factor)
      try await use(count)
      await transport.close()
      // Other tests open some at the same time, but fewer.
      #expect(try entries(of: "fd") < descriptors + count / 2)
      #expect(try entries(of: "task") < threads + count / 2)
      // Other tests use memory at the same time, unless this one runs alone.
      if Self.factor > 1 { #expect(residentBytes() - bytes < 60_000_000) }
    }
  }
#endif
