import GraphQLLanguage
import GraphQLValidation

/// Finds the fields of input objects that lead back to their own type, other than through a list.
///
/// A schema can have thousands of input objects that all contain each other, as filters do, so the time
/// is in proportion to the schema.
struct InputCycles {
  /// For each input object a number, which is the same for those that lead to each other.
  private let groups: [String: Int]

  init(_ schema: TypeSystem) {
    var targets: [String: [String]] = [:]
    for name in schema.typeNames {
      guard let type = schema.types[name], type.kind == .inputObject else { continue }
      targets[name] = type.inputFields.lazy.filter { !$0.type.isList }.map(\.type.namedType)
        .filter { schema.types[$0]?.kind == .inputObject }
    }
    groups = Self.groups(targets, schema.typeNames)
  }

  /// Whether a value of the field can contain a value of the type that has the field.
  func isCyclic(_ field: InputValueDefinition, of type: SchemaType) -> Bool {
    guard !field.type.isList, let group = groups[field.type.namedType] else { return false }
    return group == groups[type.name]
  }

  /// Visits all types in depth, then again in the opposite direction, the last ones that were left
  /// first: what is reached then, and was not before, is a group (the algorithm of Kosaraju).
  private static func groups(_ targets: [String: [String]], _ names: [String]) -> [String: Int] {
    var sources: [String: [String]] = [:]
    for (name, targets) in targets {
      for target in targets { sources[target, default: []].append(name) }
    }
    var seen: Set<String> = []
    let left = names.filter { targets[$0] != nil }.flatMap { reached(from: $0, targets, &seen) }
    seen = []
    var groups: [String: Int] = [:]
    for (index, name) in left.reversed().enumerated() {
      for member in reached(from: name, sources, &seen) { groups[member] = index }
    }
    return groups
  }

  /// Returns the names that are reached and were not seen before, in the order in which a search in
  /// depth leaves them. It has a stack of its own.
  private static func reached(
    from start: String, _ links: [String: [String]], _ seen: inout Set<String>
  ) -> [String] {
    guard seen.insert(start).inserted else { return [] }
    var left: [String] = []
    var path = [(name: start, next: links[start, default: []][...])]
    while let last = path.indices.last {
      guard let next = path[last].next.popFirst() else {
        left.append(path.removeLast().name)
        continue
      }
      if seen.insert(next).inserted { path.append((next, links[next, default: []][...])) }
    }
    return left
  }
}
