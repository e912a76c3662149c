package import GraphQLValidation

/// How code is generated: the contents of `weir.json`.
package struct GenerationConfiguration: Hashable, Sendable {
  /// The access level of generated declarations.
  package enum Access: String, Hashable, Sendable, CaseIterable {
    /// Visible within the module.
    case `internal`
    /// Visible for other modules of the package.
    case package
    /// Visible everywhere.
    case `public`

    /// The modifier with a space after it; empty for the default level.
    var modifier: String { self == .internal ? "" : "\(rawValue) " }
  }

  /// How a normalized cache distinguishes the objects of a type.
  package enum Key: Hashable, Sendable {
    /// By the values of these fields together.
    case fields([String])
    /// Not at all: each object belongs to the field whose value it is.
    case embedded
  }

  /// Which names become camel case in Swift. What is sent and cached does not depend on it.
  package enum Casing: String, Hashable, Sendable, CaseIterable {
    /// Values of enumerations, fields, arguments, and variables: `created_at` becomes `createdAt`.
    case camel
    /// Values of enumerations only: `SELF_HELP` becomes `selfHelp`.
    case values
    /// None: names are those of the schema and the documents.
    case schema
  }

  /// Types of the schema that code is generated for besides those that documents use.
  package enum SchemaTypes: Hashable, Sendable {
    /// No others.
    case used
    /// All types with all of their fields.
    case all
    /// These, with all of their fields.
    case named([String])
  }

  /// The name of the enumeration that contains the schema's types.
  package var namespace = "Schema"
  /// The access level of generated declarations.
  package var access = Access.internal
  /// The Swift types of custom scalars, such as `Foundation.Date`.
  package var scalars: [String: String] = [:]
  /// The Swift type of `ID`, such as `Foundation.UUID` or one of your own; nil for `String`. It must be
  /// `Codable`, and read the string that the server sends.
  package var ids: String?
  /// Which names become camel case in Swift. If two names of one type meet, both stay as they are.
  package var casing = Casing.values
  /// Modules that generated files import besides Weir.
  package var imports: [String] = []
  /// Whether descriptions of the schema and of documents become documentation comments.
  package var documentation = true

  /// Which files are the schema; empty for all `*.graphqls`. A file `*.json` is the result of an
  /// introspection query, and counts only if it is named here.
  package var schema: [FilePattern] = []
  /// Which files are documents; empty for all `*.graphql`.
  package var documents: [FilePattern] = []

  /// The file to which `weir generate` and `weir manifest` write the texts of all operations with their
  /// SHA-256, relative to the folder of the configuration.
  package var manifest: String?

  /// The levels of rules that differ from the default ones.
  package var lint: [String: ValidationOptions.Level] = [:]
  /// The levels of rules by default: the recommended ones and that for names of generated types, but a
  /// fragment need not be used. It may be there for the cache, or for another module.
  package static let defaultLevels = ValidationOptions.recommended
    .merging(["fragments-must-be-used": .off, "hidden-swift-type": .warning]) { $1 }
  /// The rules whose findings are always errors, because code for documents that break them cannot be
  /// generated, or does not compile.
  package static let requiredRules: Set<String> = [
    "operation-type-existence", "field-selections", "field-selection-merging",
    "leaf-field-selections", "no-typename-alias",
    "fragment-spread-type-existence", "fragments-on-composite-types",
    "fragment-spread-target-defined", "fragment-spreads-must-not-form-cycles",
    "variable-uniqueness", "variables-are-input-types",
  ]
  /// The keys of object types, interfaces and unions, which take precedence over `@typePolicy` in the
  /// schema. Without a key, the cache uses `id`, otherwise `_id`.
  package var keys: [String: Key] = [:]
  /// The types of the schema that code is generated for besides those that documents use. A module that
  /// others depend on says here which types they share.
  package var schemaTypes = SchemaTypes.used
  /// Whether to generate what a normalized cache knows: `cacheConfiguration`, and the names of types
  /// and fields. The module must then depend on WeirNormalized. Nil if the configuration does not say
  /// it; the plugin then looks at the dependencies.
  package var normalizedCache: Bool?

  /// The path of the file, and the places of names in it that must be in the schema.
  var source = Source()

  struct Source: Hashable, Sendable {
    var path = "weir.json"
    var places: [Place: Position] = [:]

    enum Place: Hashable, Sendable {
      case key(String), keyField(String, String), scalar(String), rule(String), schemaType(String)
      case namespace, manifest, ids, `import`(String)
    }

    struct Position: Hashable, Sendable {
      let line: Int
      let column: Int
    }

    /// Configurations are equal wherever they were read.
    static func == (left: Source, right: Source) -> Bool { true }
    func hash(into hasher: inout Hasher) {}
  }

  /// The path of the file for messages.
  package var path: String { source.path }

  /// Creates the default configuration.
  package init() {}

  /// Makes a finding about a name in the configuration.
  func finding(
    _ message: String, _ place: Source.Place, related: [GenerationFinding] = []
  ) -> GenerationFinding {
    let position = source.places[place]
    return GenerationFinding(
      message, path: source.path, line: position?.line ?? 0, column: position?.column ?? 0,
      related: related)
  }
}
