#if os(Linux) || os(macOS)
  import Foundation
  import Testing
  import Weir
  import WeirCurl

  extension CurlTransportTests {
    // MARK: The system's libcurl

    @Test("A libcurl that is too old is a typed error, which names its version")
    func oldLibrary() throws {
      let error = try #require(throws: HTTPTransportError.self) {
        try CurlLibrary.check(version: 0x07_4C_01)
      }
      #expect(error.code == .unsupported)
      #expect(error.message.contains("7.76.1"))
      try CurlLibrary.check(version: 0x07_51_00)
    }

    @Test("Faults on the thread of a transport reach the handlers of the process")
    func signals() async throws {
      let space = try await Space()
      let blocked = Locked<Set<Int32>>([])
      var request = HTTPRequest(method: .post, url: space.echo)
      request.streamedBody = HTTPStreamedBody([.bytes([1, 2, 3])]) { _ in
        var mask = sigset_t()
        pthread_sigmask(SIG_BLOCK, nil, &mask)
        let signals = (1..<32).filter { sigismember(&mask, $0) == 1 }
        blocked.withLock { $0.formUnion(signals) }
      }
      let transport = CurlTransport()
      _ = try await transport.send(request).body.collect()
      await transport.close()
      let signals = blocked.withLock { $0 }
      #expect(signals.isSuperset(of: [SIGTERM, SIGINT, SIGPIPE, SIGHUP, SIGALRM]))
      #expect(signals.isDisjoint(with: [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP]))
    }
  }
#endif
