import GraphQLLanguage

// Places within definitions of the type system. The definitions carry the locations of their
// beginnings, including descriptions.

extension SchemaType.Part {
  private var tokensToName: Int {
    (definition.description == nil ? 1 : 2) + (isExtension ? 1 : 0)
  }

  var namePlace: SourcePlace { SourcePlace(file, definition.location, tokens: tokensToName) }

  /// The place of the interface at a position behind `implements`.
  func interfacePlace(_ position: Int) -> SourcePlace {
    place(of: definition.interfaces[position], position, behind: tokensToName + 1)
  }

  /// The place of the member of a union at a position.
  func memberPlace(_ position: Int) -> SourcePlace {
    place(
      of: definition.memberTypes[position], position,
      behind: tokensToName + 1 + definition.directives.tokenCount)
  }

  /// The place of a name in a list with separators. The first name may have a separator in front, so
  /// the tokens lead to the name or to the separator before it.
  private func place(of name: String, _ position: Int, behind tokens: Int) -> SourcePlace {
    SourcePlace(file, definition.location, tokens: tokens + 1 + 2 * position, name: name)
  }
}

extension SchemaField {
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
