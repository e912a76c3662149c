/// Something about data that is probably a mistake, of the server or of the configuration.
public struct StoreDiagnostic: Hashable, Sendable, CustomStringConvertible {
  /// What kind of mistake.
  public enum Code: Hashable, Sendable {
    /// A field has a value that is no object, although fields of it are selected.
    case noObject
    /// An object has no `__typename`, and no schema says what it is.
    case noTypename
    /// An object cannot be told from others of its type: it is kept with the field that it is the
    /// value of. Select its `id`, or say in ``NormalizedCacheConfiguration/keys`` what its key is,
    /// or that it is embedded.
    case noKey
  }

  /// What kind of mistake.
  public let code: Code
  /// A sentence for a developer; never holds data.
  public let message: String

  /// The message.
  public var description: String { message }
}
