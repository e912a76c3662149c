import GraphQLLanguage

/// The arguments of a field or of a directive.
struct AppliedArguments {
  enum Owner {
    case field(Field, parent: SchemaType?)
    case directive(String)
  }

  let arguments: [Argument]
  /// The arguments that the schema defines; nil if it does not define the field or the directive.
  let defined: [InputValueDefinition]?
  let owner: Owner
  /// The place of the field or the directive.
  let place: SourcePlace

  func place(of argument: Argument) -> SourcePlace {
    SourcePlace(file: place.file, location: argument.location)
  }
}

/// The directives at one place of a document or a schema.
struct AppliedDirectives {
  let directives: [Directive]
  let location: DirectiveLocation
  let file: SourceFile

  func place(of directive: Directive) -> SourcePlace {
    SourcePlace(file: file, location: directive.location)
  }
}

/// A value and where it stands.
struct AppliedValue {
  let value: Value
  /// The location of the argument, or of the definition with the default value.
  let location: SourceLocation
  /// The tokens between the location and the value.
  let tokens: Int
  let file: SourceFile
  let type: TypeReference?

  func place(behind tokens: Int) -> SourcePlace { SourcePlace(file, location, tokens: tokens) }
}

/// A field in a document, with what the schema knows about it.
struct AppliedField {
  let field: Field
  /// The type that the field is selected from; nil if it is unknown.
  let parent: SchemaType?
  let definition: SchemaField?
  /// The named type of the field.
  let type: SchemaType?
  let file: SourceFile

  var place: SourcePlace { SourcePlace(file: file, location: field.location) }
}
