#if os(Linux)
  import Foundation
  import Testing
  import Weir
  import WeirCurl

  /// Processes that end while their requests are running, as tools and servers do.
  @Suite("CurlTransport and the end of the process", .timeLimit(.minutes(10)))
  struct ProcessExitTests {
    private static let url = ProcessInfo.processInfo.environment["WEIR_EXIT_URL"]
      .flatMap { URL(string: $0) }

    @Test("A process that ends while requests are running ends with its own status")
    func ownStatus() async throws {
      let space = try await Space()
      let url = try #require(space.secure("broken/data-200"))
      let status = try await status(
        ofChild: "ProcessExitTests/exits", ["WEIR_EXIT_URL": url.absoluteString])
      #expect(status == 7)
    }

    @Test("A process that ends while requests to the URL are running", .enabled(if: url != nil))
    func exits() async throws {
      let url = try #require(Self.url)
      // Called after OpenSSL has freed its data, because it is registered before that is made.
      atexit { usleep(500_000) }
      var options = CurlTransport.Options()
      options.tls.certificateAuthorities = Bundle.module.url(
        forResource: "Server/certificate", withExtension: "pem")
      let (transport, request) = (CurlTransport(options: options), HTTPRequest(url: url))
      #expect(try await transport.send(request).body.collect().count == 34)
      let (answers, answered) = AsyncStream.makeStream(of: Void.self)
      for _ in 0..<8 {
        Task.detached {
          while true {
            _ = try? await transport.send(request).body.collect()
            answered.yield()
          }
        }
      }
      var count = 0
      for await _ in answers {
        count += 1
        if count == 50 { break }
      }
      exit(7)
    }
  }
#endif
