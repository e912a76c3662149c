import Weir

/// An error of a direct read or write.
public struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of errors.
  public enum Code: Hashable, Sendable {
    /// Something that was to be updated is not in the store.
    case missing
    /// The data is not a JSON object, or a value in it is not although fields of it are selected.
    case notAnObject
    /// The operation has a defect, such as a document that cannot be parsed.
    case operation
    /// An entity has no type or no id.
    case noKey
    /// The data to be written to an entity has another key than the entity.
    case wrongKey
    /// The type of an object is unknown: its `__typename` is missing.
    case noTypename
    /// Data of your own type lacks selected fields, and the store does not have them, or it is unclear
    /// which object of the store they belong to.
    case incompleteType
    /// Two fragments of one object have different values for one field.
    case conflictingParts
    /// The text is not a fragment, or cannot be parsed.
    case fragment
    /// There was a transaction, or a direct write to the store, within a transaction.
    case nested
    /// Others have repeatedly written to the store during a transaction.
    case contention
    /// An operation in a transaction has another endpoint or other headers than the transaction's
    /// partition; see ``NormalizedStore/partition(of:)``.
    case otherPartition
    /// A snapshot cannot be read.
    case snapshot
    /// The session to which a snapshot belongs has ended.
    case endedSession
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

  static func defect(_ defect: OperationError, _ target: ReadTarget) -> StoreError {
    StoreError(.operation, "\(target) cannot be used: \(defect.message)")
  }

  /// The error of data that your code contains, for a mistake that was found while writing it.
  init?(refusing diagnostics: [StoreDiagnostic], _ target: ReadTarget) {
    for diagnostic in diagnostics {
      switch diagnostic.code {
      case .noTypename: self.init(.noTypename, "\(target) was not written: \(diagnostic.message)")
      case .noObject: self.init(.notAnObject, "\(target) was not written: \(diagnostic.message)")
      case .noKey, .incompleteKey, .unknownMember, .unsetVariable, .optimisticResult,
        .mutationPolicy, .notStored, .incompleteResponse, .unknownName, .tooManyTypes, .notLoaded:
        continue
      }
      return
    }
    return nil
  }

  static func otherPartition(_ target: ReadTarget) -> StoreError {
    StoreError(
      .otherPartition,
      "\(target) has an endpoint or headers that belong to another partition than the transaction. "
        + "Begin the transaction by store.partition(of: operation.context).update.")
  }

  /// The message.
  public var description: String { message }
}
