import GraphQLLanguage
import Weir

/// The checks of a request that most mistakes fall under (specification, section 5): fields,
/// arguments, leaves, fragments, variables. It stops at nothing, and reports all that it finds.
struct Validation {
  let document: Document
  let text: String
  let operation: OperationDefinition
  let rootTypename: String
  let fragments: [String: FragmentDefinition]
  let schema: LocalSchema?
  let resolvers: LocalResolvers

  func check() throws(RequestErrors) {
    var nesting = Nesting(fragments: fragments)
    do {
      _ = try nesting.depth(of: operation.selectionSet)
    } catch {
      throw RequestErrors("The document nests deeper than \(Nesting.limit) levels.")
    }
    var findings = Findings()
    for definition in operation.variableDefinitions { check(definition, &findings) }
    check(operation.selectionSet, of: rootTypename, isRoot: true, &findings)
    guard findings.errors.isEmpty else { throw RequestErrors(findings.errors) }
  }

  private struct Findings {
    var errors: [GraphQLError] = []
    /// The fragments that enclose the selection that is looked at.
    var enclosing: [String] = []
    /// Fragments that were looked at before.
    var known: Set<String> = []
  }

  private func report(_ message: String, at location: SourceLocation, _ findings: inout Findings) {
    findings.errors.append(
      GraphQLError(message: message, locations: text.locations(of: location)))
  }

  private func check(_ definition: VariableDefinition, _ findings: inout Findings) {
    guard let schema else { return }
    let name = definition.type.namedType
    if schema.types[name]?.isInput != true {
      report(
        schema.types[name] == nil
          ? "Unknown type \"\(name)\"."
          : "Variable \"$\(definition.name)\" cannot be non-input type \"\(name)\".",
        at: definition.location, &findings)
    }
  }
}

// MARK: - Selections

extension Validation {
  /// The type's name is nil if the type is not known.
  private func check(
    _ set: SelectionSet, of typename: String?, isRoot: Bool, _ findings: inout Findings
  ) {
    for selection in set.selections {
      switch selection {
      case .field(let field):
        check(field.directives, &findings)
        check(field, of: typename, isRoot: isRoot, &findings)
      case .fragmentSpread(let spread):
        check(spread.directives, &findings)
        check(spread, isRoot: isRoot, &findings)
      case .inlineFragment(let fragment):
        check(fragment.directives, &findings)
        checkCondition(fragment.typeCondition, at: fragment.location, &findings)
        check(
          fragment.selectionSet, of: fragment.typeCondition ?? typename, isRoot: isRoot, &findings)
      }
    }
  }

  private func check(_ spread: FragmentSpread, isRoot: Bool, _ findings: inout Findings) {
    guard let fragment = fragments[spread.name] else {
      return report("Unknown fragment \"\(spread.name)\".", at: spread.location, &findings)
    }
    if findings.enclosing.contains(spread.name) {
      return report(
        "Cannot spread fragment \"\(spread.name)\" within itself.", at: spread.location, &findings)
    }
    guard findings.known.insert(spread.name).inserted else { return }
    checkCondition(fragment.typeCondition, at: fragment.location, &findings)
    findings.enclosing.append(spread.name)
    check(fragment.selectionSet, of: fragment.typeCondition, isRoot: isRoot, &findings)
    findings.enclosing.removeLast()
  }

  private func checkCondition(
    _ name: String?, at location: SourceLocation, _ findings: inout Findings
  ) {
    guard let name, let schema else { return }
    switch schema.types[name]?.kind {
    case .object, .interface, .union: break
    case nil: report("Unknown type \"\(name)\".", at: location, &findings)
    case .scalar, .enum, .inputObject:
      report(
        "Fragment cannot condition on non composite type \"\(name)\".", at: location, &findings)
    }
  }

  private func check(
    _ field: Field, of typename: String?, isRoot: Bool, _ findings: inout Findings
  ) {
    for argument in field.arguments { checkVariables(in: argument.value, argument, &findings) }
    guard field.name != "__typename" else { return }
    guard let schema else {
      return checkUntyped(field, isRoot: isRoot, &findings)
    }
    // What is wrong with an unknown type has been reported.
    guard let typename, let type = schema.types[typename] else { return }
    guard let definition = type.field(field.name) else {
      return report(
        "Cannot query field \"\(field.name)\" on type \"\(typename)\".", at: field.location,
        &findings)
    }
    check(field, against: definition, of: typename, &findings)
    let isLeaf = schema.types[definition.type.namedType]?.isLeaf ?? true
    if let selectionSet = field.selectionSet {
      if isLeaf {
        report(
          "Field \"\(field.name)\" must not have a selection since type "
            + "\"\(definition.type.text)\" has no subfields.", at: field.location, &findings)
      } else {
        check(selectionSet, of: definition.type.namedType, isRoot: false, &findings)
      }
    } else if !isLeaf {
      report(
        "Field \"\(field.name)\" of type \"\(definition.type.text)\" must have a selection of "
          + "subfields.", at: field.location, &findings)
    }
  }

  private func checkUntyped(_ field: Field, isRoot: Bool, _ findings: inout Findings) {
    let kind = GraphQLOperation.Kind(operation.kind)
    let isKnown =
      kind == .subscription
      ? resolvers.subscriptions[field.name] != nil : resolvers.roots[kind]?[field.name] != nil
    if isRoot, !isKnown {
      report(
        "Cannot query field \"\(field.name)\" on type \"\(rootTypename)\".", at: field.location,
        &findings)
    }
    if let selectionSet = field.selectionSet {
      check(selectionSet, of: nil, isRoot: false, &findings)
    }
  }
}

// MARK: - Arguments

extension Validation {
  private func check(
    _ field: Field, against definition: FieldDefinition, of typename: String,
    _ findings: inout Findings
  ) {
    let coercion = InputCoercion(schema: schema)
    for argument in field.arguments {
      guard let expected = definition.arguments.first(where: { $0.name == argument.name }) else {
        report(
          "Unknown argument \"\(argument.name)\" on field \"\(typename).\(field.name)\".",
          at: argument.location, &findings)
        continue
      }
      // What holds variables is checked when their values are known.
      guard argument.value.isConstant else { continue }
      do {
        _ = try coercion.value(argument.value, as: expected.type, variables: [:])
      } catch {
        report(error.message, at: argument.location, &findings)
      }
    }
    for expected in definition.arguments where expected.type.isNonNull {
      let isGiven = field.arguments.contains { $0.name == expected.name }
      if expected.defaultValue == nil, !isGiven {
        report(
          "Field \"\(field.name)\" argument \"\(expected.name)\" of type \"\(expected.type.text)\" is "
            + "required, but it was not provided.", at: field.location, &findings)
      }
    }
  }

  private func check(_ directives: [Directive], _ findings: inout Findings) {
    for directive in directives {
      for argument in directive.arguments {
        checkVariables(in: argument.value, argument, &findings)
      }
      if directive.name == "skip" || directive.name == "include",
        !directive.arguments.contains(where: { $0.name == "if" })
      {
        report(
          "Directive \"@\(directive.name)\" argument \"if\" of type \"Boolean!\" is required, but it "
            + "was not provided.", at: directive.location, &findings)
      }
    }
  }

  private func checkVariables(
    in value: Value, _ argument: Argument, _ findings: inout Findings
  ) {
    switch value {
    case .variable(let name):
      if !operation.variableDefinitions.contains(where: { $0.name == name }) {
        report("Variable \"$\(name)\" is not defined.", at: argument.location, &findings)
      }
    case .list(let elements):
      for element in elements { checkVariables(in: element, argument, &findings) }
    case .object(let fields):
      for field in fields { checkVariables(in: field.value, argument, &findings) }
    case .int, .float, .string, .boolean, .null, .enum:
      break
    }
  }
}

extension String {
  /// The line and the column, from 1, in UTF-16 code units; nothing for an unknown place.
  func locations(of location: SourceLocation) -> [GraphQLError.Location] {
    guard let offset = location.utf8Offset else { return [] }
    let before = Array(utf8.prefix(offset))
    let line = before.count { $0 == UInt8(ascii: "\n") } + 1
    let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    let column = String(decoding: before[lineStart...], as: UTF8.self).utf16.count + 1
    return [GraphQLError.Location(line: line, column: column)]
  }
}
