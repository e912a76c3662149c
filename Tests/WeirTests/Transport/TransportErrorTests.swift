#if canImport(FoundationNetworking)
  import Foundation
  import FoundationNetworking
  import Testing

  @testable import Weir

  @Suite("Errors of libcurl")
  struct TransportErrorTests {
    @Test(
      "Each message of libcurl maps to an error code, on secure and plain connections (H3)",
      arguments: [
        (
          "SSL certificate problem: self-signed certificate", false,
          HTTPTransportError.Code.insecure
        ),
        ("OpenSSL/3.0.19: error:0A00010B:SSL routines::wrong version number", false, .insecure),
        (
          "OpenSSL SSL_connect: SSL_ERROR_SYSCALL in connection to localhost:1", false,
          .connectionLost
        ),
        ("Recv failure: Connection reset by peer", false, .connectionLost),
        ("Recv failure: Connection reset by peer", true, .connectionLost),
        (
          "HTTP/2 stream 1 was not closed cleanly before end of the underlying stream", false,
          .connectionLost
        ),
        ("OpenSSL SSL_write: Broken pipe, errno 32", false, .connectionLost),
        ("OpenSSL SSL_read: error:0A0003FC:SSL routines::bad record mac", true, .connectionLost),
        ("Unrecognized or bad HTTP Content or Transfer-Encoding", true, .badResponse),
        ("Error while processing content unencoding: incorrect header check", true, .badResponse),
        ("Failed writing received data to disk/application", true, .badResponse),
        ("Failed writing header", false, .badResponse),
        ("Failed to connect to a port 80 after 0 ms: Couldn't connect", false, .cannotConnect),
        ("Invalid Content-Length: value", false, .badResponse),
        ("Nul byte in header", false, .badResponse),
        ("transfer closed with outstanding read data remaining", true, .connectionLost),
        ("transfer closed with 5 bytes remaining to read", false, .connectionLost),
        ("HTTP/2 stream 1 was not closed cleanly: REFUSED_STREAM (err 7)", false, .connectionLost),
        ("Proxy CONNECT aborted", false, .connectionLost),
        ("CONNECT tunnel failed, response 407", false, .proxyRefused),
        ("CONNECT tunnel failed, response 502", false, .cannotConnect),
        ("Received HTTP code 403 from proxy after CONNECT", false, .proxyRefused),
        ("Whatever else", false, .other), ("Whatever else", true, .connectionLost),
      ])
    func codes(message: String, headArrived: Bool, code: HTTPTransportError.Code) {
      let error = URLError(.unknown, userInfo: [NSLocalizedDescriptionKey: message])
      #expect(HTTPTransportError(urlError: error, headArrived: headArrived).code == code)
    }

    @Test("The password of an invalid proxy is in no text of the error (H12)")
    func invalidProxy() {
      let message =
        "Unsupported proxy syntax in 'http://ann:pa#s3cret@proxy:3128': Port number was not a number"
      for code in [URLError.Code.unknown, .cannotFindHost, .unsupportedURL] {
        let error = HTTPTransportError(
          urlError: URLError(code, userInfo: [NSLocalizedDescriptionKey: message]),
          headArrived: false)
        #expect(error.code == .invalidRequest && error.message.contains("proxy"))
        var text = "\(error) \(String(reflecting: error)) "
        dump(error, to: &text)
        #expect(!text.contains("s3cret"))
      }
    }

    @Test(
      "A response that is not HTTP is the server's fault, not the request's (H3)",
      arguments: [
        "Received HTTP/0.9 when not allowed", "Unsupported HTTP version in response",
        "Unsupported response code in HTTP response",
      ])
    func noHTTP(message: String) {
      let error = URLError(.unsupportedURL, userInfo: [NSLocalizedDescriptionKey: message])
      #expect(HTTPTransportError(urlError: error, headArrived: false).code == .badResponse)
      let ours = URLError(.unsupportedURL, userInfo: [NSLocalizedDescriptionKey: "unsupported URL"])
      #expect(HTTPTransportError(urlError: ours, headArrived: false).code == .invalidRequest)
    }
  }
#endif
