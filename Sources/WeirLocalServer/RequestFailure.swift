public import Weir

/// How a request fails as a whole.
public struct RequestFailure: Sendable {
  enum Kind: Sendable {
    case response(HTTPResponse)
    case error(HTTPTransportError)
    case truncated(Int)
  }

  let kind: Kind

  /// It is not executed, but answered with this response: a proxy's error page, an expired token.
  public static func status(
    _ status: Int, headers: HTTPHeaders = ["content-type": "text/plain"], body: String = ""
  ) -> RequestFailure {
    let bytes = HTTPBody(Array(body.utf8))
    return RequestFailure(
      kind: .response(HTTPResponse(status: status, headers: headers, body: bytes)))
  }

  /// It is not executed, and there is no response.
  public static func noResponse(
    _ code: HTTPTransportError.Code = .connectionLost
  ) -> RequestFailure {
    RequestFailure(kind: .error(HTTPTransportError(code, "The local server was told to fail.")))
  }

  /// It is executed, and the connection drops when this many bytes of the response's body have
  /// arrived.
  public static func truncated(afterBytes count: Int) -> RequestFailure {
    RequestFailure(kind: .truncated(count))
  }
}

/// A body that breaks off.
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
  }
}
