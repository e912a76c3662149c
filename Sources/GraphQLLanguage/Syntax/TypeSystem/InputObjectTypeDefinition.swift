/// A type for structured arguments: `input Name { … }` (specification, section 3.10).
public struct InputObjectTypeDefinition: Hashable, Sendable {
  /// The documentation.
  public var description: StringValue?
  /// The name of the type.
  public var name: String
  /// The directives on the type itself.
  public var directives: [Directive]
  /// The fields in the order of the source text.
  public var fields: [InputValueDefinition]
  /// The position at which the definition, including its description, begins.
  public var location: SourceLocation

  /// Makes an input object type.
  public init(
    description: StringValue? = nil, name: String, directives: [Directive] = [],
    fields: [InputValueDefinition] = [], location: SourceLocation = .unknown
  ) {
    self.description = description
    self.name = name
    self.directives = directives
    self.fields = fields
    self.location = location
  }
}
