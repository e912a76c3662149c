package import Weir

extension NormalizedCacheExchange: QueryCache {
  package var hasStorage: Bool { store.link != nil }
  package var session: Session { store.state.withLock(\.session) }

  func lookUp(_ operation: GraphQLOperation) -> OperationResult? {
    store.hit(for: operation)
  }

  package func miss(of operation: GraphQLOperation) -> OperationResult {
    store.miss(of: operation)
  }

  package func beginRequest(for operation: GraphQLOperation, looksAgain: Bool) -> CacheBeginning {
    if looksAgain, let hit = lookUp(operation) { return .hit(hit) }
    let (sentAt, former) = store.beginRequest(for: operation)
    var request = CacheRequest(sentAt: sentAt, former: former)
    if operation.kind == .mutation {
      request.layer = store.showOptimisticResult(of: operation, sentAt: request.sentAt)
    }
    return .request(request)
  }

  package func endRequest(_ request: CacheRequest) {
    if let layer = request.layer { store.removeLayer(layer) }
    store.endRequest(request.sentAt)
    if !store.isMain { store.partitions.noteResponse() }
  }

  /// The store may have to be loaded first.
  package func receiveAtOnce(
    _ result: OperationResult, of operation: GraphQLOperation, for request: inout CacheRequest
  ) -> OperationResult? {
    nil
  }

  package func receive(
    _ result: OperationResult, of operation: GraphQLOperation, for request: inout CacheRequest
  ) async -> OperationResult {
    await load(for: result, of: operation)
    guard operation.kind != .query else {
      return store.receive(
        result, of: operation, sentAt: request.sentAt, isInParts: request.hasParts,
        former: request.former?.data)
    }
    // While parts are missing, the optimistic result stands for them.
    let layer = result.hasNext ? nil : request.layer.take()
    let stores = operation.context.stores(result)
    if stores || !result.hasNext, let data = result.data {
      // The store writes the data and removes the optimistic result in one step.
      store.receiveMutation(
        data, errors: result.error?.graphQLErrors ?? [], of: operation,
        origin: WriteOrigin(
          result, of: operation.kind, request.sentAt, isInParts: request.hasParts,
          heedsCacheControl: store.configuration.heedsCacheControl),
        storesData: stores, removing: layer)
    } else if let layer {
      store.removeLayer(layer)
    }
    return result
  }

  package func lastResort(
    for operation: GraphQLOperation, shown: ResultPayload?
  ) -> ResultPayload? {
    // Fields are stored by their arguments, in which every file is null.
    guard operation.uploads.isEmpty else { return shown }
    if operation.context.policyOnFailure.fallback == .anything || operation.isCacheFirstRefetch {
      return store.lastResort(operation)
    }
    // The shown data may have changed since.
    return shown.map { store.lastResort(operation) ?? $0 } ?? store.overdueData(of: operation)
  }

  /// Loads what only the storage may have: the data to show beside an error, the pages around one
  /// that has come, and what a mutation may change.
  private func load(for result: OperationResult, of operation: GraphQLOperation) async {
    guard let link = store.link else { return }
    if result.data != nil { await store.waitForRoom() }
    switch operation.kind {
    case .query:
      let target = ReadTarget(executing: operation)
      let fallback = operation.context.requestPolicy.fallback
      // It may have been impossible to read the storage before the request.
      let isLastResort =
        result.data == nil && result.error != nil
        && (fallback == .anything || fallback == .overdue && link.mayComplete(target))
      if isLastResort || result.data != nil && store.lacksPages(operation) {
        await link.load(target)
      }
    case .mutation, .subscription:
      guard operation.context.stores(result), let data = result.data else { return }
      await store.loadAffectedRecords(
        by: data, errors: result.error?.graphQLErrors ?? [], of: operation)
    }
  }
}
