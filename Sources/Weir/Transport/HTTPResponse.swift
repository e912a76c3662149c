/// One HTTP response: its head, and a body that may still be on its way.
public struct HTTPResponse: Sendable {
  /// The status code, such as 200.
  public var status: Int
  /// The header fields.
  public var headers: HTTPHeaders
  /// The body. Dropping it before its end cancels the request.
  public var body: HTTPBody

  /// Makes a response, for a transport of your own and for tests.
  public init(status: Int, headers: HTTPHeaders = [:], body: HTTPBody = HTTPBody([])) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}
