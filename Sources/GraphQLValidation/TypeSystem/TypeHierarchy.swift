import GraphQLLanguage

/// Which types implement an interface or are members of a union.
struct TypeHierarchy {
  /// For each abstract type, its object types.
  private(set) var possible: [String: [String]] = [:]
  /// For each interface, the interfaces that implement it.
  private(set) var implementingInterfaces: [String: [String]] = [:]

  init(_ types: [String: SchemaType], order: [String]) {
    for name in order {
      guard let type = types[name] else { continue }
      switch type.kind {
      case .object:
        for interface in type.interfaces { possible[interface, default: []].append(name) }
      case .interface:
        for interface in type.interfaces {
          implementingInterfaces[interface, default: []].append(name)
        }
      case .union:
        possible[name] = type.memberTypes.filter { types[$0]?.kind == .object }
      case .scalar, .enum, .inputObject: break
      }
    }
  }
}
