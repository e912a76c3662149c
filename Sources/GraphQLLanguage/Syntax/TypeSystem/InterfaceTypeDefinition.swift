/// A set of fields that several object types share: `interface Name { … }` (specification, section
/// 3.7).
public struct InterfaceTypeDefinition: Hashable, Sendable {
  /// The documentation.
  public var description: StringValue?
  /// The name of the type.
  public var name: String
  /// The names of the interfaces that the type implements.
  public var interfaces: [String]
  /// The directives on the type itself.
  public var directives: [Directive]
  /// The fields in the order of the source text.
  public var fields: [FieldDefinition]
  /// The position at which the definition, including its description, begins.
  public var location: SourceLocation

  /// Makes an interface type.
  public init(
    description: StringValue? = nil, name: String, interfaces: [String] = [],
    directives: [Directive] = [], fields: [FieldDefinition] = [],
    location: SourceLocation = .unknown
  ) {
    self.description = description
    self.name = name
    self.interfaces = interfaces
    self.directives = directives
    self.fields = fields
    self.location = location
  }
}
