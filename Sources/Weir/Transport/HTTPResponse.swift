/// One HTTP response: its head, and a body that may still be arriving.
public struct HTTPResponse: Sendable {
  /// The status code, such as 200.
  public var status: Int
  /// The header fields.
  public var headers: HTTPHeaders
  /// The body. Dropping it before its end cancels the request.
  public var body: HTTPBody

  /// Makes a response, for a custom transport or a test.
  public init(status: Int, headers: HTTPHeaders = [:], body: HTTPBody = HTTPBody([])) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}
