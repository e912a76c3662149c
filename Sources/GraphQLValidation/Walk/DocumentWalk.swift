import GraphQLLanguage

/// Visits every node of executable documents once, with the type around it, and shows it to the
/// rules that are about such nodes. Collects what rules about whole documents need.
struct DocumentWalk {
  let context: DocumentContext
  private let file: SourceFile
  /// The definition that the walk is in.
  private let definition: DefinitionUse

  private var schema: TypeSystem { context.schema }

  /// Visits all definitions of a file.
  static func visit(_ file: SourceFile, _ context: DocumentContext) {
    ExecutableDefinitions.check(file, context)
    for definition in file.document.definitions {
      switch definition {
      case .operation(let operation):
        let use = DefinitionUse(.operation(operation), file)
        context.definitions.append(use)
        DocumentWalk(context: context, file: file, definition: use).visit(operation)
      case .fragment(let fragment):
        let use = DefinitionUse(.fragment(fragment), file)
        context.definitions.append(use)
        DocumentWalk(context: context, file: file, definition: use).visit(fragment)
      case .schema, .schemaExtension, .type, .typeExtension, .directive: break
      }
    }
  }

  private func visit(_ operation: OperationDefinition) {
    OperationTypeExistence.check(operation, definition.place, context)
    SingleRootField.check(operation, file, context)
    VariableUniqueness.check(operation, file, context)
    for variable in operation.variableDefinitions { visit(variable) }
    visit(operation.directives, on: DirectiveLocation(operation.kind))
    definition.selectionSet = visit(
      operation.selectionSet, of: context.schema.rootType(operation.kind))
  }

  private func visit(_ variable: VariableDefinition) {
    VariablesAreInputTypes.check(variable, file, context)
    visit(variable.directives, on: .variableDefinition)
    guard let value = variable.defaultValue else { return }
    let use = AppliedValue(
      value: value, location: variable.location,
      tokens: variable.tokensBeforeType + 1 + variable.type.tokenCount + 1, file: file,
      type: variable.type)
    if schema.type(of: variable.type)?.isInput == true { ValuesOfCorrectType.check(use, context) }
    InputObjectFieldUniqueness.check(use, context)
    if context.isLinting { Deprecated.check(use, context) }
  }

  private func visit(_ fragment: FragmentDefinition) {
    let place = fragment.conditionPlace(in: file)
    FragmentSpreadTypeExistence.check(fragment.typeCondition, place, context)
    FragmentsOnCompositeTypes.check(fragment.typeCondition, of: fragment.name, place, context)
    visit(fragment.directives, on: .fragmentDefinition)
    let set = visit(fragment.selectionSet, of: composite(fragment.typeCondition))
    definition.selectionSet = set
    if let use = context.fragments[fragment.name], use.file === file,
      use.fragment.location.utf8Offset == fragment.location.utf8Offset
    {
      context.selections.setFragment(use.index, set)
    }
  }

  private func composite(_ name: String) -> SchemaType? {
    guard let type = schema.types[name], type.isComposite else { return nil }
    return type
  }
}

// MARK: - Selections

extension DocumentWalk {
  private func visit(_ set: SelectionSet, of parent: SchemaType?) -> SelectionTable.SetID {
    let id = context.selections.addSet()
    visit(set, of: parent, into: id)
    return id
  }

  /// Visits a selection set. The fields of inline fragments belong to the set around them.
  private func visit(
    _ set: SelectionSet, of parent: SchemaType?, into id: SelectionTable.SetID
  ) {
    for selection in set.selections {
      switch selection {
      case .field(let field): visit(field, of: parent, into: id)
      case .fragmentSpread(let spread): visit(spread, in: parent, into: id)
      case .inlineFragment(let fragment): visit(fragment, in: parent, into: id)
      }
    }
  }

  private func visit(_ field: Field, of parent: SchemaType?, into id: SelectionTable.SetID) {
    let found = parent.flatMap { schema.field(field.name, of: $0) }
    let type = found.flatMap { schema.type(of: $0.type) }
    let use = AppliedField(
      field: field, parent: parent, definition: found, type: type, file: file)
    FieldSelections.check(use, context)
    LeafFieldSelections.check(use, context)
    if context.isLinting { lint(use) }
    visit(
      AppliedArguments(
        arguments: field.arguments, defined: found?.definition.arguments,
        owner: .field(field, parent: parent), place: use.place))
    visit(field.directives, on: .field)
    let fieldID = context.selections.add(
      .init(field: field, file: file, parent: parent, type: found?.type), to: id)
    if let set = field.selectionSet {
      let composite = type?.isComposite == true ? type : nil
      context.selections.setSelectionSet(visit(set, of: composite), of: fieldID)
    }
  }

  private func lint(_ use: AppliedField) {
    Deprecated.check(use, context)
    NoTypenameAlias.check(use, context)
    UnusedFieldAlias.check(use, context)
    UnboundedConnection.check(use, context)
  }

  private func visit(
    _ spread: FragmentSpread, in parent: SchemaType?, into id: SelectionTable.SetID
  ) {
    let place = SourcePlace(file: file, location: spread.location)
    definition.spreads.append((spread.name, place))
    FragmentSpreadTargetDefined.check(spread, file, context)
    visit(spread.directives, on: .fragmentSpread)
    guard let use = context.fragments[spread.name] else {
      return context.selections.addUnknownSpread(to: id)
    }
    FragmentSpreadIsPossible.check(
      use.fragment.typeCondition, of: spread.name, in: parent, place, context)
    context.selections.addSpread(of: use.index, to: id)
  }

  private func visit(
    _ fragment: InlineFragment, in parent: SchemaType?, into id: SelectionTable.SetID
  ) {
    visit(fragment.directives, on: .inlineFragment)
    guard let condition = fragment.typeCondition else {
      return visit(fragment.selectionSet, of: parent, into: id)
    }
    let place = SourcePlace(file, fragment.location, tokens: 2)
    FragmentSpreadTypeExistence.check(condition, place, context)
    FragmentsOnCompositeTypes.check(condition, of: nil, place, context)
    FragmentSpreadIsPossible.check(
      condition, of: nil, in: parent, SourcePlace(file: file, location: fragment.location), context)
    visit(fragment.selectionSet, of: composite(condition), into: id)
  }
}

// MARK: - Directives and arguments

extension DocumentWalk {
  private func visit(_ directives: [Directive], on location: DirectiveLocation) {
    if directives.isEmpty { return }
    let use = AppliedDirectives(directives: directives, location: location, file: file)
    DirectivesAreDefined.check(use, context)
    DirectivesAreInValidLocations.check(use, context)
    DirectivesAreUniquePerLocation.check(use, context)
    for directive in directives {
      visit(
        AppliedArguments(
          arguments: directive.arguments,
          defined: schema.directives[directive.name]?.definition.arguments,
          owner: .directive(directive.name), place: use.place(of: directive)))
    }
  }

  private func visit(_ use: AppliedArguments) {
    RequiredArguments.check(use, context)
    if use.arguments.isEmpty { return }
    ArgumentNames.check(use, context)
    ArgumentUniqueness.check(use, context)
    for argument in use.arguments {
      let definition = use.defined?.first { $0.name == argument.name }
      let value = AppliedValue(
        value: argument.value, location: argument.location, tokens: 2, file: file,
        type: definition?.type)
      ValuesOfCorrectType.check(value, context)
      InputObjectFieldUniqueness.check(value, context)
      if context.isLinting {
        Deprecated.check(argument, definition, use, context)
        Deprecated.check(value, context)
      }
      collectVariables(in: value, hasDefault: definition?.defaultValue != nil)
    }
  }

  private func collectVariables(in use: AppliedValue, hasDefault: Bool) {
    var tokens = use.tokens
    var collection = VariableCollection(schema: schema, use: use)
    collection.collect(
      use.value, use.type, hasDefault: hasDefault, oneOf: nil, tokens: &tokens)
    definition.variables += collection.variables
  }
}

extension DirectiveLocation {
  init(_ kind: OperationKind) {
    switch kind {
    case .query: self = .query
    case .mutation: self = .mutation
    case .subscription: self = .subscription
    }
  }
}
