import GraphQLLanguage
import GraphQLValidation

/// Finds the fields of input objects that lead back to their own type, other than through a list.
struct InputCycles {
  private let schema: TypeSystem
  private var reachable: [String: Set<String>] = [:]

  init(_ schema: TypeSystem) {
    self.schema = schema
  }

  /// Whether a value of the field can contain a value of the type that has the field.
  mutating func isCyclic(_ field: InputValueDefinition, of type: SchemaType) -> Bool {
    guard !field.type.isList, schema.types[field.type.namedType]?.kind == .inputObject else {
      return false
    }
    let target = field.type.namedType
    return target == type.name || reached(from: target).contains(type.name)
  }

  private mutating func reached(from name: String) -> Set<String> {
    if let known = reachable[name] { return known }
    var found: Set<String> = []
    var pending = [name]
    while let next = pending.popLast() {
      for field in schema.types[next]?.inputFields ?? [] where !field.type.isList {
        let target = field.type.namedType
        guard schema.types[target]?.kind == .inputObject else { continue }
        if found.insert(target).inserted { pending.append(target) }
      }
    }
    reachable[name] = found
    return found
  }
}
