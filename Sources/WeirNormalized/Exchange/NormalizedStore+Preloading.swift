import Weir

extension NormalizedStore {
  /// Loads what the result of a mutation or an event may affect and only the storage may have: the
  /// lists of the query's root, the returned entities, which are not new if the storage has them,
  /// and whatever policies read.
  func loadAffectedRecords(by data: JSON, errors: [GraphQLError], of operation: GraphQLOperation)
    async
  {
    await loadLists()
    var askedEntities: Set<Entity> = []
    var askedReads: Set<OperationIdentity> = []
    while true {
      let writeCount = state.withLock(\.writeCount)
      let (entities, reads) = affectedRecords(by: data, errors: errors, of: operation)
      let newEntities = entities.subtracting(askedEntities)
      let newReads = reads.filter { askedReads.insert($0.identity).inserted }
      if newEntities.isEmpty, newReads.isEmpty { return }
      askedEntities.formUnion(newEntities)
      if !newEntities.isEmpty { await link?.load(newEntities) }
      for read in newReads { await link?.load(read) }
      // Otherwise, only a policy that makes up new ids each time would meet anything else.
      if state.withLock(\.writeCount) == writeCount { return }
    }
  }

  /// Writes the data to a copy of the records, and returns what was missing there.
  private func affectedRecords(
    by data: JSON, errors: [GraphQLError], of operation: GraphQLOperation
  ) -> (entities: Set<Entity>, reads: [ReadTarget]) {
    let (start, loaded) = state.withLock { state in
      (TransactionStart(&state), state.storage?.loaded ?? LoadedRecords())
    }
    var rules = WriteRules.transaction(WriteOrigin(), now: milliseconds)
    // Only the write of the result itself may learn from missing members.
    rules.mayLackMembers = true
    var transaction = StoreTransaction(start, rules, scope: state.scope)
    let running = RunningTransaction(on: state)
    defer { _ = running.end() }
    _ = running.run {
      transaction.attempt {
        try $0.write(
          data, operation, configuration.mutationFields(of: operation, data: data, catalog),
          skipped: data.cellsRefused(by: errors), refreshesLists: false)
      }
    }
    var entities: Set<Entity> = []
    for change in transaction.outcome.changes.changes
    where !change.isRemoved && !change.record.isRoot
      && !loaded.records.contains(change.record)
    {
      guard let entity = transaction.records.entity(change.record, catalog),
        !loaded.absentEntities.contains(entity)
      else { continue }
      entities.insert(entity)
    }
    return (entities, running.missed)
  }
}
