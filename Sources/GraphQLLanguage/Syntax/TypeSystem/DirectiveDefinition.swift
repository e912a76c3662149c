/// A directive: `directive @name(arguments) repeatable on FIELD` (specification, section 3.13).
public struct DirectiveDefinition: Hashable, Sendable {
  /// The documentation.
  public var description: StringValue?
  /// The name without `@`.
  public var name: String
  /// The arguments that the directive takes.
  public var arguments: [InputValueDefinition]
  /// Whether it may occur more than once in one place.
  public var isRepeatable: Bool
  /// Where the directive may occur, in the order of the source text.
  public var locations: [DirectiveLocation]
  /// The position at which the definition, including its description, begins.
  public var location: SourceLocation

  /// Makes the definition of a directive.
  public init(
    description: StringValue? = nil, name: String, arguments: [InputValueDefinition] = [],
    isRepeatable: Bool = false, locations: [DirectiveLocation], location: SourceLocation = .unknown
  ) {
    self.description = description
    self.name = name
    self.arguments = arguments
    self.isRepeatable = isRepeatable
    self.locations = locations
    self.location = location
  }
}

/// A place where a directive may occur (specification, section 3.13).
public enum DirectiveLocation: String, Hashable, Sendable, CaseIterable {
  /// On a query.
  case query = "QUERY"
  /// On a mutation.
  case mutation = "MUTATION"
  /// On a subscription.
  case subscription = "SUBSCRIPTION"
  /// On a field that is asked for.
  case field = "FIELD"
  /// On a named fragment.
  case fragmentDefinition = "FRAGMENT_DEFINITION"
  /// On the use of a named fragment.
  case fragmentSpread = "FRAGMENT_SPREAD"
  /// On an inline fragment.
  case inlineFragment = "INLINE_FRAGMENT"
  /// On the declaration of a variable.
  case variableDefinition = "VARIABLE_DEFINITION"
  /// On a schema.
  case schema = "SCHEMA"
  /// On a scalar type.
  case scalar = "SCALAR"
  /// On an object type.
  case object = "OBJECT"
  /// On a field of an object type or of an interface.
  case fieldDefinition = "FIELD_DEFINITION"
  /// On an argument of a field or of a directive.
  case argumentDefinition = "ARGUMENT_DEFINITION"
  /// On an interface.
  case interface = "INTERFACE"
  /// On a union.
  case union = "UNION"
  /// On an enumeration.
  case `enum` = "ENUM"
  /// On a value of an enumeration.
  case enumValue = "ENUM_VALUE"
  /// On an input object type.
  case inputObject = "INPUT_OBJECT"
  /// On a field of an input object.
  case inputFieldDefinition = "INPUT_FIELD_DEFINITION"
}
