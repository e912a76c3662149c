public import Foundation

extension WebSocketTransport {
  /// Makes a transport over `URLSession`'s WebSocket, which exists on Apple platforms only.
  ///
  /// - Parameters:
  ///   - url: A `ws` or `wss` URL.
  ///   - headers: Returns the header fields of the request that opens a connection. Called for each
  ///     connection.
  ///   - maximumMessageBytes: The maximum size of a message; a larger one ends the connection.
  ///   - configuration: The settings.
  /// - Throws: `unsupported` on Linux, where libcurl is built without WebSockets. Use a
  ///   ``TextSocket`` of another library instead, or subscribe by HTTP
  ///   (``FetchConfiguration/subscriptionMediaTypes``).
  public convenience init(
    url: URL, headers: @escaping @Sendable () async throws -> HTTPHeaders = { [:] },
    maximumMessageBytes: Int = 16 << 20,
    configuration: WebSocketConfiguration = WebSocketConfiguration()
  ) throws(HTTPTransportError) {
    #if canImport(FoundationNetworking)
      throw HTTPTransportError(
        .unsupported,
        "WebSockets are not supported by this platform's URLSession."
          + " Use a TextSocket of another library, or subscribe by HTTP.")
    #else
      guard ["ws", "wss"].contains(url.scheme?.lowercased()) else {
        throw HTTPTransportError(.invalidRequest, "The URL is not an absolute ws or wss URL.")
      }
      self.init(configuration) {
        try await URLSessionWebSocket(url, headers: headers(), limit: maximumMessageBytes)
      }
    #endif
  }
}

extension HTTPTransportError.Code {
  /// The platform does not support the feature.
  public static let unsupported = HTTPTransportError.Code("unsupported")
}

#if !canImport(FoundationNetworking)
  /// A WebSocket of `URLSession`.
  private final class URLSessionWebSocket: TextSocket {
    private let task: URLSessionWebSocketTask

    init(_ url: URL, headers: HTTPHeaders, limit: Int) throws(HTTPTransportError) {
      try HTTPTransportError.checkFields(of: headers)
      var request = URLRequest(url: url)
      for field in headers { request.addValue(field.value, forHTTPHeaderField: field.name) }
      request.setValue("graphql-transport-ws", forHTTPHeaderField: "Sec-WebSocket-Protocol")
      task = URLSession.shared.webSocketTask(with: request)
      task.maximumMessageSize = limit
      task.resume()
    }

    deinit {
      task.cancel(with: .goingAway, reason: nil)
    }

    func send(_ text: String) async throws {
      try await closing { try await task.send(.string(text)) }
    }

    func receive() async throws -> String {
      switch try await closing({ try await task.receive() }) {
      case .string(let text): return text
      case .data(let data): return String(decoding: data, as: UTF8.self)
      @unknown default: throw SocketClosure(code: 1003, reason: "A message has an unknown type.")
      }
    }

    func close(code: Int, reason: String) async {
      let known = URLSessionWebSocketTask.CloseCode(rawValue: code) ?? .normalClosure
      task.cancel(with: known, reason: Data(reason.utf8.prefix(123)))
    }

    /// Ends the task if the caller is cancelled, and throws the server's closure if there is one.
    private func closing<Value: Sendable>(
      _ body: () async throws -> Value
    ) async throws -> Value {
      do {
        return try await withTaskCancellationHandler {
          try await body()
        } onCancel: {
          task.cancel(with: .goingAway, reason: nil)
        }
      } catch {
        guard task.closeCode != .invalid else {
          throw HTTPTransportError(urlError: error, headArrived: true)
        }
        throw SocketClosure(
          code: task.closeCode.rawValue,
          reason: task.closeReason.map { String(decoding: $0, as: UTF8.self) } ?? "")
      }
    }
  }
#endif
