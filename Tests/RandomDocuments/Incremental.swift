import GraphQLLanguage
import Weir

/// The first response of incremental delivery: what `@defer` selects is missing, and lists with
/// `@stream` have their first elements only.
extension Checks {
  func checkInitial<Operation: GeneratedOperation>(
    _ response: JSONValue, of operation: Operation
  ) throws {
    let document = try Operation.document.tree.get()
    let object = SelectedObject(document.withoutDeferred, types, response)
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
  /// The document without what `@defer` selects.
  fileprivate var withoutDeferred: Document {
    Document(
      definitions: definitions.map { definition in
        switch definition {
        case .operation(var operation):
          operation.selectionSet = operation.selectionSet.withoutDeferred
          return .operation(operation)
        case .fragment(var fragment):
          fragment.selectionSet = fragment.selectionSet.withoutDeferred
          return .fragment(fragment)
        default: return definition
        }
      })
  }
}

extension SelectionSet {
  fileprivate var withoutDeferred: SelectionSet {
    SelectionSet(
      selections: selections.compactMap { selection in
        switch selection {
        case .field(var field):
          field.selectionSet = field.selectionSet?.withoutDeferred
          return .field(field)
        case .fragmentSpread(let spread):
          return spread.directives.areDeferred ? nil : selection
        case .inlineFragment(var fragment):
          fragment.selectionSet = fragment.selectionSet.withoutDeferred
          return fragment.directives.areDeferred ? nil : .inlineFragment(fragment)
        }
      })
  }
}

extension [Directive] {
  fileprivate var areDeferred: Bool { contains { $0.name == "defer" } }
}
