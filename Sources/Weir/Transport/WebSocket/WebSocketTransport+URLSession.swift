public import Foundation

#if canImport(Darwin)
  extension WebSocketTransport {
    /// Makes a transport over `URLSession`'s WebSocket, which exists on Apple platforms only.
    ///
    /// If the server refuses the handshake, operations fail with the status that it answered, so that an
    /// ``AuthExchange`` renews the credentials. Redirects are not followed. A message that is too large ends the connection with the
    /// code 1009, and its operations are not started again.
    ///
    /// - Parameters:
    ///   - url: A `ws` or `wss` URL.
    ///   - session: The session that opens the connections. Its configuration applies, and its delegate
    ///     answers authentication challenges.
    ///   - headers: Returns the header fields of the request that opens a connection. Called for each
    ///     connection.
    ///   - maximumMessageBytes: The maximum size of a message in bytes; a larger one ends the
    ///     connection. Default 16 MiB.
    ///   - configuration: The settings.
    /// - Throws: `invalidRequest` for another kind of URL.
    public convenience init(
      url: URL, session: URLSession = .shared,
      headers: @escaping @Sendable () async throws -> HTTPHeaders = { [:] },
      maximumMessageBytes: Int = 16 << 20,
      configuration: WebSocketConfiguration = WebSocketConfiguration()
    ) throws(HTTPTransportError) {
      guard ["ws", "wss"].contains(url.scheme?.lowercased()) else {
        throw HTTPTransportError(.invalidRequest, "The URL is not an absolute ws or wss URL.")
      }
      self.init(configuration, headers: headers) { headers in
        try URLSessionWebSocket(url, session: session, headers: headers, limit: maximumMessageBytes)
      }
    }
  }
#else
  extension WebSocketTransport {
    /// Always throws: this platform's `URLSession` has no WebSockets. (On Apple platforms, it makes a
    /// transport over them, and has one more parameter, `session`.)
    ///
    /// - Throws: `unsupported`. Use the product `WeirCurl` instead:
    ///   `WebSocketTransport(url: url, socket: .curl)`.
    public convenience init(
      url: URL, headers: @escaping @Sendable () async throws -> HTTPHeaders = { [:] },
      maximumMessageBytes: Int = 16 << 20,
      configuration: WebSocketConfiguration = WebSocketConfiguration()
    ) throws(HTTPTransportError) {
      throw HTTPTransportError(
        .unsupported,
        "WebSockets are not supported by this platform's URLSession."
          + " With the product WeirCurl, pass it as the socket:"
          + " WebSocketTransport(url: url, socket: .curl).")
    }
  }
#endif

extension HTTPTransportError.Code {
  /// The platform does not support the feature.
  public static let unsupported = HTTPTransportError.Code("unsupported")
}
