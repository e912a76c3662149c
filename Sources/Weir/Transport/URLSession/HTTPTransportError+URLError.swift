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
    case .badURL, .unsupportedURL: self = .invalidRequest
    // Linux: the connection was closed with no answer.
    case .badServerResponse where !headArrived: self = .connectionLost
    case .badServerResponse, .cannotDecodeContentData, .cannotDecodeRawData, .cannotParseResponse:
      self = .badResponse
    default: self.init(unknown: message, headArrived: headArrived)
    }
  }

  private init(unknown message: String, headArrived: Bool) {
    if message.contains("SSL") || message.contains("certificate") {
      self = .insecure
    } else if ["encoding", "HTTP/0.9", "writing header"].contains(where: message.contains) {
      self = .badResponse
    } else {
      self = headArrived ? .connectionLost : .other
    }
  }
}
