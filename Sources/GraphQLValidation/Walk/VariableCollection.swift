import GraphQLLanguage

/// Collects the variables in a value, each with the type of its position.
struct VariableCollection {
  let schema: TypeSystem
  let use: AppliedValue
  private(set) var variables: [VariableUse] = []

  init(schema: TypeSystem, use: AppliedValue) {
    self.schema = schema
    self.use = use
  }

  mutating func collect(
    _ value: Value, _ type: TypeReference?, hasDefault: Bool, oneOf: SchemaType?,
    tokens: inout Int
  ) {
    switch value {
    case .variable(let name):
      variables.append(
        VariableUse(
          name: name, place: use.place(behind: tokens), type: type, hasDefault: hasDefault,
          oneOf: oneOf))
      tokens += 2
    case .list(let elements):
      tokens += 1
      for element in elements {
        collect(
          element, type?.elementType, hasDefault: false, oneOf: nil, tokens: &tokens)
      }
      tokens += 1
    case .object(let fields):
      collect(fields, of: type.flatMap { schema.type(of: $0) }, tokens: &tokens)
    case .int, .float, .string, .boolean, .null, .enum:
      tokens += 1
    }
  }

  private mutating func collect(
    _ fields: [ObjectField], of type: SchemaType?, tokens: inout Int
  ) {
    tokens += 1
    for field in fields {
      tokens += 2
      let defined = type?.inputField(field.name)
      collect(
        field.value, defined?.type, hasDefault: defined?.defaultValue != nil,
        oneOf: type?.isOneOf == true ? type : nil, tokens: &tokens)
    }
    tokens += 1
  }
}

extension TypeReference {
  /// The type of the elements of a list; for any other type the type itself.
  fileprivate var elementType: TypeReference {
    if case .list(let inner) = nullable { inner } else { nullable }
  }
}
