import GraphQLLanguage
package import Weir

extension Catalog {
  /// The plan of a prepared fragment: of the single field in its operation.
  package func plan(forFragment prepared: PreparedOperation) -> OperationPlan {
    let id = ObjectIdentifier(prepared)
    return state.withLock { state in
      if let known = state.plans[id]?.1 { return known }
      var selectionSet: SelectionSet = []
      if case .field(let field) = prepared.definition.selectionSet.selections.first {
        selectionSet = field.selectionSet ?? []
      }
      let made = OperationPlan(selectionSet: selectionSet, fragments: prepared.fragments)
      state.keep(made, for: prepared)
      return made
    }
  }

  package func plan(for prepared: PreparedOperation) -> OperationPlan {
    let id = ObjectIdentifier(prepared)
    if let known = state.withLock({ $0.plans[id]?.1 }) { return known }
    let made = OperationPlan(prepared)
    return state.withLock { state in
      if let known = state.plans[id]?.1 { return known }
      state.keep(made, for: prepared)
      return made
    }
  }
}

extension Catalog.State {
  package mutating func keep(_ plan: OperationPlan, for prepared: PreparedOperation) {
    plans[ObjectIdentifier(prepared)] = (prepared, plan)
    planOrder.append(ObjectIdentifier(prepared))
    if planOrder.count > Catalog.maximumPlans { plans[planOrder.removeFirst()] = nil }
  }
}
