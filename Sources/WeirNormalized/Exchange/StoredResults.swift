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

    init(_ execution: StoredResults) {
      self.execution = execution
    }

    deinit {
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
          if let result { return received(result, sentAt: sentAt) }
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
      let iterator = execution.forward(execution.operation).makeAsyncIterator()
      phase = .receiving(iterator, sentAt: sentAt)
    }

    private func received(_ result: OperationResult, sentAt: LogicalInstant) -> OperationResult {
      // Stale from below: somebody else's stop-gap, with more to come.
      guard !result.isStale else { return result }
      let delivered = execution.received(result, sentAt: sentAt)
      wasOvertaken = delivered.isStale && execution.operation.kind == .query
      return delivered
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

  fileprivate func received(
    _ result: OperationResult, sentAt: LogicalInstant
  ) -> OperationResult {
    switch operation.kind {
    case .query:
      let delivered = store.receive(result, of: operation, sentAt: sentAt)
      guard delivered.data == nil, delivered.error != nil else { return delivered }
      return keepingData(beside: delivered)
    case .mutation, .subscription:
      guard operation.context.storesResult, let data = result.data else { return result }
      _ = store.write(
        data, errors: result.error?.graphQLErrors ?? [], of: operation,
        origin: WriteOrigin(
          // An event is as new as its arrival.
          sentAt: operation.kind == .mutation ? sentAt : nil,
          isMutation: operation.kind == .mutation))
      return result
    }
  }

  /// A failed refetch does not take away what was there before.
  private func keepingData(beside failure: OperationResult) -> OperationResult {
    let kept =
      operation.context.requestPolicy == .networkFirst ? store.lastResort(operation) : shown
    guard let kept, kept.data != nil else { return failure }
    var result = failure
    result.takeData(of: kept)
    result.outcome = .hit
    return result
  }
}
