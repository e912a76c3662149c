import GraphQLLanguage
import Weir

/// The validation of a request against the most important rules of the specification (section 5):
/// fields, arguments, leaves, fragments and variables. It reports every error that it finds.
struct Validation {
  private let execution: Execution
  private var errors: [GraphQLError] = []
  /// The names of the fragments around the current selection.
  private var enclosing: [String] = []
  /// The names of the fragments that were already checked.
  private var checked: Set<String> = []

  private var operation: OperationDefinition { execution.operation }
  private var schema: LocalSchema? { execution.schema }

  init(execution: Execution) {
    self.execution = execution
  }

  mutating func validate() throws(RequestErrors) {
    var nesting = SelectionNesting(fragments: execution.fragments)
    do {
      _ = try nesting.depth(of: operation.selectionSet)
    } catch {
      throw RequestErrors("The document nests deeper than \(SelectionNesting.limit) levels.")
    }
    for definition in operation.variableDefinitions { check(definition) }
    check(operation.selectionSet, of: execution.rootTypename, isRoot: true)
    guard errors.isEmpty else { throw RequestErrors(errors) }
  }

  private mutating func report(_ message: String, at location: SourceLocation) {
    errors.append(
      GraphQLError(message: message, locations: execution.request.text.locations(of: location)))
  }

  private mutating func check(_ definition: VariableDefinition) {
    guard let schema else { return }
    let name = definition.type.namedType
    guard let type = schema.types[name] else {
      return report("Unknown type \"\(name)\".", at: definition.location)
    }
    if !type.isInput {
      report(
        "Variable \"$\(definition.name)\" cannot be non-input type \"\(name)\".",
        at: definition.location)
    }
  }
}

// MARK: - Selections

extension Validation {
  /// Checks a selection set of a type; the type's name is nil if it is unknown.
  private mutating func check(_ set: SelectionSet, of typename: String?, isRoot: Bool) {
    for selection in set.selections {
      switch selection {
      case .field(let field):
        check(field.directives)
        check(field, of: typename, isRoot: isRoot)
      case .fragmentSpread(let spread):
        check(spread.directives)
        check(spread, isRoot: isRoot)
      case .inlineFragment(let fragment):
        check(fragment.directives)
        checkCondition(fragment.typeCondition, at: fragment.location)
        check(fragment.selectionSet, of: fragment.typeCondition ?? typename, isRoot: isRoot)
      }
    }
  }

  private mutating func check(_ spread: FragmentSpread, isRoot: Bool) {
    guard let fragment = execution.fragments[spread.name] else {
      return report("Unknown fragment \"\(spread.name)\".", at: spread.location)
    }
    if enclosing.contains(spread.name) {
      return report(
        "Cannot spread fragment \"\(spread.name)\" within itself.", at: spread.location)
    }
    guard checked.insert(spread.name).inserted else { return }
    checkCondition(fragment.typeCondition, at: fragment.location)
    enclosing.append(spread.name)
    check(fragment.selectionSet, of: fragment.typeCondition, isRoot: isRoot)
    enclosing.removeLast()
  }

  private mutating func checkCondition(_ name: String?, at location: SourceLocation) {
    guard let name, let schema else { return }
    switch schema.types[name]?.kind {
    case .object, .interface, .union: break
    case nil: report("Unknown type \"\(name)\".", at: location)
    case .scalar, .enum, .inputObject:
      report("Fragment cannot condition on non composite type \"\(name)\".", at: location)
    }
  }

  private mutating func check(_ field: Field, of typename: String?, isRoot: Bool) {
    check(field.arguments)
    guard field.name != "__typename" else { return }
    guard let schema else { return checkUntyped(field, isRoot: isRoot) }
    // An unknown type has already been reported.
    guard let typename, let type = schema.types[typename] else { return }
    guard let definition = type.field(field.name) else {
      return report(
        "Cannot query field \"\(field.name)\" on type \"\(typename)\".", at: field.location)
    }
    check(field, against: definition, of: typename)
    let isLeaf = schema.types[definition.type.namedType]?.isLeaf ?? true
    switch field.selectionSet {
    case let set? where !isLeaf:
      check(set, of: definition.type.namedType, isRoot: false)
    case nil where !isLeaf:
      report(
        "Field \"\(field.name)\" of type \"\(definition.type.canonicalText)\" must have a "
          + "selection of subfields.", at: field.location)
    case .some:
      report(
        "Field \"\(field.name)\" must not have a selection since type "
          + "\"\(definition.type.canonicalText)\" has no subfields.", at: field.location)
    case nil: break
    }
  }

  /// Checks a field without a schema: a root field must have a resolver.
  private mutating func checkUntyped(_ field: Field, isRoot: Bool) {
    let resolvers = execution.resolvers
    let isKnown =
      execution.kind == .subscription
      ? resolvers.subscriptions[field.name] != nil
      : resolvers.roots[execution.kind]?[field.name] != nil
    if isRoot, !isKnown {
      report(
        "Cannot query field \"\(field.name)\" on type \"\(execution.rootTypename)\".",
        at: field.location)
    }
    if let set = field.selectionSet { check(set, of: nil, isRoot: false) }
  }
}

// MARK: - Arguments

extension Validation {
  private mutating func check(
    _ field: Field, against definition: FieldDefinition, of typename: String
  ) {
    for argument in field.arguments {
      guard let expected = definition.arguments.first(where: { $0.name == argument.name }) else {
        report(
          "Unknown argument \"\(argument.name)\" on field \"\(typename).\(field.name)\".",
          at: argument.location)
        continue
      }
      // Values that contain variables are checked during execution.
      guard argument.value.isConstant else { continue }
      do {
        _ = try execution.coercion.value(.literal(argument.value), as: expected.type)
      } catch {
        report(error.message, at: argument.location)
      }
    }
    for expected in definition.arguments
    where expected.type.isNonNull && expected.defaultValue == nil
      && !field.arguments.contains(where: { $0.name == expected.name })
    {
      let type = expected.type.canonicalText
      report(
        "Field \"\(field.name)\" argument \"\(expected.name)\" of type \"\(type)\" is required, but "
          + "it was not provided.", at: field.location)
    }
  }

  private mutating func check(_ directives: [Directive]) {
    for directive in directives {
      check(directive.arguments)
      if directive.name == "skip" || directive.name == "include",
        !directive.arguments.contains(where: { $0.name == "if" })
      {
        report(
          "Directive \"@\(directive.name)\" argument \"if\" of type \"Boolean!\" is required, but it "
            + "was not provided.", at: directive.location)
      }
    }
  }

  /// Checks that the operation declares every variable in the arguments.
  private mutating func check(_ arguments: [Argument]) {
    for argument in arguments { checkVariables(in: argument.value, at: argument.location) }
  }

  private mutating func checkVariables(in value: Value, at location: SourceLocation) {
    switch value {
    case .variable(let name):
      if !operation.variableDefinitions.contains(where: { $0.name == name }) {
        report("Variable \"$\(name)\" is not defined.", at: location)
      }
    case .list(let elements):
      for element in elements { checkVariables(in: element, at: location) }
    case .object(let fields):
      for field in fields { checkVariables(in: field.value, at: location) }
    case .int, .float, .string, .boolean, .null, .enum:
      break
    }
  }
}

extension String {
  /// Returns the 1-based line and column, in UTF-16 code units; empty for an unknown location.
  func locations(of location: SourceLocation) -> [GraphQLError.Location] {
    guard let offset = location.utf8Offset else { return [] }
    let before = Array(utf8.prefix(offset))
    let line = before.count { $0 == UInt8(ascii: "\n") } + 1
    let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    let column = String(decoding: before[lineStart...], as: UTF8.self).utf16.count + 1
    return [GraphQLError.Location(line: line, column: column)]
  }
}
