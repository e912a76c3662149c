import TestSupport

#if os(Linux) || os(macOS)
  import Foundation
  import Testing
  import Weir
  import WeirCurl

  @Suite("CurlTransport and hostile servers", .timeLimit(.minutes(10)))
  struct HostileServerTests {
    private let data = Array(#"{"data":{"hello":"Hello, world!"}}"#.utf8)

    /// Sends one request and returns how it ends, in the words of `Server/hostile.py`.
    private func outcome(
      of request: HTTPRequest, over transport: CurlTransport
    ) async throws -> String {
      do {
        let response = try await transport.send(request)
        let body = try await response.body.collect()
        return response.status == 200 && body == data ? "data" : "\(response.status)"
      } catch let error as HTTPTransportError {
        return error.code.description
      }
    }

    private func check(
      _ kinds: [BrokenKind], over transport: CurlTransport, url: (String) -> URL?
    ) async throws {
      for kind in kinds {
        let isSlow = kind.outcomes.contains("timedOut")
        let request = HTTPRequest(
          url: try #require(url(kind.name)), timeout: isSlow ? .milliseconds(300) : .seconds(600),
          responseBodyLimit: 1_000_000)
        let outcome = try await outcome(of: request, over: transport)
        #expect(kind.outcomes.contains(outcome), "\(kind): \(outcome), not \(kind.expected)")
      }
    }

    @Test("Each response ends as a typed error or as what it says, and never as wrong data (H3)")
    func responses() async throws {
      let space = try await Space()
      let kinds = try await space.kinds("hostile")
      #expect(kinds.count > 1_500)
      try await check(Stress.some(of: kinds), over: CurlTransport()) { space.hostile($0) }
    }

    @Test("A proxy's answer to CONNECT is never taken for the response (H3)")
    func proxies() async throws {
      let space = try await Space()
      let kinds = try await space.kinds("proxy")
      #expect(kinds.count > 50)
      var options = CurlTransport.Options()
      options.proxy = .url(space.proxy)
      try await check(kinds, over: CurlTransport(options: options)) {
        URL(string: "https://\($0).invalid/")
      }
    }
  }
#endif
