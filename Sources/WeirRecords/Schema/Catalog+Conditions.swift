import Weir

extension Catalog {
  /// Whether objects of a type match a type condition; nil if that is not known yet.
  package func condition(_ condition: String, holdsFor type: TypeID) -> Bool? {
    let name = typename(type)
    if condition == name { return true }
    if let schema = policies.schema, schema.knows(condition) {
      return schema.possibleTypes(of: condition).contains(name)
    }
    if let possible = policies.possibleTypes[condition] { return possible.contains(name) }
    return state.withLock { state in
      // No object has two types.
      if state.objectTypes.contains(condition) { return type == .nameless ? nil : false }
      return state.conditions[ConditionKey(condition: condition, type: type)]
    }
  }

  package func learn(_ condition: String, holds: Bool, for type: TypeID) {
    state.withLock { state in
      let old = state.conditions.updateValue(
        holds, forKey: ConditionKey(condition: condition, type: type))
      if old != holds { state.conditionsVersion += 1 }
    }
  }

  package var conditionsVersion: Int { state.withLock { $0.conditionsVersion } }
}
