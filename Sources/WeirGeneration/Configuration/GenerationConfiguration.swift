public import GraphQLValidation

/// How code is generated: the contents of `weir.json`.
public struct GenerationConfiguration: Hashable, Sendable {
  /// The access level of generated declarations.
  public enum Access: String, Hashable, Sendable, CaseIterable {
    /// Visible within the module.
    case `internal`
    /// Visible for other modules of the package.
    case package
    /// Visible everywhere.
    case `public`

    /// The modifier with a space after it; empty for the default level.
    var modifier: String { self == .internal ? "" : "\(rawValue) " }
  }

  /// The name of the enumeration that contains the schema's types.
  public var namespace = "Schema"
  /// The access level of generated declarations.
  public var access = Access.internal
  /// The Swift types of custom scalars, such as `Foundation.Date`.
  public var scalars: [String: String] = [:]
  /// Modules that generated files import besides Weir.
  public var imports: [String] = []
  /// Whether descriptions of the schema and of documents become documentation comments.
  public var documentation = true

  /// Which files are the schema; empty for all `*.graphqls`. A file `*.json` is the result of an
  /// introspection query, and counts only if it is named here.
  public var schema: [FilePattern] = []
  /// Which files are documents; empty for all `*.graphql`.
  public var documents: [FilePattern] = []

  /// The levels of rules that differ from the recommended ones.
  public var lint: [String: ValidationOptions.Level] = [:]

  /// Creates the default configuration.
  public init() {}
}
