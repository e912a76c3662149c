public import Weir

extension NormalizedStore {
  /// Explains whether the store can answer an operation, and names every field that is missing, is stale
  /// or refers to an entity that does not exist. Costs as much as a read.
  public func explain(_ operation: GraphQLOperation) -> ReadExplanation {
    if let defect = operation.defect {
      return ReadExplanation(status: .defective, fields: [], defect: defect)
    }
    return partition(of: operation.context).explain(ReadTarget(inCurrentSession: operation))
  }

  /// Explains whether the store can answer a generated query; see ``explain(_:)-(GraphQLOperation)``.
  public func explain(_ query: some GeneratedQuery) -> ReadExplanation {
    explain(query.operation())
  }

  /// Explains whether the store can answer a typed query; see ``explain(_:)-(GraphQLOperation)``.
  public func explain<Data, Variables>(
    _ query: Query<Data, Variables>, _ variables: Variables
  ) -> ReadExplanation {
    explain(query.operation(variables))
  }

  /// Explains whether a fragment of an entity can be read, and why not.
  public func explain(_ fragment: GraphQLFragment, of entity: Entity) -> ReadExplanation {
    explain(ReadTarget(fragment, of: entity, catalog))
  }

  private func explain(_ target: ReadTarget) -> ReadExplanation {
    let records = state.withLock { $0.visible }
    return ReadExplanation(target, records, catalog, staleBefore: milliseconds)
  }
}

extension ReadTarget {
  /// The variables that should have a value but do not.
  func unsetVariables(_ bindings: Bindings) -> [StoreDiagnostic] {
    bindings.plan.unsetVariables(bindings.variables).map { name in
      StoreDiagnostic(
        code: .unsetVariable, message: "\(self): the variable $\(name) has no value.")
    }
  }
}

extension JSONDocument {
  /// The paths from the root to cells.
  func paths(to targets: [TapeIndex]) -> [[GraphQLError.PathElement]] {
    var trail = PathTrail()
    return withTape { tape in
      targets.map { target in
        tape.path(from: .root, to: target, on: &trail, key: { .key($0) }, index: { .index($0) })
      }
    }
  }

  /// Whether all members of the root are among these cells, so that nothing is there.
  func isAllMissing(_ missing: [TapeIndex]) -> Bool {
    let missing = Set(missing)
    return withTape { tape in
      for (position, child) in tape.children(of: .root).enumerated() {
        let key = tape.string(tape.key(tape.keyList(.root), position))
        if key != "__typename", !missing.contains(child) { return false }
      }
      return tape.count(.root) > 0
    }
  }
}
