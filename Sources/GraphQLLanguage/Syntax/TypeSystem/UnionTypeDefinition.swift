/// A choice between object types: `union Name = A | B` (specification, section 3.8).
public struct UnionTypeDefinition: Hashable, Sendable {
  /// The documentation.
  public var description: StringValue?
  /// The name of the type.
  public var name: String
  /// The directives on the type itself.
  public var directives: [Directive]
  /// The names of the member types.
  public var types: [String]
  /// The position at which the definition, including its description, begins.
  public var location: SourceLocation

  /// Makes a union type.
  public init(
    description: StringValue? = nil, name: String, directives: [Directive] = [],
    types: [String] = [], location: SourceLocation = .unknown
  ) {
    self.description = description
    self.name = name
    self.directives = directives
    self.types = types
    self.location = location
  }
}
