public import Foundation

// So that `error.localizedDescription`, which interfaces and logs show, contains the message.

extension JSONError: LocalizedError {
  /// The same as `description`.
  public var errorDescription: String? { description }
}

extension JSONDecodingError: LocalizedError {
  /// The same as `description`, which may quote a value of the data.
  public var errorDescription: String? { description }
}

extension JSONEncodingError: LocalizedError {
  /// The same as `description`.
  public var errorDescription: String? { description }
}
