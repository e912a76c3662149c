extension Printer {
  mutating func write(_ definition: TypeSystemDefinition) {
    switch definition {
    case .schema(let schema):
      write(description: schema.description)
      write(schema)
    case .type(let type):
      write(description: type.description)
      write(type)
    case .directive(let directive):
      write(description: directive.description)
      write(directive)
    }
  }

  mutating func write(_ definition: TypeSystemExtension) {
    word("extend")
    space()
    switch definition {
    case .schema(let schema): write(schema)
    case .type(let type): write(type)
    }
  }

  private mutating func write(_ schema: SchemaDefinition) {
    word("schema")
    write(schema.directives)
    block(schema.operationTypes) { printer, type in
      printer.word(type.kind.rawValue)
      printer.punctuator(Ascii.colon)
      printer.space()
      printer.word(type.type)
    }
  }

  private mutating func write(_ directive: DirectiveDefinition) {
    word("directive")
    space()
    punctuator(Ascii.at)
    word(directive.name)
    write(arguments: directive.arguments)
    if directive.isRepeatable {
      space()
      word("repeatable")
    }
    space()
    word("on")
    space()
    separated(
      directive.locations, by: { $0.delimiter(Ascii.bar) }, { $0.word($1.rawValue) })
  }

  /// Writes a type definition, starting with its first word.
  private mutating func write(_ type: TypeDefinition) {
    switch type {
    case .scalar(let type):
      head("scalar", type.name, type.directives)
    case .object(let type):
      head("type", type.name, implements: type.interfaces, type.directives)
      block(type.fields) { $0.write($1) }
    case .interface(let type):
      head("interface", type.name, implements: type.interfaces, type.directives)
      block(type.fields) { $0.write($1) }
    case .union(let type):
      head("union", type.name, type.directives)
      write(members: type.types)
    case .enum(let type):
      head("enum", type.name, type.directives)
      block(type.values) { $0.write($1) }
    case .inputObject(let type):
      head("input", type.name, type.directives)
      block(type.fields) { $0.write($1) }
    }
  }

  private mutating func head(
    _ keyword: String, _ name: String, implements interfaces: [String] = [],
    _ directives: [Directive]
  ) {
    word(keyword)
    space()
    word(name)
    if !interfaces.isEmpty {
      space()
      word("implements")
      space()
      separated(interfaces, by: { $0.delimiter(Ascii.ampersand) }, { $0.word($1) })
    }
    write(directives)
  }

  private mutating func write(members types: [String]) {
    if types.isEmpty { return }
    space()
    punctuator(Ascii.equals)
    space()
    separated(types, by: { $0.delimiter(Ascii.bar) }, { $0.word($1) })
  }

  private mutating func write(_ field: FieldDefinition) {
    write(description: field.description)
    word(field.name)
    write(arguments: field.arguments)
    punctuator(Ascii.colon)
    space()
    write(field.type)
    write(field.directives)
  }

  private mutating func write(_ value: EnumValueDefinition) {
    write(description: value.description)
    word(value.name)
    write(value.directives)
  }

  private mutating func write(_ input: InputValueDefinition) {
    write(description: input.description)
    word(input.name)
    punctuator(Ascii.colon)
    space()
    write(input.type)
    write(defaultValue: input.defaultValue)
    write(input.directives)
  }

  /// Writes arguments in one line, or one per line if one of them takes several lines.
  private mutating func write(arguments: [InputValueDefinition]) {
    if arguments.isEmpty { return }
    let start = mark
    inlineList(Ascii.leftParenthesis, arguments, Ascii.rightParenthesis, { $0.write($1) })
    guard !isMinified, hasLineBreak(since: start) else { return }
    goBack(to: start)
    verticalList(Ascii.leftParenthesis, arguments, Ascii.rightParenthesis, { $0.write($1) })
  }

  /// Writes the parts of a definition in braces; writes nothing without parts.
  private mutating func block<Item>(_ items: [Item], _ write: (inout Printer, Item) -> Void) {
    if items.isEmpty { return }
    space()
    verticalList(Ascii.leftBrace, items, Ascii.rightBrace, write)
  }

  private mutating func delimiter(_ byte: UInt8) {
    space()
    punctuator(byte)
    space()
  }
}
