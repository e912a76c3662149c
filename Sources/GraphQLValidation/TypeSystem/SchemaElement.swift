public import GraphQLLanguage

/// A part of a schema that has a name, can be documented, and can be annotated with directives.
public protocol SchemaElement: Sendable {
  /// The name, without punctuation.
  var name: String { get }
  /// The documentation.
  var description: String? { get }
  /// The directives on the definition, and on extensions of it.
  var directives: [Directive] { get }
  /// The place of the definition.
  var place: SourcePlace { get }
}

extension SchemaElement {
  /// The reason of `@deprecated`; nil for an element that is not deprecated (specification, section
  /// 3.13.3).
  public var deprecationReason: String? {
    guard let directive = directives.first(where: { $0.name == "deprecated" }) else { return nil }
    if case .string(let reason)? = directive.argument("reason") { return reason.value }
    return "No longer supported"
  }
}

/// A field of an object type or an interface.
public struct SchemaField: SchemaElement {
  /// The definition as it was parsed.
  public let definition: FieldDefinition
  /// The file of the definition; an extension can be in another file than its type.
  public let file: SourceFile

  /// The name.
  public var name: String { definition.name }
  /// The documentation.
  public var description: String? { definition.description?.value }
  /// The directives on the definition.
  public var directives: [Directive] { definition.directives }
  /// The place of the definition.
  public var place: SourcePlace { SourcePlace(file: file, location: definition.location) }
  /// The type of the field's values.
  public var type: TypeReference { definition.type }
  /// The arguments in the order of the source text.
  public var arguments: [SchemaInput] {
    definition.arguments.map { SchemaInput(definition: $0, file: file) }
  }

  /// Returns the argument with the given name.
  public func argument(_ name: String) -> SchemaInput? {
    guard let definition = definition.arguments.first(where: { $0.name == name }) else {
      return nil
    }
    return SchemaInput(definition: definition, file: file)
  }
}

/// An argument, or a field of an input object.
public struct SchemaInput: SchemaElement {
  /// The definition as it was parsed.
  public let definition: InputValueDefinition
  /// The file of the definition.
  public let file: SourceFile

  /// The name.
  public var name: String { definition.name }
  /// The documentation.
  public var description: String? { definition.description?.value }
  /// The directives on the definition.
  public var directives: [Directive] { definition.directives }
  /// The place of the definition.
  public var place: SourcePlace { SourcePlace(file: file, location: definition.location) }
  /// The type of the value.
  public var type: TypeReference { definition.type }
  /// The value of an input that is left out.
  public var defaultValue: Value? { definition.defaultValue }
  /// Whether a request must provide a value: the type is non-null and there is no default value.
  public var isRequired: Bool { definition.isRequired }
}

/// A value of an enumeration.
public struct SchemaEnumValue: SchemaElement {
  /// The definition as it was parsed.
  public let definition: EnumValueDefinition
  /// The file of the definition.
  public let file: SourceFile

  /// The name.
  public var name: String { definition.name }
  /// The documentation.
  public var description: String? { definition.description?.value }
  /// The directives on the definition.
  public var directives: [Directive] { definition.directives }
  /// The place of the definition.
  public var place: SourcePlace { SourcePlace(file: file, location: definition.location) }
}

/// The definition of a directive.
public struct SchemaDirective: SchemaElement {
  /// The definition as it was parsed.
  public let definition: DirectiveDefinition
  /// The file of the definition.
  public let file: SourceFile

  /// The name.
  public var name: String { definition.name }
  /// The documentation.
  public var description: String? { definition.description?.value }
  /// Always empty: a definition of a directive has no directives.
  public var directives: [Directive] { [] }
  /// The place of the definition.
  public var place: SourcePlace { SourcePlace(file: file, location: definition.location) }
  /// The arguments in the order of the source text.
  public var arguments: [SchemaInput] {
    definition.arguments.map { SchemaInput(definition: $0, file: file) }
  }
  /// The places where the directive is allowed.
  public var locations: [DirectiveLocation] { definition.locations }
  /// Whether the directive may be used several times at one place.
  public var isRepeatable: Bool { definition.isRepeatable }
  /// Whether no source defines the directive: it is one of the specification, or one that many
  /// servers and clients understand, such as `@defer`.
  public var isBuiltIn: Bool { file === TypeSystem.builtIn }
}

extension InputValueDefinition {
  /// Whether a value must be provided: the type is non-null and there is no default value.
  var isRequired: Bool { type.isNonNull && defaultValue == nil }
}

extension Directive {
  /// Returns the value of an argument.
  func argument(_ name: String) -> Value? {
    arguments.first { $0.name == name }?.value
  }
}
