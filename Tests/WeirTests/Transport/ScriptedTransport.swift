import Weir

/// A transport that answers with a closure and records its requests.
final class ScriptedTransport: HTTPTransport {
  private let sent = Locked<[HTTPRequest]>([])
  private let waiting = Locked<[(count: Int, continuation: CheckedContinuation<Void, Never>)]>([])
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

  /// Waits until it has received at least `count` requests.
  func received(_ count: Int) async {
    await withCheckedContinuation { continuation in
      waiting.withLock { $0.append((count, continuation)) }
      guard requests.count >= count else { return }
      let mine = waiting.withLock { waiting in
        defer { waiting.removeAll { $0.count <= count } }
        return waiting.filter { $0.count <= count }
      }
      for waiter in mine { waiter.continuation.resume() }
    }
  }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    let count = sent.withLock { sent in
      sent.append(request)
      return sent.count
    }
    let arrived = waiting.withLock { waiting in
      defer { waiting.removeAll { $0.count <= count } }
      return waiting.filter { $0.count <= count }
    }
    for waiter in arrived { waiter.continuation.resume() }
    return try await answer(request)
  }
}

extension HTTPRequest {
  var text: String { String(decoding: body, as: UTF8.self) }
}
