import GraphQLLanguage
import Weir

/// The first response of incremental delivery: what `@defer` selects is missing, and lists with
/// `@stream` have their first elements only.
extension Checks {
  func checkInitial<Operation: GeneratedOperation>(
    _ response: JSONValue, of operation: Operation
  ) throws {
    let document = try Operation.document.tree.get()
    let variables = try JSON(parsing: operation.operation().variables).value
    let object = SelectedObject(document.initial(variables), types, response)
    let initial = object.initial
    if initial == response { return }
    partial += 1
    do {
      let data: Operation.Data = try JSON(initial).decode()
      expect(PropertyView(data).json(for: initial), initial.withoutTypenames, "initial properties")
    } catch {
      fail("The initial data cannot be decoded: \(error) \(initial)")
    }
  }
}

extension SelectedObject {
  /// The object with the selected members, and the first elements of streamed lists.
  fileprivate var initial: JSONValue {
    guard case .object(let all) = value else { return value }
    var object = JSONObject(
      all.filter { $0.key == "__typename" || members[$0.key] != nil }.map { ($0.key, $0.value) })
    for (key, member) in members {
      for (path, inner) in objects(in: key) {
        object[key] = object[key]?.setting(inner.initial, at: path[...])
      }
      if let count = member.initialCount, let elements = object[key]?.array {
        object[key] = .array(Array(elements.prefix(count)))
      }
    }
    return .object(object)
  }
}

extension Document {
  /// The document without what `@defer` selects, and what directives leave out: otherwise a field that
  /// only a deferred fragment has brought would seem to be selected.
  fileprivate func initial(_ variables: JSONValue) -> Document {
    Document(
      definitions: definitions.map { definition in
        switch definition {
        case .operation(var operation):
          operation.selectionSet = operation.selectionSet.initial(variables)
          return .operation(operation)
        case .fragment(var fragment):
          fragment.selectionSet = fragment.selectionSet.initial(variables)
          return .fragment(fragment)
        default: return definition
        }
      })
  }
}

extension SelectionSet {
  fileprivate func initial(_ variables: JSONValue) -> SelectionSet {
    SelectionSet(
      selections: selections.compactMap { selection in
        switch selection {
        case .field(var field):
          field.selectionSet = field.selectionSet?.initial(variables)
          return field.directives.leaveOut(variables) ? nil : .field(field)
        case .fragmentSpread(let spread):
          return spread.directives.leaveOut(variables) ? nil : selection
        case .inlineFragment(var fragment):
          fragment.selectionSet = fragment.selectionSet.initial(variables)
          return fragment.directives.leaveOut(variables) ? nil : .inlineFragment(fragment)
        }
      })
  }
}

extension [Directive] {
  fileprivate func leaveOut(_ variables: JSONValue) -> Bool {
    contains { directive in
      switch directive.name {
      case "defer": true
      case "skip": directive.condition(variables)
      case "include": !directive.condition(variables)
      default: false
      }
    }
  }
}

extension Directive {
  fileprivate func condition(_ variables: JSONValue) -> Bool {
    switch arguments.first?.value {
    case .boolean(let value)?: value
    // The documents have no defaults for the variables of conditions.
    case .variable(let name)?: variables[name]?.bool == true
    default: false
    }
  }
}
