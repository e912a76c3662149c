public import Foundation

// So that `error.localizedDescription`, which interfaces and logs show, contains the message.

extension StoreError: LocalizedError {
  /// The ``message``.
  public var errorDescription: String? { message }
}
