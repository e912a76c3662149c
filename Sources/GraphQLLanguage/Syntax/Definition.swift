/// One definition at the top level of a document (specification, section 2.2).
public enum Definition: Hashable, Sendable {
  /// A query, a mutation or a subscription.
  case operation(OperationDefinition)
  /// A named fragment.
  case fragment(FragmentDefinition)
  /// A schema, a type or a directive.
  case typeSystem(TypeSystemDefinition)
  /// An extension of a schema or of a type: `extend …`.
  case typeSystemExtension(TypeSystemExtension)
}

extension Definition {
  /// Whether a server can execute the definition: true for operations and fragments.
  public var isExecutable: Bool {
    switch self {
    case .operation, .fragment: true
    case .typeSystem, .typeSystemExtension: false
    }
  }

  /// The position at which the definition begins.
  public var location: SourceLocation {
    switch self {
    case .operation(let operation): operation.location
    case .fragment(let fragment): fragment.location
    case .typeSystem(let definition): definition.location
    case .typeSystemExtension(let definition): definition.location
    }
  }
}
