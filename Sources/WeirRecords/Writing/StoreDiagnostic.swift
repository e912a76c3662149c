/// A probable mistake in data, made by the server or in the configuration.
public struct StoreDiagnostic: Hashable, Sendable, CustomStringConvertible {
  /// The kind of mistake.
  public enum Code: Hashable, Sendable {
    /// The value of a field is not an object, although fields of it are selected.
    case noObject
    /// An object has no `__typename`, and no schema determines its type.
    case noTypename
    /// An object cannot be distinguished from others of its type, so it is stored with the field
    /// whose value it is. Select its `id`, declare its key in
    /// ``NormalizedCacheConfiguration/keys``, or declare its type as embedded there.
    case noKey
  }

  /// The kind of mistake.
  public let code: Code
  /// A sentence for developers. It never contains data.
  public let message: String

  /// The message.
  public var description: String { message }
}
