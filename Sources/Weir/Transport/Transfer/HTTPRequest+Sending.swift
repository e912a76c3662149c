import Foundation

extension HTTPRequest {
  /// Sends the request, follows redirects, and sends it again if its connection was lost and that
  /// is safe.
  ///
  /// - Parameters:
  ///   - redirectLimit: The maximum number of redirects to follow; 0 for none.
  ///   - sendOnce: Sends a request once. Its second argument is whether the connection of the first
  ///     attempt was lost.
  /// - Returns: The response.
  /// - Throws: What `sendOnce` throws, or `tooManyRedirects`.
  package func sending(
    following redirectLimit: Int,
    _ sendOnce: (HTTPRequest, Bool) async throws(HTTPTransportError) -> HTTPResponse
  ) async throws(HTTPTransportError) -> HTTPResponse {
    var request = self
    var redirects = 0
    while true {
      let response = try await request.attempt(sendOnce)
      guard redirectLimit > 0, let location = response.redirect(of: request) else {
        return response
      }
      redirects += 1
      guard redirects <= redirectLimit else {
        throw HTTPTransportError(
          .tooManyRedirects, "The server redirected more than \(redirectLimit) times.")
      }
      request.url = location
    }
  }

  private func attempt(
    _ sendOnce: (HTTPRequest, Bool) async throws(HTTPTransportError) -> HTTPResponse
  ) async throws(HTTPTransportError) -> HTTPResponse {
    do {
      return try await sendOnce(self, false)
    } catch  where error.code == .connectionLost && isIdempotent {
      return try await sendOnce(self, true)
    }
  }

  /// Throws if the request cannot be sent by HTTP.
  package func check() throws(HTTPTransportError) {
    guard let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https",
      let host = url.host(), !host.isEmpty
    else {
      throw HTTPTransportError(
        .invalidRequest, "The URL is not an absolute http or https URL with a host.")
    }
    // The method is a token, too (RFC 9110, section 9.1).
    guard HTTPHeaders.isToken(method.rawValue) else {
      throw HTTPTransportError(.invalidRequest, "The method \"\(method.rawValue)\" is invalid.")
    }
    try HTTPTransportError.checkFields(of: headers)
  }

  /// The header fields to send: those that say where the body ends belong to the connection.
  package var sentHeaders: [HTTPHeaders.Field] {
    headers.filter { !$0.isNamed("content-length") && !$0.isNamed("transfer-encoding") }
  }
}

extension HTTPResponse {
  /// Returns the URL to which the same request can safely be sent instead.
  func redirect(of request: HTTPRequest) -> URL? {
    let isSafe = request.method == .get || request.method.rawValue == "HEAD"
    switch status {
    case 307, 308: break
    case 301...303 where isSafe: break
    default: return nil
    }
    guard let location = headers["location"],
      let url = URL(string: location, relativeTo: request.url)?.absoluteURL,
      url.host()?.lowercased() == request.url.host()?.lowercased(), url.user() == request.url.user()
    else { return nil }
    switch (request.url.scheme?.lowercased(), url.scheme?.lowercased()) {
    case ("http", "http"), ("https", "https"):
      return url.effectivePort == request.url.effectivePort ? url : nil
    case ("http", "https"):
      return request.url.effectivePort == 80 && url.effectivePort == 443 ? url : nil
    default:
      return nil
    }
  }
}

extension URL {
  /// The port, or the default one of the scheme.
  package var effectivePort: Int {
    port ?? (scheme?.lowercased() == "https" ? 443 : 80)
  }
}
