/// One definition at the top level of a document (specification, section 2.3).
///
/// An extension has the same parts as the definition that it extends, except for the description,
/// so both share one type. The description is `nil` after parsing, and is never printed.
public enum Definition: Hashable, Sendable {
  /// A query, a mutation or a subscription.
  case operation(OperationDefinition)
  /// A named fragment.
  case fragment(FragmentDefinition)
  /// The root types: `schema { query: Query }`.
  case schema(SchemaDefinition)
  /// A type.
  case type(TypeDefinition)
  /// A directive: `directive @name on FIELD`.
  case directive(DirectiveDefinition)
  /// More directives or root types for the schema: `extend schema …` (specification, section
  /// 3.3.2).
  case schemaExtension(SchemaDefinition)
  /// More directives, interfaces, fields, members or values for a type: `extend type …`
  /// (specification, section 3.4.3).
  case typeExtension(TypeDefinition)
}

extension Definition {
  /// Whether a server can execute the definition: true for operations and fragments.
  public var isExecutable: Bool {
    switch self {
    case .operation, .fragment: true
    default: false
    }
  }

  /// The position at which the definition begins.
  public var location: SourceLocation {
    switch self {
    case .operation(let operation): operation.location
    case .fragment(let fragment): fragment.location
    case .schema(let schema), .schemaExtension(let schema): schema.location
    case .type(let type), .typeExtension(let type): type.location
    case .directive(let directive): directive.location
    }
  }
}
