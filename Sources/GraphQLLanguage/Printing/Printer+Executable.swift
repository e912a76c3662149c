extension Printer {
  mutating func write(_ document: Document) {
    var isOpenEnded = false
    separated(document.definitions, by: { $0.emptyLine() }) { printer, definition in
      printer.write(definition, allowsShorthand: !isOpenEnded)
      isOpenEnded = definition.isOpenEnded
    }
  }

  /// Writes a definition.
  ///
  /// A query may use the short form, except after a definition to which the parser would then
  /// attribute the braces. graphql-js does not make this exception.
  private mutating func write(_ definition: Definition, allowsShorthand: Bool) {
    switch definition {
    case .operation(let operation):
      if allowsShorthand && operation.isShorthand {
        write(operation.selectionSet)
      } else {
        write(operation)
      }
    case .fragment(let fragment): write(fragment)
    case .schema(let schema):
      write(description: schema.description)
      write(schema)
    case .type(let type):
      write(description: type.description)
      write(type)
    case .directive(let directive):
      write(description: directive.description)
      write(directive)
    case .schemaExtension(let schema):
      word("extend")
      space()
      write(schema)
    case .typeExtension(let type):
      word("extend")
      space()
      write(type)
    }
  }

  private mutating func write(_ operation: OperationDefinition) {
    write(description: operation.description)
    word(operation.kind.rawValue)
    if operation.name != nil || !operation.variableDefinitions.isEmpty { space() }
    if let name = operation.name { word(name) }
    // Like graphql-js, without indentation.
    wrappedList(operation.variableDefinitions, indentedBy: 0) { $0.write($1, isVariable: true) }
    write(operation.directives)
    space()
    write(operation.selectionSet)
  }

  private mutating func write(_ fragment: FragmentDefinition) {
    write(description: fragment.description)
    words("fragment", fragment.name)
    space()
    words("on", fragment.typeCondition)
    write(fragment.directives)
    space()
    write(fragment.selectionSet)
  }

  mutating func write(_ selectionSet: SelectionSet) {
    verticalList(
      Ascii.leftBrace, selectionSet.selections, Ascii.rightBrace, { $0.write($1) })
  }

  private mutating func write(_ selection: Selection) {
    switch selection {
    case .field(let field): write(field)
    case .fragmentSpread(let spread): write(spread)
    case .inlineFragment(let fragment): write(fragment)
    }
  }

  private mutating func write(_ field: Field) {
    let start = mark
    if let alias = field.alias { key(alias) }
    word(field.name)
    write(field.arguments, ofFieldAt: start)
    write(field.directives)
    if let selectionSet = field.selectionSet {
      space()
      write(selectionSet)
    }
  }

  mutating func write(_ directives: [Directive]) {
    for directive in directives {
      space()
      punctuator(Ascii.at)
      word(directive.name)
      if !directive.arguments.isEmpty {
        inlineList(
          Ascii.leftParenthesis, directive.arguments, Ascii.rightParenthesis, { $0.write($1) })
      }
    }
  }

  private mutating func write(_ spread: FragmentSpread) {
    self.spread()
    word(spread.name)
    write(spread.directives)
  }

  private mutating func write(_ fragment: InlineFragment) {
    spread()
    if let typeCondition = fragment.typeCondition {
      space()
      words("on", typeCondition)
    }
    write(fragment.directives)
    space()
    write(fragment.selectionSet)
  }

  /// Writes a field's arguments in one line if the field fits into it, otherwise one per line.
  private mutating func write(_ arguments: [Argument], ofFieldAt start: Mark) {
    if arguments.isEmpty { return }
    let beforeArguments = mark
    inlineList(Ascii.leftParenthesis, arguments, Ascii.rightParenthesis, { $0.write($1) })
    guard !isMinified, isTooWide(since: start) else { return }
    goBack(to: beforeArguments)
    verticalList(Ascii.leftParenthesis, arguments, Ascii.rightParenthesis, { $0.write($1) })
  }

  private mutating func write(_ argument: Argument) {
    key(argument.name)
    write(argument.value)
  }
}

extension OperationDefinition {
  /// Whether the operation can be written as only its selection set.
  fileprivate var isShorthand: Bool {
    kind == .query && name == nil && description == nil && variableDefinitions.isEmpty
      && directives.isEmpty
  }
}

extension Definition {
  /// Whether the parser would attribute braces that follow to the definition.
  fileprivate var isOpenEnded: Bool {
    switch self {
    case .operation, .fragment, .schema, .directive: false
    case .type(let type), .typeExtension(let type):
      type.kind != .scalar && type.kind != .union && !type.hasBlock
    case .schemaExtension(let schema): schema.operationTypes.isEmpty
    }
  }
}
