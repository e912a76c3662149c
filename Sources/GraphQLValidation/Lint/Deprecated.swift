import GraphQLLanguage

/// A document uses nothing that is deprecated: no field, argument, field of an input object or value
/// of an enumeration.
enum Deprecated: ValidationRule {
  static let name = "deprecated"

  static func check(_ use: AppliedField, _ context: DocumentContext) {
    guard let parent = use.parent, let reason = use.definition?.deprecationReason else { return }
    context.report(
      Self.self, "The field \(parent.name).\(use.field.name) is deprecated. \(reason)",
      at: use.place)
  }

  static func check(
    _ argument: Argument, _ definition: InputValueDefinition?, _ use: AppliedArguments,
    _ context: DocumentContext
  ) {
    guard let definition,
      let reason = SchemaInput(definition: definition, file: use.place.file).deprecationReason
    else { return }
    let owner =
      switch use.owner {
      case .field(let field, let parent): "\(parent?.name ?? "").\(field.name)"
      case .directive(let name): "@\(name)"
      }
    context.report(
      Self.self, "The argument \"\(owner)(\(argument.name):)\" is deprecated. \(reason)",
      at: use.place(of: argument))
  }

  static func check(_ use: AppliedValue, _ context: DocumentContext) {
    var tokens = use.tokens
    check(use.value, use.type, &tokens, use, context)
  }

  private static func check(
    _ value: Value, _ type: TypeReference?, _ tokens: inout Int, _ use: AppliedValue,
    _ context: DocumentContext
  ) {
    switch value {
    case .enum(let name):
      if let type = type.flatMap({ context.schema.type(of: $0) }),
        let reason = type.value(name)?.deprecationReason
      {
        context.report(
          Self.self, "The enum value \"\(type.name).\(name)\" is deprecated. \(reason)",
          at: use.place(behind: tokens))
      }
      tokens += 1
    case .list(let elements):
      tokens += 1
      for element in elements { check(element, type, &tokens, use, context) }
      tokens += 1
    case .object(let fields):
      check(fields, of: type.flatMap { context.schema.type(of: $0) }, &tokens, use, context)
    case .variable, .int, .float, .string, .boolean, .null:
      tokens += value.tokenCount
    }
  }

  private static func check(
    _ fields: [ObjectField], of type: SchemaType?, _ tokens: inout Int, _ use: AppliedValue,
    _ context: DocumentContext
  ) {
    tokens += 1
    for field in fields {
      let definition = type?.inputField(field.name)
      if let type, let reason = definition?.deprecationReason {
        context.report(
          Self.self, "The input field \(type.name).\(field.name) is deprecated. \(reason)",
          at: use.place(behind: tokens))
      }
      tokens += 2
      check(field.value, definition?.type, &tokens, use, context)
    }
    tokens += 1
  }
}
