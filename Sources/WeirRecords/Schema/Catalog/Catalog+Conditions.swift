import Weir

extension Catalog {
  /// Whether objects of a type match a type condition; nil if that is not known yet.
  func condition(_ condition: String, holdsFor type: TypeID) -> Bool? {
    let name = typename(type)
    if condition == name { return true }
    if let schema = policies.schema, schema.knows(condition) {
      return schema.possibleTypes(of: condition).contains(name)
    }
    if let possible = policies.possibleTypes[condition] { return possible.contains(name) }
    return state.withLock { state in
      if let known = state.conditions[ConditionKey(condition: condition, type: type)] {
        return known
      }
      // No object has two types.
      return state.objectTypes.contains(condition) && type != .nameless ? false : nil
    }
  }

  /// Whether it is declared which types match a condition, so that responses teach nothing.
  func isDeclared(_ condition: String) -> Bool {
    policies.schema?.knows(condition) ?? false || policies.possibleTypes[condition] != nil
  }

  func learn(_ condition: String, holds: Bool, for type: TypeID) {
    let isNews = state.withLock { state in
      let old = state.conditions.updateValue(
        holds, forKey: ConditionKey(condition: condition, type: type))
      if old != holds { state.conditionsVersion += 1 }
      return old != holds
    }
    if isNews { lessonCount.add(1) }
  }

  /// Forgets that conditions do not hold for a type. If none of them was refuted, forgets that
  /// a condition names an object type: an app may have written an interface's name as a `__typename`.
  func retract(_ conditions: Set<String>, for type: TypeID) {
    let all = Set(conditions.flatMap(Assumptions.parts(of:)))
    let isNews = state.withLock { state in
      let keys = all.map { ConditionKey(condition: $0, type: type) }
      let refuted = keys.filter { state.conditions[$0] == false }
      for key in refuted { state.conditions[key] = nil }
      let names = refuted.isEmpty ? state.objectTypes.intersection(all) : []
      state.objectTypes.subtract(names)
      guard !refuted.isEmpty || !names.isEmpty else { return false }
      state.conditionsVersion += 1
      return true
    }
    guard isNews else { return }
    retractionCount.add(1)
    lessonCount.add(1)
  }

  package var conditionsVersion: Int { state.withLock { $0.conditionsVersion } }
}
