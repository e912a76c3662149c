public import Weir

/// A failure of a whole request.
public struct RequestFailure: Sendable {
  enum Kind: Sendable {
    case response(HTTPResponse)
    case error(HTTPTransportError)
    case truncated(Int)
  }

  let kind: Kind

  /// The server does not execute the request and sends this response, such as a proxy's error page.
  public static func status(
    _ status: Int, headers: HTTPHeaders = ["content-type": "text/plain"], body: String = ""
  ) -> RequestFailure {
    let bytes = HTTPBody(Array(body.utf8))
    return RequestFailure(
      kind: .response(HTTPResponse(status: status, headers: headers, body: bytes)))
  }

  /// The server does not execute the request and sends no response.
  public static func noResponse(
    _ code: HTTPTransportError.Code = .connectionLost
  ) -> RequestFailure {
    RequestFailure(kind: .error(HTTPTransportError(code, "The local server simulates a failure.")))
  }

  /// The server executes the request, and the connection drops after this many bytes of the body.
  public static func truncated(afterBytes count: Int) -> RequestFailure {
    RequestFailure(kind: .truncated(count))
  }
}

/// A body that ends with a lost connection.
struct TruncatedBody: AsyncSequence, Sendable {
  let body: HTTPBody
  let limit: Int

  func makeAsyncIterator() -> Iterator {
    Iterator(base: body.makeAsyncIterator(), remaining: limit)
  }

  struct Iterator: AsyncIteratorProtocol {
    var base: HTTPBody.Iterator
    var remaining: Int

    mutating func next(isolation: isolated (any Actor)?) async throws -> [UInt8]? {
      guard remaining > 0, let chunk = try await base.next(isolation: isolation) else {
        throw HTTPTransportError(.connectionLost, "The local server dropped the connection.")
      }
      let part = Array(chunk.prefix(remaining))
      remaining -= part.count
      return part
    }

    mutating func next() async throws -> [UInt8]? {
      try await next(isolation: #isolation)
    }
  }
}
