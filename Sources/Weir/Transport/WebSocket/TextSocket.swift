/// A connection that carries text messages in both directions, such as a WebSocket.
///
/// ``WebSocketTransport`` sends GraphQL operations over it. To use another library, implement two
/// methods and an orderly end:
///
/// - ``send(_:)`` is called by one task at a time, ``receive()`` by another one.
/// - Cancelling the waiting task ends either method.
/// - ``close(code:reason:)`` may be called while they wait; no message is sent after it.
/// - Releasing the socket closes the connection.
public protocol TextSocket: Sendable {
  /// Sends one message.
  ///
  /// - Throws: ``SocketClosure`` if the peer has closed the connection; otherwise any error.
  func send(_ text: String) async throws

  /// Waits for the next message.
  ///
  /// - Throws: ``SocketClosure`` if the peer has closed the connection; otherwise any error. After an
  ///   error that is neither a ``SocketClosure`` nor an ``HTTPTransportError``, subscriptions are started
  ///   again (``OperationError/isTransient``).
  func receive() async throws -> String

  /// Closes the connection with a code and a reason for the peer. Does nothing by default: the
  /// connection is then closed when the socket is released.
  func close(code: Int, reason: String) async

  /// The number of bytes that have arrived, incomplete messages included; nil, the default, if that is
  /// unknown. While it grows, the connection is not lost, although a large message takes longer to
  /// arrive than ``WebSocketConfiguration/keepAlive``.
  var receivedBytes: Int? { get }
}

extension TextSocket {
  /// Does nothing.
  public func close(code: Int, reason: String) async {}

  /// Nil: unknown.
  public var receivedBytes: Int? { nil }
}

/// How a connection was closed: by the peer, or by this client because of a message that it
/// received.
public struct SocketClosure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The code (RFC 6455, section 7.4; 4400 to 4499 are those of graphql-transport-ws).
  public var code: Int
  /// The reason that was given; may be empty.
  public var reason: String

  /// Makes a closure.
  public init(code: Int, reason: String = "") {
    self.code = code
    self.reason = reason
  }

  /// The code and the reason.
  public var description: String { reason.isEmpty ? "\(code)" : "\(code): \(reason)" }

  /// Whether the next connection would be closed for the same reason.
  ///
  /// False for 4403 (forbidden, or a message `connection_error`: the next connection has new parameters,
  /// perhaps with a new token; if an ``AuthExchange`` takes it for a rejection, it renews the token first),
  /// 4408 (the parameters were sent too late) and 4499 (the server is shutting down).
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
  /// Converts an error of a subscription transport.
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
