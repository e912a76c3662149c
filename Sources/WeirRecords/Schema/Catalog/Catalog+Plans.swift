package import Weir

extension Catalog {
  /// The plan of a prepared operation. For a fragment, it is the plan of the single field in its
  /// operation.
  package func plan(
    for prepared: PreparedOperation, isFragment: Bool = false
  ) -> OperationPlan {
    let id = ObjectIdentifier(prepared)
    let known = state.withLock { $0.plans[id]?.1 }
    if let known, !known.isOutdated(self) { return known }
    let made = OperationPlan(prepared, isFragment: isFragment, self)
    return state.withLock { state in
      if let other = state.plans[id]?.1, other !== known { return other }
      state.keep(made, for: prepared)
      return made
    }
  }
}

extension Catalog.State {
  fileprivate mutating func keep(_ plan: OperationPlan, for prepared: PreparedOperation) {
    let old = plans.updateValue((prepared, plan), forKey: ObjectIdentifier(prepared))
    if old == nil { planOrder.append(ObjectIdentifier(prepared)) }
    if livePlans.count >= livePlansToCheck {
      livePlans.removeAll { $0.locked == nil }
      livePlansToCheck = max(64, 2 * livePlans.count)
    }
    livePlans.append(Locked.Weak(plan.numbers))
    if planOrder.count > Catalog.maximumPlans { plans[planOrder.removeFirst()] = nil }
  }
}
