public import Foundation

// So that `error.localizedDescription`, which logs and alerts show, contains the message.

extension OperationError: LocalizedError {
  /// The ``message``.
  public var errorDescription: String? { message }
}

extension GraphQLError: LocalizedError {
  /// The ``message``.
  public var errorDescription: String? { message }
}

extension UploadError: LocalizedError {
  /// The ``description``.
  public var errorDescription: String? { description }
}
