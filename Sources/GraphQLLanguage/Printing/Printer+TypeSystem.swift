extension Printer {
  mutating func write(_ schema: SchemaDefinition) {
    word("schema")
    write(schema.directives)
    block(schema.operationTypes) { printer, type in
      printer.key(type.kind.rawValue)
      printer.word(type.type)
    }
  }

  mutating func write(_ directive: DirectiveDefinition) {
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
  mutating func write(_ type: TypeDefinition) {
    words(type.kind.rawValue, type.name)
    if !type.interfaces.isEmpty {
      space()
      word("implements")
      space()
      separated(type.interfaces, by: { $0.delimiter(Ascii.ampersand) }, { $0.word($1) })
    }
    write(type.directives)
    if !type.memberTypes.isEmpty {
      delimiter(Ascii.equals)
      separated(type.memberTypes, by: { $0.delimiter(Ascii.bar) }, { $0.word($1) })
    }
    block(type.fields) { $0.write($1) }
    block(type.values) { $0.write($1) }
    block(type.inputFields) { $0.write($1) }
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

  mutating func write(_ input: InputValueDefinition, isVariable: Bool = false) {
    write(description: input.description)
    if isVariable { punctuator(Ascii.dollar) }
    key(input.name)
    write(input.type)
    write(defaultValue: input.defaultValue)
    write(input.directives)
  }

  private mutating func write(arguments: [InputValueDefinition]) {
    wrappedList(arguments, indentedBy: 2) { $0.write($1) }
  }

  /// Writes the parts of a definition in braces; writes nothing without parts.
  private mutating func block<Item>(_ items: [Item], _ write: (inout Printer, Item) -> Void) {
    if items.isEmpty { return }
    space()
    verticalList(Ascii.leftBrace, items, Ascii.rightBrace, write)
  }

  mutating func delimiter(_ byte: UInt8) {
    space()
    punctuator(byte)
    space()
  }
}
