import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension HTTPTransportError {
  /// Says what an error of `URLSession` means.
  ///
  /// On Linux most failures of libcurl arrive as `URLError.unknown` with a sentence; after the head
  /// has arrived they mean that the rest of the body is lost.
  init(urlError error: any Error, headArrived: Bool) {
    let code = (error as? URLError)?.code ?? .unknown
    self.init(
      Code(code, message: error.localizedDescription, headArrived: headArrived),
      error.localizedDescription, underlying: error)
  }
}

extension HTTPTransportError.Code {
  fileprivate init(_ code: URLError.Code, message: String, headArrived: Bool) {
    switch code {
    case .cancelled, .userCancelledAuthentication: self = .cancelled
    case .timedOut: self = .timedOut
    case .cannotConnectToHost: self = .cannotConnect
    case .cannotFindHost, .dnsLookupFailed: self = .hostNotFound
    case .notConnectedToInternet, .internationalRoamingOff, .dataNotAllowed, .callIsActive:
      self = .offline
    case .networkConnectionLost: self = .connectionLost
    case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate,
      .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
      .clientCertificateRequired, .appTransportSecurityRequiresSecureConnection:
      self = .insecure
    case .dataLengthExceedsMaximum: self = .tooLarge
    case .httpTooManyRedirects: self = .tooManyRedirects
    // Linux: curl calls what speaks no HTTP an unsupported protocol, too.
    case .unsupportedURL where brokenResponse.contains(where: message.contains):
      self = .badResponse
    case .badURL, .unsupportedURL: self = .invalidRequest
    // Linux: the connection was closed with no answer.
    case .badServerResponse where !headArrived: self = .connectionLost
    case .badServerResponse, .cannotDecodeContentData, .cannotDecodeRawData, .cannotParseResponse:
      self = .badResponse
    default: self.init(unknown: message, headArrived: headArrived)
    }
  }

  private init(unknown message: String, headArrived: Bool) {
    if lostConnection.contains(where: message.contains) {
      self = .connectionLost
    } else if !headArrived, message.contains("SSL") || message.contains("certificate") {
      self = .insecure
    } else if !headArrived, message.hasPrefix("Failed to connect") {
      // If there is no way there; a connection that is refused has a code.
      self = .cannotConnect
    } else if brokenResponse.contains(where: message.contains) {
      self = .badResponse
    } else {
      self = headArrived ? .connectionLost : .other
    }
  }
}

/// Parts of what libcurl says if the other side has gone, be it in the middle of the TLS handshake:
/// a server that restarts, or what stands before it, does that, and is there again a moment later.
private let lostConnection = [
  "Connection reset", "Broken pipe", "SSL_ERROR_SYSCALL", "before end of the underlying stream",
]

/// Parts of what libcurl says if it cannot read what came. To write is to unpack it, too, and to hand
/// it on: which fails for what `URLSession` does not take for a header field.
private let brokenResponse = [
  "ncoding", "HTTP/0.9", "in HTTP response", "in response", "Content-Length", "Header without",
  "byte in header", "writing header", "writing received data",
]
