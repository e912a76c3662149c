import Weir

extension NormalizedStore {
  /// Stale data that may answer a query while a request fetches newer data.
  func revalidated(_ operation: GraphQLOperation) -> OperationResult? {
    guard let stored = overdueResult(of: operation, by: configuration.staleWhileRevalidate),
      let payload = stored.payload, stored.requestedAt >= operation.context.notBefore,
      stored.isYoungEnough(for: operation.context)
    else { return nil }
    var result = OperationResult(
      payload: payload, outcome: .hit, signal: stored.signalBeforeRequest)
    result.isStale = true
    return result
  }

  /// Stale data that may accompany the error of a failed request.
  func overdueData(of operation: GraphQLOperation) -> ResultPayload? {
    overdueResult(of: operation, by: configuration.staleIfError)?.payload
  }

  private func overdueResult(
    of operation: GraphQLOperation, by limit: Duration
  ) -> StoredResult? {
    guard limit > .zero, operation.context.policyOnFailure == .cacheFirst,
      let stored = result(of: operation), stored.isComplete,
      let overdue = stored.overdue, overdue <= limit.milliseconds
    else { return nil }
    return stored
  }

  /// The data of an operation was written directly.
  func noteWrite(of operation: GraphQLOperation) {
    let now = milliseconds
    state.withLock {
      $0.results[operation.identity]?.freshness.noteWritten(sentAt: .next(), now: now)
    }
  }
}

extension StoredResult {
  /// The signal of data that is shown until a response brings newer data. It has fired when the data was
  /// requested, and fires again when the data changes before that.
  var signalBeforeRequest: RefreshSignal? { signal?.merged(with: .fired(at: requestedAt)) }

  /// The same as the answer to a refetch that was not caused by its age: there, data that is stale on arrival
  /// is fresh for a moment. Otherwise two watches that share such data would refetch because of each other's
  /// responses without end.
  consuming func refetched(for operation: GraphQLOperation) -> StoredResult {
    if isStale, !wasFresh, operation.isCacheFirstRefetch, let overdue,
      overdue <= operation.context.ageAllowance.milliseconds
    {
      isStale = false
    }
    return self
  }

  /// Whether another execution is answered with it, without a request.
  func isAnswer(in context: OperationContext) -> Bool {
    context.requestPolicy == .cacheFirst && isComplete && !isStale
      && requestedAt >= context.notBefore && isYoungEnough(for: context)
  }

  /// Whether the data is young enough for an execution. Data that came with other operations has no age
  /// of its own, and counts as too old.
  func isYoungEnough(for context: OperationContext) -> Bool {
    guard let maximumAge = context.maximumAge else { return true }
    return age.map { $0 <= max(maximumAge, context.ageAllowance).milliseconds } ?? false
  }
}
