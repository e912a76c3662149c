public import Weir

extension NormalizedStore {
  /// The result of a query from the store, if it may be served; or the failure that answers a
  /// refetch.
  func hit(for operation: GraphQLOperation) -> OperationResult? {
    let context = operation.context
    guard let stored = result(of: operation), let payload = stored.payload,
      stored.requestedAt >= context.notBefore,
      stored.isComplete || context.allowsPartialData,
      stored.isYoungEnough(for: context),
      !stored.isStale || context.requestPolicy != .cacheFirst
    else { return kept(answering: operation) ?? failure(answering: operation) }
    var result = OperationResult(payload: payload)
    result.outcome = stored.isComplete ? .hit : .partial
    result.isStale = stored.isStale
    return stored.signal.map(result.withSignal) ?? result
  }

  /// What a watch goes on showing whose data another one's refetch has taken apart.
  private func kept(answering operation: GraphQLOperation) -> OperationResult? {
    guard operation.isRefetch else { return nil }
    return state.withLock { state in
      guard let entry = state.entries[operation.identity], let kept = entry.kept,
        entry.isWokenByRepair, entry.requestedAt >= operation.context.notBefore
      else { return nil }
      var result = OperationResult(payload: kept)
      result.outcome = .hit
      return result.withSignal(RefreshSignal(source: entry.source, since: .distantPast))
    }
  }

  /// Whether a refetch is not for newer data, but for those that a change has taken away.
  private func isRepair(_ operation: GraphQLOperation) -> Bool {
    guard operation.isRefetch else { return false }
    return state.withLock { state in
      (state.entries[operation.identity]?.requestedAt).map { $0 >= operation.context.notBefore }
        ?? false
    }
  }

  private func failure(answering operation: GraphQLOperation) -> OperationResult? {
    let context = operation.context
    guard context.requestPolicy == .cacheFirst, context.notBefore > .distantPast else {
      return nil
    }
    return state.withLock { state in
      guard let entry = state.entries[operation.identity], let failure = entry.failure,
        failure.sentAt >= context.notBefore
      else { return nil }
      return OperationResult(payload: failure.payload)
        .withSignal(RefreshSignal(source: entry.source, since: .distantPast))
    }
  }

  /// What a `cacheOnly` query gets that something is missing of.
  func miss(of operation: GraphQLOperation) -> OperationResult {
    let signal = result(of: operation)?.signal
    let result = OperationResult()
    return signal.map(result.withSignal) ?? result
  }

  /// The data of a query, however old: for who has nothing better.
  func lastResort(_ operation: GraphQLOperation) -> ResultPayload? {
    result(of: operation).flatMap { $0.isComplete ? $0.payload : nil }
  }

  /// A query's response has come: writes it and answers with what the store shows then, which is
  /// what others show, too.
  func receive(
    _ result: OperationResult, of operation: GraphQLOperation, sentAt: LogicalInstant
  ) -> OperationResult {
    guard operation.context.storesResult, let data = result.data else {
      return keepFailure(result, of: operation, sentAt: sentAt)
    }
    let outcome = write(
      data, errors: result.error?.graphQLErrors ?? [], of: operation,
      origin: WriteOrigin(
        sentAt: sentAt, isRepair: isRepair(operation),
        maximumAge: configuration.heedsCacheControl ? result.timing?.maximumAge : nil))
    let now = milliseconds
    state.withLock { state in
      guard operation.context.session >= state.session,
        let entry = state.entries[operation.identity]
      else { return }
      entry.requestedAt = max(entry.requestedAt, sentAt)
      entry.failure = nil
      entry.writtenAt = now
    }
    guard let stored = self.result(of: operation) else { return result }
    var delivered = result
    if stored.isComplete, result.error == nil, !result.hasNext, let payload = stored.payload {
      delivered.takeData(of: payload)
    }
    delivered.isStale = outcome.isOvertaken || stored.isStale
    return stored.signal.map(delivered.withSignal) ?? delivered
  }

  /// What is not stored can be waited for all the same. A failure is remembered, so that who wakes
  /// later than a failed refetch need not repeat it.
  private func keepFailure(
    _ result: OperationResult, of operation: GraphQLOperation, sentAt: LogicalInstant
  ) -> OperationResult {
    guard let stored = self.result(of: operation) else { return result }
    if result.data == nil, !result.hasNext {
      state.withLock { state in
        guard let entry = state.entries[operation.identity] else { return }
        if let other = entry.failure, other.sentAt > sentAt { return }
        entry.failure = (result.payload, sentAt)
      }
    }
    return stored.signal.map(result.withSignal) ?? result
  }
}

extension GraphQLOperation {
  /// Whether a watch executes it because a signal has fired.
  fileprivate var isRefetch: Bool {
    context.requestPolicy == .cacheFirst && context.notBefore > .distantPast
  }
}

extension OperationContext {
  private enum AllowsPartialData: OperationContextKey {
    static let defaultValue = false
  }

  /// Whether a normalized cache may answer with what it has if some fields are missing: they are
  /// null then, the outcome is ``CacheOutcome/partial``, and with the policy `cacheAndNetwork` a
  /// request completes it. Default false.
  public var allowsPartialData: Bool {
    get { self[AllowsPartialData.self] }
    set { self[AllowsPartialData.self] = newValue }
  }
}
