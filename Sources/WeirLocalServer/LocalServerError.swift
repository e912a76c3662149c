/// Why a ``LocalServer`` cannot be made as described.
public struct LocalServerError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A sentence for a person; of a syntax error, with line and column.
  public let message: String

  init(_ message: String) {
    self.message = message
  }

  /// The message.
  public var description: String { message }
}
