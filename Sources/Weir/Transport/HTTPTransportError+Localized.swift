public import Foundation

// So that `error.localizedDescription`, which interfaces and logs show, contains the message.

extension HTTPTransportError: LocalizedError {
  /// The ``message``.
  public var errorDescription: String? { message }
}

extension HTTPStatusError: LocalizedError {
  /// The ``description``.
  public var errorDescription: String? { description }
}

extension StreamFormatError: LocalizedError {
  /// The ``description``.
  public var errorDescription: String? { description }
}

extension SocketClosure: LocalizedError {
  /// The ``description``.
  public var errorDescription: String? { description }
}
