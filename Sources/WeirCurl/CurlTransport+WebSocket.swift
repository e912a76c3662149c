#if os(Linux) || os(macOS)
  public import Foundation
  public import Weir

  extension WebSocketTransport {
    /// Makes a transport over libcurl's connections, on Linux and macOS.
    ///
    /// ```swift
    /// let transport = try WebSocketTransport(url: url, socket: .curl)
    /// ```
    ///
    /// The connection is made as for requests: with the same proxy, time limit to connect, and TLS
    /// settings. Through a proxy, the handshake is sent in a tunnel, also for `ws`. WebSockets share
    /// the thread of the other transport, and do not count towards
    /// ``CurlTransport/Options/connectionsPerHost``.
    ///
    /// If the server refuses, operations end with an `OperationError` of the code `httpStatus`.
    /// Redirects are not followed. A user and a password in the URL are sent (Basic authentication),
    /// unless the header fields have an `Authorization`. Compression (`permessage-deflate`) is not offered.
    ///
    /// - Parameters:
    ///   - url: A `ws` or `wss` URL.
    ///   - transport: The transport whose thread and settings are used, such as `.curl`.
    ///   - headers: Returns the header fields of the request that opens a connection. Called for each
    ///     connection.
    ///   - maximumMessageBytes: The maximum size of a message in bytes; a larger one ends the
    ///     connection. Default 16 MiB.
    ///   - configuration: The settings.
    /// - Throws: `invalidRequest` if the URL is not an absolute `ws` or `wss` URL.
    public convenience init(
      url: URL, socket transport: CurlTransport,
      headers: @escaping @Sendable () async throws -> HTTPHeaders = { [:] },
      maximumMessageBytes: Int = 16 << 20,
      configuration: WebSocketConfiguration = WebSocketConfiguration()
    ) throws(HTTPTransportError) {
      _ = try SocketAddress(url)
      self.init(configuration, headers: headers) { headers in
        try await transport.openSocket(
          to: url, headers: headers, maximumMessageBytes: maximumMessageBytes)
      }
    }
  }

  extension CurlTransport {
    /// Opens a WebSocket.
    package func openSocket(
      to url: URL, headers: HTTPHeaders = [:], subprotocol: String = "graphql-transport-ws",
      maximumMessageBytes: Int = 16 << 20
    ) async throws -> any TextSocket {
      let address = try SocketAddress(url)
      try HTTPTransportError.checkFields(of: headers)
      var headers = headers
      headers["Authorization"] = headers["authorization"] ?? address.authorization
      let handshake = WebSocketHandshake(
        host: address.host, target: address.target, headers: headers, subprotocol: subprotocol)
      let socket = CurlSocket(
        SocketMailbox(
          WebSocketSession(handshake, limit: maximumMessageBytes), server: address.server,
          unreadLimit: max(0, loop.options.unreadLimit)
        ) { [loop] in loop.submit(.updateSocket($0)) })
      try await socket.open(on: loop)
      return socket
    }
  }

  /// A WebSocket that the thread of a transport serves until this object is released.
  private final class CurlSocket: TextSocket {
    private let mailbox: SocketMailbox

    init(_ mailbox: SocketMailbox) {
      self.mailbox = mailbox
    }

    deinit {
      mailbox.close(.leaving, for: CancellationError())
    }

    func open(on loop: CurlLoop) async throws {
      guard loop.submit(.open(mailbox)) else { throw HTTPTransportError.closed }
      try await mailbox.opened()
    }

    func send(_ text: String) async throws {
      try await mailbox.send(WebSocketFrames.text(text))
    }

    func receive() async throws -> String {
      try await mailbox.receive()
    }

    var receivedBytes: Int? { mailbox.receivedBytes }

    /// Waits for the server's close frame, up to three seconds.
    func close(code: Int, reason: String) async {
      mailbox.close(SocketClosure(code: code, reason: reason), for: CancellationError())
      await mailbox.closed()
    }
  }

  /// The parts of a WebSocket's URL.
  private struct SocketAddress {
    /// The URL for libcurl, without a path.
    let server: String
    /// The value of the field `Host`.
    let host: String
    /// The path with the query.
    let target: String
    /// The value of the field `Authorization` for the user and the password in the URL; nil without.
    let authorization: String?

    init(_ url: URL) throws(HTTPTransportError) {
      guard let parts = URLComponents(url: url, resolvingAgainstBaseURL: true),
        let scheme = ["ws": "http", "wss": "https"][parts.scheme?.lowercased() ?? ""],
        let name = parts.encodedHost, !name.isEmpty
      else {
        throw HTTPTransportError(.invalidRequest, "The URL is not an absolute ws or wss URL.")
      }
      host = name + (parts.port.map { ":\($0)" } ?? "")
      server = "\(scheme)://\(host)/"
      authorization = parts.user.map { user in
        "Basic " + Data("\(user):\(parts.password ?? "")".utf8).base64EncodedString()
      }
      target =
        (parts.percentEncodedPath.isEmpty ? "/" : parts.percentEncodedPath)
        + (parts.percentEncodedQuery.map { "?" + $0 } ?? "")
    }
  }
#endif
