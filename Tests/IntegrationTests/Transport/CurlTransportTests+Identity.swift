#if os(Linux) || os(macOS)
  import Foundation
  import Testing
  import Weir
  import WeirCurl

  extension CurlTransportTests {
    @Test("A client's certificate is sent if there is one")
    func clientCertificate() async throws {
      let space = try await Space()
      let request = HTTPRequest(url: try #require(space.secure("client")))
      #expect(try await trusting().send(request).status == 403)
      let identified = try trusting {
        $0.tls.clientCertificate = CurlTransport.TLS.Identity(
          certificate: try file("certificate"), privateKey: try file("key"))
      }
      #expect(try await identified.send(request).status == 200)
      let missing = try trusting {
        $0.tls.clientCertificate = CurlTransport.TLS.Identity(
          certificate: URL(filePath: "/nowhere"), privateKey: URL(filePath: "/nowhere"))
      }
      await expectError(.insecure) { _ = try await missing.send(request) }
    }

    /// A transport whose private key has the password `s3cret`.
    private func transport(password: String?) throws -> CurlTransport {
      try trusting {
        $0.tls.clientCertificate = CurlTransport.TLS.Identity(
          certificate: try file("certificate"), privateKey: try file("encrypted-key"),
          password: password)
      }
    }

    @Test("The private key of a client's certificate can have a password")
    func password() async throws {
      let space = try await Space()
      let request = HTTPRequest(url: try #require(space.secure("client")))
      #expect(try await transport(password: "s3cret").send(request).status == 200)
      await expectError(.insecure) {
        _ = try await transport(password: "wrong").send(request)
      }
    }

    @Test("A private key without its password is a typed error, and nobody is asked for it")
    func missingPassword() async throws {
      await #expect(processExitsWith: .success) {
        let space = try await Space()
        let request = HTTPRequest(url: try #require(space.secure("client")))
        // OpenSSL would ask on the terminal of the session, or read the standard input if there is none.
        setsid()
        let input = Pipe()
        dup2(input.fileHandleForReading.fileDescriptor, STDIN_FILENO)
        try input.fileHandleForWriting.write(contentsOf: Data("s3cret\n".utf8))
        await expectError(.insecure) {
          _ = try await CurlTransportTests().transport(password: nil).send(request)
        }
      }
    }
  }
#endif
