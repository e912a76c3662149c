/// An error of a direct read or write.
public struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of errors.
  public enum Code: Hashable, Sendable {
    /// Something that was to be updated is not in the store.
    case missing
    /// The data is not a JSON object.
    case notAnObject
    /// An entity has no type or no id.
    case noKey
    /// The type of an object is unknown: its `__typename` is missing.
    case noTypename
    /// Data of your own type lacks selected fields, and the store does not have them, or it is unclear
    /// which object of the store they belong to.
    case incompleteType
    /// The text is not a fragment, or cannot be parsed.
    case fragment
    /// There was a transaction, or a direct write to the store, within a transaction.
    case nested
    /// Others have repeatedly written to the store during a transaction.
    case contention
    /// A snapshot cannot be read.
    case snapshot
  }

  /// The kind of error.
  public let code: Code
  /// A sentence for a developer.
  public let message: String

  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  static var notAnObject: StoreError {
    StoreError(.notAnObject, "The data is not a JSON object.")
  }

  /// The message.
  public var description: String { message }
}
