import Weir

extension NormalizedStore {
  /// Stale data that may answer a query while a request brings newer ones.
  func revalidated(_ operation: GraphQLOperation) -> OperationResult? {
    let limit = configuration.staleWhileRevalidate
    guard limit > .zero, operation.context.requestPolicy == .cacheFirst,
      let stored = result(of: operation), stored.isComplete, let payload = stored.payload,
      stored.requestedAt >= operation.context.notBefore,
      stored.isYoungEnough(for: operation.context),
      let overdue = stored.overdue, overdue <= limit.milliseconds
    else { return nil }
    var result = OperationResult(payload: payload)
    result.outcome = .hit
    result.isStale = true
    return result.withSignal(stored.signal)
  }

  /// Stale data that may stand beside the error of a request that has failed.
  func overdueData(of operation: GraphQLOperation) -> ResultPayload? {
    let limit = configuration.staleIfError
    guard limit > .zero, operation.context.requestPolicy == .cacheFirst,
      let stored = result(of: operation), stored.isComplete,
      let overdue = stored.overdue, overdue <= limit.milliseconds
    else { return nil }
    return stored.payload
  }

  /// The data of an operation were written by hand.
  func noteWrite(of operation: GraphQLOperation) {
    let now = milliseconds
    state.withLock { $0.entries[operation.identity]?.writtenAt = now }
  }
}

extension StoredResult {
  /// Whether it was written late enough for this execution. What came with other operations has no
  /// age of its own, and counts as too old.
  func isYoungEnough(for context: OperationContext) -> Bool {
    guard let maximumAge = context.maximumAge else { return true }
    return age.map { $0 <= maximumAge.milliseconds } ?? false
  }
}
