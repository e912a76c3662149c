/// The head of a response whose status is no success: what stands under an ``OperationError`` that
/// such a response led to.
///
/// An exchange that retries finds `Retry-After` here, one that refreshes tokens the status.
public struct HTTPStatusError: Error, Sendable, CustomStringConvertible {
  /// The status code, outside of 200 to 299.
  public var status: Int
  /// The header fields of the response.
  public var headers: HTTPHeaders

  /// Makes an error, for tests.
  public init(status: Int, headers: HTTPHeaders = [:]) {
    self.status = status
    self.headers = headers
  }

  /// The status; header fields may be private.
  public var description: String { "HTTP status \(status)" }
}

extension HTTPStatusError {
  /// A sentence for a person.
  var summary: String {
    (300..<400).contains(status)
      ? "The server answered with a redirect that is not followed."
      : "The server answered with an error status."
  }

  /// nil if the status is a success.
  init?(_ response: HTTPResponse) {
    guard !(200..<300).contains(response.status) else { return nil }
    self.init(status: response.status, headers: response.headers)
  }
}
