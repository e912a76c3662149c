public import Foundation

extension WebSocketTransport {
  /// A transport over `URLSession`'s WebSocket.
  ///
  /// - Parameters:
  ///   - url: a `ws` or `wss` URL.
  ///   - headers: fields of the request that opens the connection, made for each connection anew.
  ///   - maximumMessageBytes: a larger message ends the connection.
  ///   - configuration: how the connection is kept.
  /// - Throws: `unsupported` where `URLSession` has no WebSockets, which is so on Linux: libcurl is
  ///   built without them there. Give the transport a ``TextSocket`` of another library, or
  ///   subscribe by HTTP (``FetchConfiguration/subscriptionMediaTypes``).
  public convenience init(
    url: URL, headers: @escaping @Sendable () async throws -> HTTPHeaders = { [:] },
    maximumMessageBytes: Int = 16 << 20,
    configuration: WebSocketConfiguration = WebSocketConfiguration()
  ) throws(HTTPTransportError) {
    #if canImport(FoundationNetworking)
      throw HTTPTransportError(
        .unsupported,
        "WebSockets are not supported by this platform's URLSession."
          + " Bring a TextSocket of another library, or subscribe by HTTP.")
    #else
      guard ["ws", "wss"].contains(url.scheme?.lowercased()) else {
        throw HTTPTransportError(.invalidRequest, "An absolute ws or wss URL is needed.")
      }
      self.init(configuration) {
        try await URLSessionWebSocket(url, headers: headers(), limit: maximumMessageBytes)
      }
    #endif
  }
}

extension HTTPTransportError.Code {
  /// This platform cannot do it.
  public static let unsupported = HTTPTransportError.Code("unsupported")
}

#if !canImport(FoundationNetworking)
  /// A WebSocket of `URLSession`.
  private final class URLSessionWebSocket: TextSocket {
    private let task: URLSessionWebSocketTask

    init(_ url: URL, headers: HTTPHeaders, limit: Int) throws(HTTPTransportError) {
      if let name = headers.firstInvalidName {
        throw HTTPTransportError(.invalidRequest, "The header field \"\(name)\" is not valid.")
      }
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
      @unknown default: throw SocketClosure(code: 1003, reason: "A message of an unknown type.")
      }
    }

    func close(code: Int, reason: String) async {
      let known = URLSessionWebSocketTask.CloseCode(rawValue: code) ?? .normalClosure
      task.cancel(with: known, reason: Data(reason.utf8.prefix(123)))
    }

    /// Ends the task if the caller is cancelled, and says how the server closed the connection.
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
