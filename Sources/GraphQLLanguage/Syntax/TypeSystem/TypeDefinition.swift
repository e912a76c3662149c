/// The definition of a type (specification, section 3.4), or an addition to it: `extend type …`.
///
/// As in the results of introspection, one type describes all kinds of types. The parts that a kind
/// does not have are empty.
public struct TypeDefinition: Hashable, Sendable {
  /// The kinds of types; the raw value is the first word of the definition.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// A type of leaf values: `scalar Name` (specification, section 3.5).
    case scalar
    /// A type with fields: `type Name implements Interface { … }` (specification, section 3.6).
    case object = "type"
    /// A set of fields that several object types share: `interface Name { … }` (specification,
    /// section 3.7).
    case interface
    /// A choice between object types: `union Name = A | B` (specification, section 3.8).
    case union
    /// A type whose values are names: `enum Name { A B }` (specification, section 3.9).
    case `enum`
    /// A type for structured arguments: `input Name { … }` (specification, section 3.10).
    case inputObject = "input"
  }

  /// Which kind of type it is.
  public var kind: Kind
  /// The documentation; never printed for an extension, whose syntax has no place for it.
  public var description: StringValue?
  /// The name of the type.
  public var name: String
  /// The names of the interfaces that an object or an interface implements.
  public var interfaces: [String]
  /// The directives on the type itself.
  public var directives: [Directive]
  /// The fields of an object or an interface, in the order of the source text.
  public var fields: [FieldDefinition]
  /// The names of the types that a union consists of.
  public var memberTypes: [String]
  /// The values of an enumeration, in the order of the source text.
  public var values: [EnumValueDefinition]
  /// The fields of an input object, in the order of the source text.
  public var inputFields: [InputValueDefinition]
  /// The position at which the definition, including its description or the word `extend`, begins.
  public var location: SourceLocation

  /// Makes a type of a kind. Pass only the parts that the kind has: all parts are printed.
  public init(
    _ kind: Kind, description: StringValue? = nil, name: String, interfaces: [String] = [],
    directives: [Directive] = [], fields: [FieldDefinition] = [], memberTypes: [String] = [],
    values: [EnumValueDefinition] = [], inputFields: [InputValueDefinition] = [],
    location: SourceLocation = .unknown
  ) {
    self.kind = kind
    self.description = description
    self.name = name
    self.interfaces = interfaces
    self.directives = directives
    self.fields = fields
    self.memberTypes = memberTypes
    self.values = values
    self.inputFields = inputFields
    self.location = location
  }

  /// Whether a block in braces belongs to the definition.
  var hasBlock: Bool { !fields.isEmpty || !values.isEmpty || !inputFields.isEmpty }
}
