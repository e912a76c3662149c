/// The head of a response with an error status: the ``OperationError/underlying`` error of an
/// ``OperationError`` that such a response led to.
///
/// An exchange that retries reads `Retry-After` here; one that refreshes tokens reads the status.
public struct HTTPStatusError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The status code, outside of 200 to 299.
  public var status: Int
  /// The header fields of the response.
  public var headers: HTTPHeaders

  /// Makes an error, for tests.
  public init(status: Int, headers: HTTPHeaders = [:]) {
    self.status = status
    self.headers = headers
  }

  /// The status, without the header fields, which may be private.
  public var description: String { "HTTP status \(status)" }
}

extension HTTPStatusError {
  /// A sentence that describes the status.
  var summary: String {
    (300..<400).contains(status)
      ? "The server answered with a redirect that is not followed."
      : "The server answered with the status \(status)."
  }

  /// Returns nil if the status is a success.
  init?(_ response: HTTPResponse) {
    guard !response.isSuccess else { return nil }
    self.init(status: response.status, headers: response.headers)
  }
}

extension HTTPResponse {
  /// Whether the status is a success (RFC 9110, section 15.3).
  var isSuccess: Bool { (200..<300).contains(status) }

  var mediaType: String? { headers["content-type"] }
}
