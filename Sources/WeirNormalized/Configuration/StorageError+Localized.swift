public import Foundation

// So that `error.localizedDescription`, which interfaces and logs show, contains the message.

extension StorageError: LocalizedError {
  /// The ``message``.
  public var errorDescription: String? { message }
}
