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
    case .typeSystem(let definition): write(definition)
    case .typeSystemExtension(let definition): write(definition)
    }
  }

  private mutating func write(_ operation: OperationDefinition) {
    write(description: operation.description)
    word(operation.kind.rawValue)
    if operation.name != nil || !operation.variableDefinitions.isEmpty { space() }
    if let name = operation.name { word(name) }
    write(operation.variableDefinitions)
    write(operation.directives)
    space()
    write(operation.selectionSet)
  }

  private mutating func write(_ fragment: FragmentDefinition) {
    write(description: fragment.description)
    word("fragment")
    space()
    word(fragment.name)
    space()
    word("on")
    space()
    word(fragment.typeCondition)
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
    if let alias = field.alias {
      word(alias)
      punctuator(Ascii.colon)
      space()
    }
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
      word("on")
      space()
      word(typeCondition)
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
    word(argument.name)
    punctuator(Ascii.colon)
    space()
    write(argument.value)
  }

  /// Writes variables in one line, or one per line if one of them takes several lines; like
  /// graphql-js, without indentation.
  private mutating func write(_ variables: [VariableDefinition]) {
    if variables.isEmpty { return }
    let start = mark
    inlineList(Ascii.leftParenthesis, variables, Ascii.rightParenthesis, { $0.write($1) })
    guard !isMinified, hasLineBreak(since: start) else { return }
    goBack(to: start)
    verticalList(
      Ascii.leftParenthesis, variables, Ascii.rightParenthesis, indentedBy: 0, { $0.write($1) })
  }

  private mutating func write(_ variable: VariableDefinition) {
    write(description: variable.description)
    punctuator(Ascii.dollar)
    word(variable.name)
    punctuator(Ascii.colon)
    space()
    write(variable.type)
    write(defaultValue: variable.defaultValue)
    write(variable.directives)
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
    case .operation, .fragment, .typeSystem(.schema), .typeSystem(.directive): false
    case .typeSystem(.type(let type)), .typeSystemExtension(.type(let type)): type.isOpenEnded
    case .typeSystemExtension(.schema(let schema)): schema.operationTypes.isEmpty
    }
  }
}

extension TypeDefinition {
  fileprivate var isOpenEnded: Bool {
    switch self {
    case .scalar, .union: false
    case .object(let type): type.fields.isEmpty
    case .interface(let type): type.fields.isEmpty
    case .enum(let type): type.values.isEmpty
    case .inputObject(let type): type.fields.isEmpty
    }
  }
}
