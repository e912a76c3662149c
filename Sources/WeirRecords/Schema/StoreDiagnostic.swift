/// A probable mistake in data or in the configuration.
public struct StoreDiagnostic: Hashable, Sendable, CustomStringConvertible {
  /// The kind of mistake.
  public enum Code: Hashable, Sendable {
    /// The value of a field is not an object, although fields of it are selected.
    case noObject
    /// An object has no `__typename`, and no schema determines its type.
    case noTypename
    /// An object cannot be distinguished from others of its type, so it is stored with the field
    /// whose value it is. Select its `id`, declare its key in
    /// ``NormalizedCacheConfiguration/keys``, or declare its type as embedded there. Not reported for a
    /// type that has no such field in the ``NormalizedCacheConfiguration/schema``, also a generated one.
    case noKey
    /// An object lacks fields of its key although they are selected, so it is not the entity that it
    /// should be.
    case incompleteKey
    /// The data has a member that the operation or fragment does not select. It was ignored.
    case unknownMember
    /// A variable that needs a value has none, so data is kept under other arguments than you expect.
    case unsetVariable
    /// The optimistic result of a mutation, or a part of it, cannot be shown.
    case optimisticResult
    /// The update of a ``MutationPolicy`` has failed, and changed nothing.
    case mutationPolicy
    /// The data of a response was not stored.
    case notStored
    /// A response without errors lacks a field that the query selects and that is not cached, so the
    /// cache has no complete result, and executions send requests until another query brings the field.
    /// Some servers leave out fields that are null.
    case incompleteResponse
    /// The configuration contains a name that the API does not have: of a type, a field, an argument
    /// or a mutation. What it declares has no effect.
    case unknownName
    /// The server has named more than 10,000 types in this session. An object of a further type is
    /// stored with the field whose value it is, as if it had no `__typename`. A switch of the
    /// session makes room.
    case tooManyTypes
    /// A read that does not wait has missed data that the storage may have.
    case notLoaded
  }

  /// The kind of mistake.
  public let code: Code
  /// A sentence for developers. It contains no value of a field, but may name an entity by its id. Of an
  /// error that your code throws, it shows the type, or a text that quotes no value.
  public let message: String

  package init(code: Code, message: String) {
    self.code = code
    self.message = message
  }

  /// The message.
  public var description: String { message }
}

extension StoreDiagnostic {
  /// How many diagnostics a store reports, because they contain names that a server has chosen.
  package static let maximumCount = 1_000
  /// How many members of one object are reported.
  static let maximumMembers = 50

  package static let notLoaded = StoreDiagnostic(
    code: .notLoaded,
    message: "A read has missed data that is not in memory, but may be in the storage: call"
      + " `await store.load()`, or `load` with the operation, before it.")

  static func tooManyTypes(_ limit: Int) -> StoreDiagnostic {
    StoreDiagnostic(
      code: .tooManyTypes,
      message: "The server has named more than \(limit) types. Objects of further types are stored"
        + " with the field whose value they are, until the session is switched.")
  }
}
