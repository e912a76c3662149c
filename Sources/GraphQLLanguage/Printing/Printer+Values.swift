extension Printer {
  mutating func write(_ value: Value) {
    switch value {
    case .variable(let name):
      punctuator(Ascii.dollar)
      word(name)
    case .int(let text), .float(let text), .enum(let text): word(text)
    case .string(let string): write(string)
    case .boolean(let value): word(value ? "true" : "false")
    case .null: word("null")
    case .list(let elements):
      inlineList(Ascii.leftBracket, elements, Ascii.rightBracket, { $0.write($1) })
    case .object(let fields):
      inlineList(Ascii.leftBrace, fields, Ascii.rightBrace, { $0.write($1) })
    }
  }

  mutating func write(defaultValue: Value?) {
    guard let defaultValue else { return }
    delimiter(Ascii.equals)
    write(defaultValue)
  }

  mutating func write(_ type: TypeReference) {
    switch type {
    case .named(let name): word(name)
    case .list(let inner):
      punctuator(Ascii.leftBracket)
      write(inner)
      punctuator(Ascii.rightBracket)
    case .nonNull(let inner):
      write(inner)
      punctuator(Ascii.bang)
    }
  }

  private mutating func write(_ field: ObjectField) {
    key(field.name)
    write(field.value)
  }
}
