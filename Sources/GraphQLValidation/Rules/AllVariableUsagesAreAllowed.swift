import GraphQLLanguage

/// A variable fits every position where it is used, and is non-null in a `@oneOf` input object
/// (section 5.8.5).
enum AllVariableUsagesAreAllowed: ValidationRule {
  static let name = "all-variable-usages-are-allowed"

  static func check(_ variables: OperationVariables, _ context: DocumentContext) {
    for part in variables.reached {
      for use in part.variables {
        guard let variable = variables.declared[use.name],
          context.schema.types[variable.type.namedType] != nil
        else { continue }
        let place = SourcePlace(
          file: variables.definition.file, location: variable.location)
        check(variable, use, place, context)
      }
    }
  }

  private static func check(
    _ variable: VariableDefinition, _ use: VariableUse, _ place: SourcePlace,
    _ context: DocumentContext
  ) {
    guard let expected = use.type else { return }
    let type = variable.type.canonicalText
    if !isAllowed(variable, at: expected, hasDefault: use.hasDefault) {
      context.report(
        Self.self,
        "Variable \"$\(use.name)\" of type \"\(type)\" used in position expecting type "
          + "\"\(expected.canonicalText)\".",
        at: place, related: [use.place])
    }
    if let oneOf = use.oneOf, !variable.type.isNonNull {
      context.report(
        Self.self,
        "Variable \"$\(use.name)\" is of type \"\(type)\" but must be non-nullable to be used for "
          + "OneOf Input Object \"\(oneOf.name)\".",
        at: place, related: [use.place])
    }
  }

  /// "IsVariableUsageAllowed": a nullable variable fits a non-null position if one of them has a
  /// default value.
  private static func isAllowed(
    _ variable: VariableDefinition, at expected: TypeReference, hasDefault: Bool
  ) -> Bool {
    guard expected.isNonNull, !variable.type.isNonNull else {
      return fits(variable.type, expected)
    }
    let hasValue = variable.defaultValue.map { $0 != .null } ?? false
    return (hasValue || hasDefault) && fits(variable.type, expected.nullable)
  }

  /// "AreTypesCompatible".
  private static func fits(_ type: TypeReference, _ expected: TypeReference) -> Bool {
    switch (type, expected) {
    case (.nonNull(let inner), .nonNull(let other)): fits(inner, other)
    case (_, .nonNull): false
    case (.nonNull(let inner), _): fits(inner, expected)
    case (.list(let inner), .list(let other)): fits(inner, other)
    case (.named(let name), .named(let other)): name == other
    case (.list, .named), (.named, .list): false
    }
  }
}
