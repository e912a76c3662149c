/// A definition in the schema definition language (specification, section 3).
public enum TypeSystemDefinition: Hashable, Sendable {
  /// The root types: `schema { query: Query }`.
  case schema(SchemaDefinition)
  /// A type.
  case type(TypeDefinition)
  /// A directive: `directive @name on FIELD`.
  case directive(DirectiveDefinition)

  /// The position at which the definition, including its description, begins.
  public var location: SourceLocation {
    switch self {
    case .schema(let schema): schema.location
    case .type(let type): type.location
    case .directive(let directive): directive.location
    }
  }
}

/// An extension of a schema or of a type: `extend …` (specification, section 3.2).
///
/// An extension has the same parts as the definition that it extends, except for the description,
/// so both share one type. The description is `nil` after parsing, and is never printed.
public enum TypeSystemExtension: Hashable, Sendable {
  /// More directives or root types for the schema.
  case schema(SchemaDefinition)
  /// More directives, interfaces, fields, members or values for a type.
  case type(TypeDefinition)

  /// The position of the word `extend`.
  public var location: SourceLocation {
    switch self {
    case .schema(let schema): schema.location
    case .type(let type): type.location
    }
  }
}

/// The definition of a type (specification, section 3.4).
public enum TypeDefinition: Hashable, Sendable {
  /// `scalar Name`
  case scalar(ScalarTypeDefinition)
  /// `type Name { … }`
  case object(ObjectTypeDefinition)
  /// `interface Name { … }`
  case interface(InterfaceTypeDefinition)
  /// `union Name = A | B`
  case union(UnionTypeDefinition)
  /// `enum Name { … }`
  case `enum`(EnumTypeDefinition)
  /// `input Name { … }`
  case inputObject(InputObjectTypeDefinition)
}

extension TypeDefinition {
  /// The name of the type.
  public var name: String { parts.name }

  /// The documentation of the type.
  public var description: StringValue? { parts.description }

  /// The directives on the type itself.
  public var directives: [Directive] { parts.directives }

  /// The position at which the definition begins.
  public var location: SourceLocation { parts.location }

  /// The parts that all kinds of types have.
  private var parts:
    (name: String, description: StringValue?, directives: [Directive], location: SourceLocation)
  {
    switch self {
    case .scalar(let type): (type.name, type.description, type.directives, type.location)
    case .object(let type): (type.name, type.description, type.directives, type.location)
    case .interface(let type): (type.name, type.description, type.directives, type.location)
    case .union(let type): (type.name, type.description, type.directives, type.location)
    case .enum(let type): (type.name, type.description, type.directives, type.location)
    case .inputObject(let type): (type.name, type.description, type.directives, type.location)
    }
  }
}
