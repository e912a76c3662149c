import GraphQLLanguage

/// An input object has no field twice (section 5.6.3).
enum InputObjectFieldUniqueness: ValidationRule {
  static let name = "input-object-field-uniqueness"

  static func check(_ use: AppliedValue, _ context: ValidationContext) {
    var tokens = use.tokens
    check(use.value, &tokens, use, context)
  }

  private static func check(
    _ value: Value, _ tokens: inout Int, _ use: AppliedValue, _ context: ValidationContext
  ) {
    switch value {
    case .list(let elements):
      tokens += 1
      for element in elements { check(element, &tokens, use, context) }
      tokens += 1
    case .object(let fields):
      tokens += 1
      var known: [String: SourcePlace] = [:]
      for field in fields {
        let place = use.place(behind: tokens)
        if let first = known[field.name] {
          context.report(
            Self.self, "There can be only one input field named \"\(field.name)\".", at: first,
            related: [place])
        } else if fields.count > 1 {
          known[field.name] = place
        }
        tokens += 2
        check(field.value, &tokens, use, context)
      }
      tokens += 1
    default:
      tokens += value.tokenCount
    }
  }
}
