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

    @Test("A libcurl without authorities of its own uses the first file that the system has")
    func authorities() {
      let files = ["/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem"]
      #expect(Authorities.find(nil) { files.contains($0) } == .file(files[0]))
      #expect(Authorities.find("/nowhere") { files.contains($0) } == .file(files[0]))
      #expect(Authorities.find("/mine.pem") { $0 == "/mine.pem" } == .file("/mine.pem"))
      #expect(Authorities.find(nil) { _ in false } == .missing)
      let unknown = "unable to get local issuer certificate"
      #expect(Authorities.missing.explaining(unknown).contains("certificateAuthorities"))
      #expect(Authorities.missing.explaining("Other host.") == "Other host.")
      #expect(Authorities.ofLibrary.explaining("Failed.") == "Failed.")
    }

    @Test(
      "A server that refuses the client's certificate is known by the words of each TLS library",
      arguments: [
        "OpenSSL SSL_read: error:0A00045C:SSL routines::tlsv13 alert certificate required, errno 0",
        "error:1000045c:SSL routines:OPENSSL_internal:TLSV1_ALERT_CERTIFICATE_REQUIRED",
      ])
    func alerts(message: String) {
      #expect(isAlert(message))
      #expect(!isAlert("Connection reset by peer"))
    }
  }
#endif
