import GraphQLLanguage
import GraphQLValidation
import Weir

/// An object of a response, and what a document selects of it. An implementation of "CollectFields"
/// of its own, which also notes conditions.
struct SelectedObject {
  /// A selection set, and the conditions on it.
  struct Source {
    let selections: SelectionSet
    let type: SchemaType
    /// Whether the fields are selected under a condition, within the object's own selections.
    let isConditional: Bool
  }

  /// A field of the object.
  struct Member {
    var types: [TypeReference] = []
    var sources: [Source] = []
    /// Whether every selection of the field is under a condition.
    var isConditional = true
    /// The number of elements that come first, if the list is streamed.
    var initialCount: Int?
    /// Whether its type is non-null where it is selected without a condition, even of a parent.
    var isRequired = false
  }

  let value: JSONValue
  private let schema: TypeSystem
  private let fragments: [String: FragmentDefinition]
  /// Whether a parent is selected under a condition.
  private let isWithinCondition: Bool
  private(set) var members: [String: Member] = [:]
  /// Whether the schema allows objects of other types.
  let isAbstract: Bool

  init(_ document: Document, _ schema: TypeSystem, _ value: JSONValue) {
    let fragments = Dictionary(document.fragments.map { ($0.name, $0) }) { first, _ in first }
    let sources = document.operations.prefix(1).compactMap { operation in
      schema.rootType(operation.kind).map {
        Source(selections: operation.selectionSet, type: $0, isConditional: false)
      }
    }
    self.init(sources, value, schema, fragments, isWithinCondition: false)
  }

  private init(
    _ sources: [Source], _ value: JSONValue, _ schema: TypeSystem,
    _ fragments: [String: FragmentDefinition], isWithinCondition: Bool
  ) {
    (self.value, self.schema, self.fragments) = (value, schema, fragments)
    self.isWithinCondition = isWithinCondition
    isAbstract = sources.allSatisfy(\.type.isAbstract)
    for source in sources {
      collect(source.selections, on: source.type, isConditional: source.isConditional)
    }
  }

  private mutating func collect(_ set: SelectionSet, on type: SchemaType, isConditional: Bool) {
    for selection in set.selections {
      switch selection {
      case .field(let field):
        add(field, on: type, isConditional || field.directives.areConditional)
      case .fragmentSpread(let spread):
        guard let fragment = fragments[spread.name] else { continue }
        collect(
          fragment.selectionSet, as: fragment.typeCondition, on: type,
          isConditional || spread.directives.areConditional)
      case .inlineFragment(let fragment):
        collect(
          fragment.selectionSet, as: fragment.typeCondition, on: type,
          isConditional || fragment.directives.areConditional)
      }
    }
  }

  private mutating func collect(
    _ set: SelectionSet, as condition: String?, on type: SchemaType, _ isConditional: Bool
  ) {
    let name = condition ?? type.name
    guard let target = schema.types[name] else { return }
    // The data of an operation has no name of a type; its type fulfils every condition that is valid.
    if let own = value["__typename"]?.string, !schema.isSubtype(own, of: name) { return }
    collect(set, on: target, isConditional: isConditional)
  }

  private mutating func add(_ field: Field, on type: SchemaType, _ isConditional: Bool) {
    guard let definition = schema.field(field.name, of: type) else { return }
    var member = members[field.responseKey] ?? Member()
    member.types.append(definition.type)
    if !isConditional { member.isConditional = false }
    if let stream = field.directives.first(where: { $0.name == "stream" }) {
      let count = stream.arguments.first { $0.name == "initialCount" }?.value
      if case .int(let number)? = count {
        member.initialCount = Int(number)
      } else {
        member.initialCount = 0
      }
    }
    if case .nonNull = definition.type, !isConditional, !isWithinCondition {
      member.isRequired = true
    }
    if let selections = field.selectionSet, let target = schema.type(of: definition.type) {
      member.sources.append(
        Source(selections: selections, type: target, isConditional: isConditional))
    }
    members[field.responseKey] = member
  }
}

// MARK: - Values within

extension SelectedObject {
  /// The objects in a member, with their paths below it.
  func objects(in key: String) -> [(path: [JSONPathKey], object: SelectedObject)] {
    guard let member = members[key], let value = value[key], !member.sources.isEmpty else {
      return []
    }
    // A condition on the whole field makes nothing in it conditional.
    let sources =
      member.sources.count > 1
      ? member.sources
      : member.sources.map {
        Source(selections: $0.selections, type: $0.type, isConditional: false)
      }
    return objects(in: value, sources, isWithinCondition || member.isConditional)
  }

  private func objects(
    in value: JSONValue, _ sources: [Source], _ isWithinCondition: Bool
  ) -> [(path: [JSONPathKey], object: SelectedObject)] {
    switch value {
    case .object:
      [
        (
          [],
          SelectedObject(
            sources, value, schema, fragments, isWithinCondition: isWithinCondition)
        )
      ]
    case .array(let elements):
      elements.enumerated().flatMap { position, element in
        objects(in: element, sources, isWithinCondition).map {
          ([JSONPathKey(position)] + $0.path, $0.object)
        }
      }
    default: []
    }
  }

  /// The object without the nulls that generated types do not write, because they are nil like what a
  /// condition leaves out.
  func withoutUnwritten(written: JSONValue) -> JSONValue {
    guard case .object(var object) = value else { return value }
    for (key, member) in members {
      guard let child = object[key] else { continue }
      // A root's type is not written unless it is selected without a condition.
      if child.isNull || key == "__typename" {
        if member.isConditional, written[key] == nil { object[key] = Optional.none }
        continue
      }
      for (path, inner) in objects(in: key) {
        object[key] = object[key]?.setting(
          inner.withoutUnwritten(written: written[key]?[path] ?? .null), at: path[...])
      }
    }
    return .object(object)
  }
}

extension [Directive] {
  fileprivate var areConditional: Bool {
    contains { ["include", "skip", "defer"].contains($0.name) }
  }
}
