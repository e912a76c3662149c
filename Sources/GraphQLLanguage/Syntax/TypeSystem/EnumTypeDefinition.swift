/// A type whose values are names: `enum Name { A B }` (specification, section 3.9).
public struct EnumTypeDefinition: Hashable, Sendable {
  /// The documentation.
  public var description: StringValue?
  /// The name of the type.
  public var name: String
  /// The directives on the type itself.
  public var directives: [Directive]
  /// The values in the order of the source text.
  public var values: [EnumValueDefinition]
  /// The position at which the definition, including its description, begins.
  public var location: SourceLocation

  /// Makes an enumeration type.
  public init(
    description: StringValue? = nil, name: String, directives: [Directive] = [],
    values: [EnumValueDefinition] = [], location: SourceLocation = .unknown
  ) {
    self.description = description
    self.name = name
    self.directives = directives
    self.values = values
    self.location = location
  }
}

/// One value of an enumeration.
public struct EnumValueDefinition: Hashable, Sendable {
  /// The documentation.
  public var description: StringValue?
  /// The name of the value; never `true`, `false` or `null`.
  public var name: String
  /// The directives on the value.
  public var directives: [Directive]
  /// The position at which the definition, including its description, begins.
  public var location: SourceLocation

  /// Makes a value of an enumeration.
  public init(
    description: StringValue? = nil, name: String, directives: [Directive] = [],
    location: SourceLocation = .unknown
  ) {
    self.description = description
    self.name = name
    self.directives = directives
    self.location = location
  }
}
