#if canImport(Darwin)
  import Foundation

  /// A WebSocket of `URLSession`.
  final class URLSessionWebSocket: TextSocket {
    private static let subprotocol = "graphql-transport-ws"

    private let task: URLSessionWebSocketTask
    /// Whether this side has closed the connection.
    private let hasClosed = Locked(false)

    init(
      _ url: URL, session: URLSession, headers: HTTPHeaders, limit: Int
    ) throws(HTTPTransportError) {
      try HTTPTransportError.checkFields(of: headers)
      var request = URLRequest(url: url)
      for field in headers { request.addValue(field.value, forHTTPHeaderField: field.name) }
      request.setValue(Self.subprotocol, forHTTPHeaderField: "Sec-WebSocket-Protocol")
      task = session.webSocketTask(with: request)
      task.maximumMessageSize = limit
      // The session's delegate still answers challenges: it is asked for what this one does not have.
      task.delegate = RedirectRefusal()
      task.resume()
    }

    deinit {
      task.cancel(with: .goingAway, reason: nil)
    }

    func send(_ text: String) async throws {
      try await throwing { try await task.send(.string(text)) }
    }

    func receive() async throws -> String {
      // Before iOS 17 and its contemporaries, the asynchronous `receive` does not return when the task
      // is cancelled.
      let message = try await throwing {
        try await withCheckedThrowingContinuation { continuation in
          task.receive { continuation.resume(with: $0) }
        }
      }
      if let chosen = response?.value(forHTTPHeaderField: "Sec-WebSocket-Protocol"),
        chosen != Self.subprotocol
      {
        throw HTTPTransportError(
          .badResponse, "The server chooses a subprotocol that was not offered.")
      }
      switch message {
      case .string(let text): return text
      case .data(let data): return String(decoding: data, as: UTF8.self)
      @unknown default: throw SocketClosure(code: 1003, reason: "A message has an unknown type.")
      }
    }

    func close(code: Int, reason: String) async {
      hasClosed.withLock { $0 = true }
      let known = URLSessionWebSocketTask.CloseCode(rawValue: code) ?? .normalClosure
      task.cancel(with: known, reason: Data(reason.utf8.prefix(123)))
    }

    private var response: HTTPURLResponse? { task.response as? HTTPURLResponse }

    private var headers: HTTPHeaders { response.map(HTTPHeaders.init) ?? [:] }

    private var closure: SocketClosure? {
      guard task.closeCode != .invalid else { return nil }
      let reason = task.closeReason.map { String(decoding: $0, as: UTF8.self) }
      return SocketClosure(code: task.closeCode.rawValue, reason: reason ?? "")
    }

    /// Ends the task if the caller is cancelled, and throws what its failure means.
    private func throwing<Value: Sendable>(
      _ body: () async throws -> Value
    ) async throws -> Value {
      do {
        return try await withTaskCancellationHandler {
          try await body()
        } onCancel: {
          task.cancel(with: .goingAway, reason: nil)
        }
      } catch {
        throw SocketFailure(
          closure: closure, status: response?.statusCode, headers: headers,
          limit: task.maximumMessageSize, isOwn: Task.isCancelled || hasClosed.withLock { $0 },
          cause: error
        ).error
      }
    }
  }

  /// Makes a redirected handshake fail. `URLSession` would follow it to any host, to which the parameters of
  /// the connection, which may contain a token, would be sent.
  private final class RedirectRefusal: NSObject, URLSessionTaskDelegate {
    func urlSession(
      _ session: URLSession, task: URLSessionTask,
      willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
      completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
      completionHandler(nil)
    }
  }
#endif
