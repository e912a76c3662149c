public import Foundation

/// An error in the schema or the resolvers of a ``LocalServer``.
public struct LocalServerError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The reason, for developers; for a syntax error with line and column.
  public let message: String

  init(_ message: String) {
    self.message = message
  }

  /// The message.
  public var description: String { message }
}

extension LocalServerError: LocalizedError {
  /// The ``message``.
  public var errorDescription: String? { message }
}
