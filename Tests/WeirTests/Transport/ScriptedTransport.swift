import Weir
import WeirTesting

/// A transport that answers with a closure and records its requests.
final class ScriptedTransport: HTTPTransport {
  private let sent = Locked<[HTTPRequest]>([])
  private let arrivals = ArrivalCount()
  private let answer: @Sendable (HTTPRequest) async throws -> HTTPResponse

  init(_ answer: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse) {
    self.answer = answer
  }

  /// Gives the same response to every request.
  convenience init(
    _ body: String, status: Int = 200, headers: HTTPHeaders = ["Content-Type": "application/json"]
  ) {
    self.init { _ in
      HTTPResponse(status: status, headers: headers, body: HTTPBody(Array(body.utf8)))
    }
  }

  var requests: [HTTPRequest] { sent.withLock { $0 } }

  /// Waits until it has received at least `count` requests, or the task is cancelled.
  func received(_ count: Int) async { await arrivals.reaches(count) }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    sent.withLock { $0.append(request) }
    arrivals.add(1)
    return try await answer(request)
  }
}

extension HTTPRequest {
  var text: String { String(decoding: body, as: UTF8.self) }
}
