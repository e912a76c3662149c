import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A failed call of `URLSession`'s WebSocket.
package struct SocketFailure {
  /// How the server has closed the connection.
  package var closure: SocketClosure?
  /// The status of the response to the handshake; nil if there was none.
  package var status: Int?
  /// The header fields of that response.
  package var headers: HTTPHeaders
  /// The maximum size of a message in bytes.
  package var limit: Int
  /// Whether this side has closed the connection, or the caller was cancelled.
  package var isOwn: Bool
  /// The error of the call.
  package var cause: any Error

  package init(
    closure: SocketClosure?, status: Int?, headers: HTTPHeaders, limit: Int, isOwn: Bool,
    cause: any Error
  ) {
    (self.closure, self.status, self.headers) = (closure, status, headers)
    (self.limit, self.isOwn, self.cause) = (limit, isOwn, cause)
  }

  /// The error to throw.
  package var error: any Error {
    if let closure { return closure }
    if let status, status != 101 {
      return OperationError.socketRefused(status: status, headers: headers)
    }
    if (cause as? POSIXError)?.code == .EMSGSIZE {
      // Not a lost connection: the next one would end in the same way.
      return SocketClosure(code: 1009, reason: "A message has more than \(limit) bytes.")
    }
    if !isOwn, status == nil, (cause as? URLError)?.code == .cancelled {
      // The session reports a certificate that its delegate has refused as a cancellation.
      return HTTPTransportError(
        urlError: URLError(.serverCertificateUntrusted), headArrived: false)
    }
    return HTTPTransportError(urlError: cause, headArrived: status == 101)
  }
}

extension OperationError {
  /// The server has answered the handshake of a WebSocket with another status than 101.
  package static func socketRefused(status: Int, headers: HTTPHeaders) -> OperationError {
    OperationError(
      code: .httpStatus, message: "The server refused to open a WebSocket.", httpStatus: status,
      underlying: HTTPStatusError(status: status, headers: headers))
  }
}
