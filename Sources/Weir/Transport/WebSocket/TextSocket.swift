/// A connection that carries text messages both ways, such as a WebSocket.
///
/// ``WebSocketTransport`` speaks GraphQL over it. Two functions and an orderly end are all it takes
/// to bring a library of your own:
///
/// - ``send(_:)`` is called by one task at a time, ``receive()`` by another one.
/// - Cancelling the task that waits in either ends the wait.
/// - ``close(code:reason:)`` may be called while they wait; no message is sent after it.
/// - Letting go of the socket closes the connection.
public protocol TextSocket: Sendable {
  /// Sends one message.
  ///
  /// - Throws: ``SocketClosure`` if the peer has closed the connection, else any error.
  func send(_ text: String) async throws

  /// Waits for the next message.
  ///
  /// - Throws: ``SocketClosure`` if the peer has closed the connection, else any error.
  func receive() async throws -> String

  /// Closes the connection, with a code and a reason for the peer. By default nothing: the
  /// connection is closed when the socket is let go of.
  func close(code: Int, reason: String) async
}

extension TextSocket {
  /// Does nothing.
  public func close(code: Int, reason: String) async {}
}

/// How a connection was closed: by the peer, or by us because of what it sent.
public struct SocketClosure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The code (RFC 6455, section 7.4; 4400 to 4499 are those of graphql-transport-ws).
  public var code: Int
  /// The reason that was given; maybe empty.
  public var reason: String

  /// A closure.
  public init(code: Int, reason: String = "") {
    self.code = code
    self.reason = reason
  }

  /// Code and reason.
  public var description: String { reason.isEmpty ? "\(code)" : "\(code): \(reason)" }

  /// Whether the next connection would be closed for the same reason.
  ///
  /// Not 4403 (forbidden: parameters are made anew, with a new token perhaps), 4408 (the server
  /// waited too long for them), 4499 (it was going away).
  public var isFinal: Bool {
    switch code {
    case 1002, 1003, 1007, 1009, 1010: true
    case 4403, 4408, 4499: false
    case 4400..<4500, 4004, 4005, 4500: true
    default: false
    }
  }
}

extension OperationError {
  /// Why a transport of subscriptions failed.
  init(subscriptionFailure error: any Error) {
    switch error {
    case let error as OperationError: self = error
    case let error as HTTPTransportError: self.init(transport: error)
    case is CancellationError: self = .cancelled
    case let error as SocketClosure:
      self.init(
        code: .transport, message: "The connection was closed (\(error)).", underlying: error)
    default:
      self.init(
        code: .transport, message: "The connection failed: \(type(of: error)).", underlying: error)
    }
  }
}
