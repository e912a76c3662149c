import Weir

/// One execution that goes to the network: send, write what comes, and, for a query whose response
/// was overtaken on its way, send once more.
struct StoredResults: AsyncSequence, Sendable {
  typealias Element = OperationResult
  typealias Failure = Never

  let operation: GraphQLOperation
  let forward: Forward
  let store: NormalizedStore
  /// The hit that `cacheAndNetwork` began with, to be kept beside an error.
  var shown: ResultPayload?

  func makeAsyncIterator() -> Iterator { Iterator(self) }

  /// A class, so that dropping it ends the request.
  final class Iterator: AsyncIteratorProtocol {
    private enum Phase {
      case beginning
      case receiving(ResultStream.Iterator, sentAt: LogicalInstant)
      case ended
    }

    private let execution: StoredResults
    private var phase = Phase.beginning
    private var requestsLeft = 2
    private var wasOvertaken = false
    /// The optimistic result that is shown.
    private var layer: UInt64?

    init(_ execution: StoredResults) {
      self.execution = execution
    }

    deinit {
      if let layer { execution.store.removeLayer(layer) }
      if case .receiving(_, let sentAt) = phase { execution.store.endRequest(sentAt) }
    }

    func next(isolation: isolated (any Actor)?) async -> OperationResult? {
      while true {
        switch phase {
        case .beginning:
          // Between the first look and now somebody else may have stored what is wanted.
          if let hit = execution.secondLook { return end(with: hit) }
          send()
        case .receiving(var iterator, let sentAt):
          let result = await iterator.next(isolation: isolation)
          phase = .receiving(iterator, sentAt: sentAt)
          if let result {
            await execution.load(for: result)
            return received(result, sentAt: sentAt)
          }
          removeLayer()
          execution.store.endRequest(sentAt)
          phase = wasOvertaken && requestsLeft > 0 && !Task.isCancelled ? .beginning : .ended
        case .ended:
          return nil
        }
      }
    }

    private func end(with result: OperationResult) -> OperationResult {
      phase = .ended
      return result
    }

    private func send() {
      requestsLeft -= 1
      wasOvertaken = false
      let sentAt = execution.store.beginRequest(for: execution.operation)
      if execution.operation.kind == .mutation {
        layer = execution.store.showOptimisticResult(of: execution.operation, sentAt: sentAt)
      }
      let iterator = execution.forward(execution.operation).makeAsyncIterator()
      phase = .receiving(iterator, sentAt: sentAt)
    }

    private func received(_ result: OperationResult, sentAt: LogicalInstant) -> OperationResult {
      // Stale from below: somebody else's stop-gap, with more to come.
      guard !result.isStale else { return result }
      guard execution.operation.kind == .query else {
        execution.write(result, sentAt: sentAt, removing: layer)
        layer = nil
        return result
      }
      let delivered = execution.received(result, sentAt: sentAt)
      wasOvertaken = delivered.isStale
      return delivered
    }

    private func removeLayer() {
      if let layer { execution.store.removeLayer(layer) }
      layer = nil
    }
  }
}

extension StoredResults {
  fileprivate var secondLook: OperationResult? {
    guard operation.kind == .query, operation.context.requestPolicy == .cacheFirst else {
      return nil
    }
    return store.hit(for: operation)
  }

  /// What may stand beside a failure, the pages around one that has come, and what a mutation may change
  /// are perhaps only in the storage.
  fileprivate func load(for result: OperationResult) async {
    guard store.link != nil else { return }
    if result.data != nil { await store.waitForRoom() }
    switch operation.kind {
    case .query:
      let isLastResort =
        result.data == nil && result.error != nil
        && operation.context.requestPolicy == .networkFirst
      if isLastResort || result.data != nil && store.lacksPages(operation) {
        await store.load(ReadTarget(operation))
      }
    case .mutation, .subscription:
      guard operation.context.storesResult, let data = result.data else { return }
      await store.loadConcerned(
        by: data, errors: result.error?.graphQLErrors ?? [], of: operation)
    }
  }

  fileprivate func received(
    _ result: OperationResult, sentAt: LogicalInstant
  ) -> OperationResult {
    let delivered = store.receive(result, of: operation, sentAt: sentAt)
    guard delivered.data == nil, delivered.error != nil else { return delivered }
    return keepingData(beside: delivered)
  }

  /// Takes over what a mutation or an event says, in one step with the end of its optimistic
  /// result.
  fileprivate func write(
    _ result: OperationResult, sentAt: LogicalInstant, removing layer: UInt64?
  ) {
    guard operation.context.storesResult, let data = result.data else {
      if let layer { store.removeLayer(layer) }
      return
    }
    let isMutation = operation.kind == .mutation
    // An event is as new as its arrival.
    store.receiveMutation(
      data, errors: result.error?.graphQLErrors ?? [], of: operation,
      origin: WriteOrigin(sentAt: isMutation ? sentAt : nil, isMutation: isMutation),
      removing: layer)
  }

  /// A failed refetch does not take away what was there before.
  private func keepingData(beside failure: OperationResult) -> OperationResult {
    if operation.context.requestPolicy == .networkFirst || operation.isRefetch {
      return failure.beside(store.lastResort(operation))
    }
    return failure.beside(shown ?? store.overdueData(of: operation))
  }
}
