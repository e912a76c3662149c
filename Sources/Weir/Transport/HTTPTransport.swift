/// A type that sends HTTP requests.
///
/// Weir sends every HTTP request through this protocol, so you can replace ``URLSessionTransport``
/// with another HTTP library by implementing one method. The product `WeirCurl` has a transport for
/// servers and tools on Linux.
///
/// ### Writing a transport
/// Return as soon as the response head has arrived, and deliver the body through
/// ``HTTPResponse/body`` as it arrives: event streams and incremental delivery depend on it. A
/// response with an error status is a response; throw only if there is none. Throw
/// ``HTTPTransportError`` if one of its codes fits; any other error reaches the user as
/// ``HTTPTransportError/underlying``.
///
/// The request must end when the task that awaits ``send(_:)`` is cancelled, and when the body is
/// released before its end: a server can only stop its work if the connection closes.
public protocol HTTPTransport: Sendable {
  /// Sends one request.
  ///
  /// - Parameter request: The request.
  /// - Returns: The response, as soon as its head has arrived. Its body streams.
  /// - Throws: ``HTTPTransportError`` if no response arrived.
  func send(_ request: HTTPRequest) async throws -> HTTPResponse
}
