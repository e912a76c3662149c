import GraphQLLanguage

// Places within definitions of the type system. The definitions carry the locations of their
// beginnings, including descriptions.

extension SchemaType.Part {
  private var tokensToName: Int {
    (definition.description == nil ? 1 : 2) + (isExtension ? 1 : 0)
  }

  var namePlace: SourcePlace { SourcePlace(file, definition.location, tokens: tokensToName) }

  /// The place of an interface behind `implements`.
  func interfacePlace(_ name: String) -> SourcePlace {
    SourcePlace(file, definition.location, tokens: tokensToName + 1, name: name)
  }

  /// The place of a member of a union.
  func memberPlace(_ name: String) -> SourcePlace {
    let tokens = tokensToName + 1 + definition.directives.tokenCount
    return SourcePlace(file, definition.location, tokens: tokens, name: name)
  }
}

extension SchemaField {
  var namePlace: SourcePlace { file.namePlace(definition.location, definition.description) }

  var typePlace: SourcePlace {
    let tokens = (definition.description == nil ? 2 : 3) + definition.arguments.tokenCount
    return SourcePlace(file, definition.location, tokens: tokens)
  }
}

extension SchemaInput {
  var typePlace: SourcePlace {
    SourcePlace(file, definition.location, tokens: definition.tokensBeforeType)
  }

  /// The default value as a value to check.
  var appliedDefault: AppliedValue? {
    definition.defaultValue.map { value in
      AppliedValue(
        value: value, location: definition.location,
        tokens: definition.tokensBeforeType + type.tokenCount + 1, file: file, type: type)
    }
  }
}

extension SchemaDirective {
  var namePlace: SourcePlace {
    SourcePlace(file, definition.location, tokens: definition.description == nil ? 2 : 3)
  }
}

extension SourceFile {
  /// The place of the name of a field, an argument or a value of an enumeration.
  func namePlace(_ location: SourceLocation, _ description: StringValue?) -> SourcePlace {
    SourcePlace(self, location, tokens: description == nil ? 0 : 1)
  }
}

extension SchemaElement {
  /// The place of `@deprecated`, if there is one.
  var deprecationPlace: SourcePlace? {
    directives.first { $0.name == "deprecated" }.map {
      SourcePlace(file: place.file, location: $0.location)
    }
  }
}
