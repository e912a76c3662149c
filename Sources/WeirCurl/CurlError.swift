#if os(Linux) || os(macOS)
  import CCurl
  import Foundation
  public import Weir

  /// An error of libcurl, as `HTTPTransportError.underlying` of an error of a ``CurlTransport``.
  public struct CurlError: Error, Hashable, Sendable, CustomStringConvertible {
    /// libcurl's number (`CURLcode`), such as 7 for a refused connection.
    public let code: Int
    /// libcurl's sentence.
    public let message: String

    /// The number and the sentence.
    public var description: String { "libcurl \(code): \(message)" }
  }

  extension HTTPTransportError.Code {
    /// The transport was closed or finished while the request was running, or before.
    public static let closed = HTTPTransportError.Code("closed")
  }

  extension HTTPTransportError {
    static let closed = HTTPTransportError(.closed, "The transport was closed.")

    /// The error of a response whose head or trailer has no end.
    static let tooManyFields = HTTPTransportError(
      .badResponse, "The response has too many or too large header and trailer fields.")

    static func lost(_ message: String) -> HTTPTransportError {
      HTTPTransportError(.connectionLost, message)
    }

    /// Converts an error of libcurl. `connectStatus` is the status of a proxy's answer to `CONNECT`,
    /// and `systemError` the `errno` of a failed connection; 0 if there was none.
    init(
      _ code: CURLcode, _ message: String, headArrived: Bool, connectStatus: Int, systemError: Int
    ) {
      let kind: Code
      var message = message
      // libcurl quotes the whole URL, with the password.
      let hasInvalidProxy = message.hasPrefix("Unsupported proxy")
      if hasInvalidProxy {
        message = HTTPTransportError.invalidProxyMessage
      }
      var text = message
      if hasInvalidProxy {
        kind = .invalidRequest
      } else if !headArrived, connectStatus >= 300 {
        kind = .connectRefused(status: connectStatus)
        text = "The proxy answered \(connectStatus) to CONNECT."
      } else if code == CURLE_COULDNT_CONNECT,
        systemError == Int(ENETUNREACH) || systemError == Int(ENETDOWN)
      {
        kind = .offline
      } else {
        if code == CURLE_PEER_FAILED_VERIFICATION { text = Authorities.current.explaining(text) }
        kind = Code(code, message, headArrived: headArrived)
      }
      self.init(kind, text, underlying: CurlError(code: Int(code.rawValue), message: message))
    }
  }

  extension HTTPTransportError.Code {
    fileprivate init(_ code: CURLcode, _ message: String, headArrived: Bool) {
      switch code {
      case CURLE_OPERATION_TIMEDOUT: self = .timedOut
      case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: self = .hostNotFound
      case CURLE_COULDNT_CONNECT, CURLE_PROXY, CURLE_INTERFACE_FAILED: self = .cannotConnect
      case CURLE_SSL_CONNECT_ERROR where lostConnection.contains(where: message.contains):
        self = .connectionLost
      case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM,
        CURLE_SSL_CIPHER, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CRL_BADFILE, CURLE_SSL_ISSUER_ERROR,
        CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_CLIENTCERT,
        CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_ENGINE_SETFAILED, CURLE_SSL_ENGINE_INITFAILED,
        CURLE_USE_SSL_FAILED:
        self = .insecure
      // With TLS 1.3, a server refuses a client's certificate after the handshake.
      case CURLE_RECV_ERROR where isAlert(message), CURLE_SEND_ERROR where isAlert(message):
        self = .insecure
      case CURLE_RECV_ERROR where brokenResponse.contains(where: message.contains):
        self = .badResponse
      case CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_PARTIAL_FILE,
        CURLE_SEND_FAIL_REWIND, CURLE_HTTP2, CURLE_HTTP2_STREAM, CURLE_HTTP3,
        CURLE_QUIC_CONNECT_ERROR, CURLE_SSL_SHUTDOWN_FAILED, CURLE_AGAIN:
        self = .connectionLost
      // libcurl keeps at most 64 MiB of what a paused response inflates to.
      case CURLE_OUT_OF_MEMORY where headArrived: self = .tooLarge
      // libcurl reports a response that is not HTTP as an unsupported protocol, too.
      case CURLE_UNSUPPORTED_PROTOCOL where brokenResponse.contains(where: message.contains),
        // A header line of more than 100 KiB is reported as a lack of memory.
        CURLE_OUT_OF_MEMORY, CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING,
        CURLE_WRITE_ERROR,
        CURLE_HTTP_RETURNED_ERROR, CURLE_RANGE_ERROR, CURLE_BAD_DOWNLOAD_RESUME:
        self = .badResponse
      case CURLE_UNSUPPORTED_PROTOCOL, CURLE_URL_MALFORMAT, CURLE_READ_ERROR:
        self = .invalidRequest
      case CURLE_FILESIZE_EXCEEDED: self = .tooLarge
      case CURLE_TOO_MANY_REDIRECTS: self = .tooManyRedirects
      case CURLE_ABORTED_BY_CALLBACK: self = .cancelled
      // `CURLE_TOO_LARGE` of libcurl 8.6 and later: a header line of more than 100 KiB.
      case _ where code.rawValue == 100: self = .badResponse
      default: self = headArrived ? .connectionLost : .other
      }
    }
  }

  /// Whether a message is that the peer has ended the connection by an alert of TLS. OpenSSL writes
  /// `tlsv13 alert certificate required`, and BoringSSL `TLSV1_ALERT_CERTIFICATE_REQUIRED`.
  package func isAlert(_ message: String) -> Bool {
    message.contains("SSL routines") && message.lowercased().contains("alert")
  }

  /// Parts of libcurl's messages when the peer has closed the connection during the TLS handshake. A
  /// restarting server or its proxy does that, and is available again a moment later.
  private let lostConnection = [
    "Connection reset", "Broken pipe", "SSL_ERROR_SYSCALL", "unexpected eof",
    "before end of the underlying stream",
  ]

  /// Parts of libcurl's messages when it cannot read the response.
  private let brokenResponse = [
    "ncoding", "HTTP/0.9", "HTTP version", "in HTTP response", "in response", "Content-Length",
    "Header without", "byte in header", "Invalid status line", "Too large response header",
    // An answer in another protocol, after a server has refused HTTP/2 in the middle of a request.
    "Empty reply",
  ]
#endif
