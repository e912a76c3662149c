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
