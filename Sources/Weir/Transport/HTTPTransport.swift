/// A type that sends HTTP requests.
///
/// Everything in Weir that speaks HTTP speaks it through this protocol, so another HTTP library can
/// take the place of ``URLSessionTransport``: it is one function.
///
/// ### Writing a transport
/// Return as soon as the response head is there, and let ``HTTPResponse/body`` bring the bytes as
/// they arrive: event streams and incremental delivery depend on it. A response of any status is a
/// response; throw only if there is none. Throw ``HTTPTransportError`` where a code fits; any other
/// error reaches the user as ``HTTPTransportError/underlying``.
///
/// Cancelling the task that awaits ``send(_:)`` must end the request, and so must dropping the
/// response's body before its end: a server can only stop its work if the connection closes.
public protocol HTTPTransport: Sendable {
  /// Sends one request.
  ///
  /// - Parameter request: What to send.
  /// - Returns: The response, as soon as its head has arrived. Its body streams.
  /// - Throws: ``HTTPTransportError`` if no response came.
  func send(_ request: HTTPRequest) async throws -> HTTPResponse
}
