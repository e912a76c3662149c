#if os(Linux) || os(macOS)
  import Foundation
  import Testing
  import Weir
  import WeirCurl

  @Suite("CurlTransport and proxies that cannot be used", .timeLimit(.minutes(10)))
  struct CurlProxyTests {
    @Test("A proxy that cannot be found or reached is a typed error (H3)")
    func missingProxy() async throws {
      let url = try #require(URL(string: "http://example.invalid/"))
      for (proxy, code) in [
        ("http://127.0.0.1:1", HTTPTransportError.Code.cannotConnect),
        ("socks5h://127.0.0.1:1", .cannotConnect), ("http://nowhere.invalid:80", .hostNotFound),
      ] {
        var options = CurlTransport.Options()
        (options.proxy, options.connectTimeout) = (.url(proxy), nil)
        await expectError(code) {
          _ = try await CurlTransport(options: options).send(HTTPRequest(url: url))
        }
      }
    }

    @Test("The environment names the proxy, unless the options exclude any (H3)")
    func environment() async throws {
      await #expect(processExitsWith: .success) {
        unsetenv("no_proxy")
        unsetenv("NO_PROXY")
        setenv("http_proxy", "http://127.0.0.1:1", 1)
        let url = try #require(URL(string: "http://nowhere.invalid/"))
        var options = CurlTransport.Options()
        options.connectTimeout = nil
        // Only the proxy would look for the host.
        for (proxy, code) in [
          (options.proxy, HTTPTransportError.Code.cannotConnect), (.environment, .cannotConnect),
          (.none, .hostNotFound),
        ] {
          options.proxy = proxy
          await expectError(code) { [options] in
            _ = try await CurlTransport(options: options).send(HTTPRequest(url: url))
          }
        }
      }
    }

    @Test(
      "The URL of a proxy that libcurl refuses is in no text, and the request is not retried (H12)",
      arguments: ["http://ann:pa#s3cret@proxy:3128", "gopher://ann:s3cret@proxy:3128"])
    func invalidProxy(proxy: String) async throws {
      var options = CurlTransport.Options()
      options.proxy = .url(proxy)
      let url = try #require(URL(string: "http://example.invalid/"))
      var thrown: HTTPTransportError?
      do {
        _ = try await CurlTransport(options: options).send(HTTPRequest(url: url))
      } catch let error as HTTPTransportError {
        thrown = error
      }
      let error = try #require(thrown)
      #expect(error.code == .invalidRequest)
      #expect(error.underlying is CurlError)
      var text = "\(error) \(String(reflecting: error))"
      dump(error, to: &text)
      #expect(!text.contains("s3cret") && !text.contains("ann:"))
    }

    @Test("No text of a transport's options contains a password (H12)")
    func options() {
      var options = CurlTransport.Options()
      options.proxy = .url("http://ann:s3cret@proxy.example:3128")
      let file = URL(filePath: "/client.pem")
      options.tls.clientCertificate = CurlTransport.TLS.Identity(
        certificate: file, privateKey: file, password: "s3cret")
      var text = "\(options) \(String(reflecting: options)) \(options.proxy)"
      dump(options, to: &text)
      dump(options.proxy, to: &text)
      #expect(!text.contains("s3cret") && !text.contains("ann"))
      #expect(text.contains("proxy.example:3128"))
      #expect("\(CurlTransport.Proxy.url("ann:s3cret@proxy.example:3128"))" == "(no valid URL)")
    }
  }
#endif
