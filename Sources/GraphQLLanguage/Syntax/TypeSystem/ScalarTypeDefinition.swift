/// A type of leaf values: `scalar Name` (specification, section 3.5).
public struct ScalarTypeDefinition: Hashable, Sendable {
  /// The documentation.
  public var description: StringValue?
  /// The name of the type.
  public var name: String
  /// The directives on the type itself.
  public var directives: [Directive]
  /// The position at which the definition, including its description, begins.
  public var location: SourceLocation

  /// Makes a scalar type.
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
