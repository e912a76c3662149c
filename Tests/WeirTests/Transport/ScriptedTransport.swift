import Weir

/// A transport that answers with a closure and remembers what it was sent.
final class ScriptedTransport: HTTPTransport {
  private let sent = Locked<[HTTPRequest]>([])
  private let answer: @Sendable (HTTPRequest) async throws -> HTTPResponse

  init(_ answer: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse) {
    self.answer = answer
  }

  /// Always the same response.
  convenience init(
    _ body: String, status: Int = 200, headers: HTTPHeaders = ["Content-Type": "application/json"]
  ) {
    self.init { _ in
      HTTPResponse(status: status, headers: headers, body: HTTPBody(Array(body.utf8)))
    }
  }

  var requests: [HTTPRequest] { sent.withLock { $0 } }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    sent.withLock { $0.append(request) }
    return try await answer(request)
  }
}

extension HTTPRequest {
  var text: String { String(decoding: body, as: UTF8.self) }
}
