import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension HTTPTransportError {
  /// Converts an error of `URLSession`.
  ///
  /// On Linux, most failures of libcurl arrive as `URLError.unknown` with a message. After the head
  /// has arrived, they mean that the rest of the body is lost.
  ///
  /// The underlying error keeps its code and its text, but no password and no query items: a GET
  /// has the variables in its URL.
  init(urlError error: any Error, headArrived: Bool) {
    guard !error.localizedDescription.hasPrefix(invalidProxy) else {
      self.init(.invalidRequest, Self.invalidProxyMessage)
      return
    }
    let urlCode = (error as? URLError)?.code ?? .unknown
    let code =
      (error as? POSIXError).flatMap { Code($0.code) }
      ?? Code(urlCode, message: error.localizedDescription, headArrived: headArrived)
    self.init(code, error.localizedDescription, underlying: withoutSecrets(error))
  }
}

extension HTTPTransportError {
  /// Takes the place of libcurl's message, which quotes the whole URL, with the password.
  package static let invalidProxyMessage =
    "The URL of the proxy is invalid, or libcurl does not support it."
}

/// How libcurl's message about the URL of a proxy begins.
private let invalidProxy = "Unsupported proxy"

private func withoutSecrets(_ error: any Error) -> any Error {
  if let error = error as? URLError {
    return URLError(error.code, userInfo: withoutSecrets(error.userInfo))
  }
  if let error = error as? POSIXError { return POSIXError(error.code) }
  return URLError(.unknown, userInfo: [NSLocalizedDescriptionKey: error.localizedDescription])
}

/// Keeps numbers, the description, underlying errors, and URLs without password and query items.
private func withoutSecrets(_ userInfo: [String: Any]) -> [String: Any] {
  userInfo.reduce(into: [:]) { kept, entry in
    switch entry.value {
    case let number as Int: kept[entry.key] = number
    case let text as String where entry.key == NSLocalizedDescriptionKey: kept[entry.key] = text
    case let url as URL: kept[entry.key] = url.withoutSecrets
    case let error as any Error: kept[entry.key] = withoutSecrets(error)
    default: break
    }
  }
}

extension HTTPTransportError.Code {
  /// Apple's systems report a connection that ended while the app was suspended like this.
  fileprivate init?(_ code: POSIXErrorCode) {
    switch code {
    case .ECONNABORTED, .ECONNRESET, .ENOTCONN, .EPIPE: self = .connectionLost
    case .ETIMEDOUT: self = .timedOut
    case .ECONNREFUSED, .EHOSTUNREACH, .ENETUNREACH: self = .cannotConnect
    case .ENETDOWN: self = .offline
    default: return nil
    }
  }

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
    // On Linux, libcurl reports a response that is not HTTP as an unsupported protocol, too.
    case .unsupportedURL where brokenResponse.contains(where: message.contains):
      self = .badResponse
    case .badURL, .unsupportedURL: self = .invalidRequest
    // On Linux: the connection was closed without a response.
    case .badServerResponse where !headArrived: self = .connectionLost
    case .badServerResponse, .cannotDecodeContentData, .cannotDecodeRawData, .cannotParseResponse:
      self = .badResponse
    default: self.init(unknown: message, headArrived: headArrived)
    }
  }

  private init(unknown message: String, headArrived: Bool) {
    if message.contains("CONNECT tunnel failed") || message.contains("from proxy after CONNECT") {
      let numbers = message.split { !$0.isNumber }.compactMap { Int($0) }
      self = .connectRefused(status: numbers.first { $0 >= 300 } ?? 0)
    } else if lostConnection.contains(where: message.contains) {
      self = .connectionLost
    } else if !headArrived, message.contains("SSL") || message.contains("certificate") {
      self = .insecure
    } else if !headArrived, message.hasPrefix("Failed to connect") {
      // There is no route to the host; a refused connection has a code of its own.
      self = .cannotConnect
    } else if brokenResponse.contains(where: message.contains) {
      self = .badResponse
    } else {
      self = headArrived ? .connectionLost : .other
    }
  }
}

/// Parts of libcurl's messages when the peer has closed the connection, possibly during the TLS
/// handshake. A restarting server or its proxy does that, and is available again a moment later.
private let lostConnection = [
  "Connection reset", "Broken pipe", "SSL_ERROR_SYSCALL", "before end of the underlying stream",
  "was not closed cleanly", "Proxy CONNECT aborted", "transfer closed with", "bytes missing",
]

/// Parts of libcurl's messages when it cannot read the response. "Writing" includes decompressing
/// it and handing it to `URLSession`, which rejects some header fields.
private let brokenResponse = [
  "ncoding", "HTTP/0.9", "in HTTP response", "in response", "Content-Length", "Header without",
  "byte in header", "writing header", "writing received data",
]
