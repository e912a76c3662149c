/// A field of an object type or of an interface: `name(arguments): Type`.
public struct FieldDefinition: Hashable, Sendable {
  /// The documentation.
  public var description: StringValue?
  /// The name of the field.
  public var name: String
  /// The arguments that the field takes.
  public var arguments: [InputValueDefinition]
  /// The type of the field's value.
  public var type: TypeReference
  /// The directives on the field.
  public var directives: [Directive]
  /// The position at which the definition, including its description, begins.
  public var location: SourceLocation

  /// Makes the definition of a field.
  public init(
    description: StringValue? = nil, name: String, arguments: [InputValueDefinition] = [],
    type: TypeReference, directives: [Directive] = [], location: SourceLocation = .unknown
  ) {
    self.description = description
    self.name = name
    self.arguments = arguments
    self.type = type
    self.directives = directives
    self.location = location
  }
}

/// An argument, a field of an input object, or a variable: `name: Type = default`.
public struct InputValueDefinition: Hashable, Sendable {
  /// The documentation.
  public var description: StringValue?
  /// The name of the argument, field or variable.
  public var name: String
  /// The type of its values.
  public var type: TypeReference
  /// The value, a constant, if none is given.
  public var defaultValue: Value?
  /// The directives on the argument, field or variable.
  public var directives: [Directive]
  /// The position at which the definition, including its description, begins.
  public var location: SourceLocation

  /// Makes the definition of an argument, a field of an input object, or a variable.
  public init(
    description: StringValue? = nil, name: String, type: TypeReference, defaultValue: Value? = nil,
    directives: [Directive] = [], location: SourceLocation = .unknown
  ) {
    self.description = description
    self.name = name
    self.type = type
    self.defaultValue = defaultValue
    self.directives = directives
    self.location = location
  }
}
