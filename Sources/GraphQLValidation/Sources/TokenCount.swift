import GraphQLLanguage

// How many tokens a node has in its source text. Only what is not in the syntax tree, such as the
// leading `|` of a union, makes the count inexact; places behind it are found by name.

extension Value {
  var tokenCount: Int {
    switch self {
    case .variable: 2
    case .int, .float, .string, .boolean, .null, .enum: 1
    case .list(let elements): elements.reduce(2) { $0 + $1.tokenCount }
    case .object(let fields): fields.reduce(2) { $0 + 2 + $1.value.tokenCount }
    }
  }
}

extension TypeReference {
  var tokenCount: Int {
    switch self {
    case .named: 1
    case .nonNull(let inner): inner.tokenCount + 1
    case .list(let inner): inner.tokenCount + 2
    }
  }
}

extension [Argument] {
  var tokenCount: Int { isEmpty ? 0 : reduce(2) { $0 + 2 + $1.value.tokenCount } }
}

extension [Directive] {
  var tokenCount: Int { reduce(0) { $0 + 2 + $1.arguments.tokenCount } }
}

extension [InputValueDefinition] {
  /// The tokens of a list of arguments in its parentheses.
  var tokenCount: Int { isEmpty ? 0 : reduce(2) { $0 + $1.tokenCount } }
}

extension InputValueDefinition {
  /// The tokens of an argument or of a field of an input object; a variable has one more, the `$`.
  var tokenCount: Int {
    tokensBeforeType + type.tokenCount + (defaultValue.map { $0.tokenCount + 1 } ?? 0)
      + directives.tokenCount
  }

  var tokensBeforeType: Int { (description == nil ? 0 : 1) + 2 }
}

extension Field {
  /// The tokens before the selection set.
  var headTokenCount: Int {
    (alias == nil ? 1 : 3) + arguments.tokenCount + directives.tokenCount
  }
}
