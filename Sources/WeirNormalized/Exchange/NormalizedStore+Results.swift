import Weir

extension NormalizedStore {
  /// Returns the last result of a query again, if none of its data can have changed. This costs a
  /// look-up, and reads no record, clock, or plan.
  func unchangedHit(for operation: GraphQLOperation) -> OperationResult? {
    guard operation.context.maximumAge == nil, operation.context.additionalTypenames.isEmpty else {
      return nil
    }
    // The closure captures these, because a copy of the operation costs more than the rest.
    let (identity, session) = (operation.identity, operation.context.session)
    let notBefore = operation.context.notBefore
    return state.withLock { state in
      guard session == state.session, let entry = state.results[identity],
        entry.isKnownToBeCurrent(at: state.lastVersion),
        entry.freshness.requestedAt >= notBefore,
        let payload = entry.lastingPayload, !state.mayLackStored(entry)
      else { return nil }
      state.noteUse(of: entry)
      return OperationResult(
        payload: payload, outcome: .hit, isDegraded: state.isDegraded,
        signal: entry.signal)
    }
  }

  /// Returns the result of a query from the store if it may be served, or the failure that answers
  /// a refetch.
  func hit(for operation: GraphQLOperation) -> OperationResult? {
    let context = operation.context
    guard let stored = result(of: operation)?.refetched(for: operation),
      stored.requestedAt >= context.notBefore,
      let payload = stored.isComplete ? stored.payload : payload(of: stored, showing: operation),
      stored.isYoungEnough(for: context),
      !stored.isStale || context.policyOnFailure != .cacheFirst
    else { return kept(answering: operation) ?? failure(answering: operation) }
    noteLists(of: context.takeTags(), in: operation)
    var result = OperationResult(payload: payload)
    result.outcome = payload.missingPaths.isEmpty ? .hit : .partial
    result.isStale = stored.isStale
    result.isDegraded = stored.isDegraded
    return result.withSignal(
      context.requestPolicy == .cacheAndNetwork ? stored.signalBeforeRequest : stored.signal)
  }

  /// Returns an incomplete result, if the operation accepts it.
  private func payload(
    of stored: StoredResult, showing operation: GraphQLOperation
  ) -> ResultPayload? {
    guard let payload = stored.payload, let data = payload.data else { return nil }
    let context = operation.context
    if context.showsKnownErrors {
      let known = knownErrors(of: operation, data: data, missing: payload.missingPaths)
      if known.unknown.isEmpty || context.allowsPartialData && !known.errors.isEmpty {
        return ResultPayload(
          data: data, error: OperationError(graphQLErrors: known.errors),
          missingPaths: known.unknown, elements: payload.elements)
      }
    }
    // If no data is known at all, this is an ordinary miss.
    guard context.allowsPartialData, !data.document.isAllMissing(stored.missing) else { return nil }
    return payload
  }

  /// Returns the server's errors for missing fields, and the paths without a known error.
  private func knownErrors(
    of operation: GraphQLOperation, data: JSON, missing: [[GraphQLError.PathElement]]
  ) -> (errors: [GraphQLError], unknown: [[GraphQLError.PathElement]]) {
    var bindings = operation.bindings(catalog)
    let root = RootType(operation.kind).reference
    let (records, known) = state.withLock { ($0.visible, $0.errors) }
    var errors: [GraphQLError] = []
    var unknown: [[GraphQLError.PathElement]] = []
    var finder = ElementFinder()
    for path in missing {
      let field = records.field(at: path, of: data, root: root, &bindings, &finder)
      if let found = field.flatMap({ known.errors(of: $0, at: path) }) {
        errors += found
      } else {
        unknown.append(path)
      }
    }
    return (errors, unknown)
  }

  /// Returns the result that a watch keeps showing although another watch's refetch has removed
  /// part of its data from the store.
  private func kept(answering operation: GraphQLOperation) -> OperationResult? {
    guard operation.isCacheFirstRefetch else { return nil }
    return state.withLock { state in
      guard let entry = state.results[operation.identity], let kept = entry.repairs.shownBefore,
        entry.repairs.areOnlyChanges, entry.freshness.requestedAt >= operation.context.notBefore
      else { return nil }
      return OperationResult(payload: kept, outcome: .hit, signal: entry.signal)
    }
  }

  private func failure(answering operation: GraphQLOperation) -> OperationResult? {
    let context = operation.context
    guard context.requestPolicy == .cacheFirst, context.isRefetch else { return nil }
    let failure = state.withLock { state -> OperationResult? in
      guard let entry = state.results[operation.identity], let failure = entry.failure,
        failure.sentAt >= context.notBefore
      else { return nil }
      var result = OperationResult(payload: failure.payload, signal: entry.signal)
      result.hasLostData = entry.hasLostData
      return result
    }
    // With the data as other operations have changed it since.
    return failure?.withFallback(lastResort(operation))
  }

  /// Returns the result of a `cacheOnly` query whose data is incomplete, with the data that may stand beside an
  /// error if all of it is wanted, however old.
  func miss(of operation: GraphQLOperation) -> OperationResult {
    let stored = result(of: operation)
    var result = OperationResult()
    result.isDegraded = stored?.isDegraded ?? false
    result = result.withSignal(stored?.signal)
    guard operation.context.lookPolicy?.fallback == .anything, operation.uploads.isEmpty,
      let payload = stored.flatMap({ lastResort($0, operation) })
    else { return result }
    result.error = payload.error
    return result.withFallback(payload)
  }

  /// Returns the data of a query, however old.
  func lastResort(_ operation: GraphQLOperation) -> ResultPayload? {
    result(of: operation).flatMap { lastResort($0, operation) }
  }

  private func lastResort(
    _ stored: StoredResult, _ operation: GraphQLOperation
  ) -> ResultPayload? {
    stored.isComplete ? stored.payload : payload(of: stored, showing: operation)
  }

  /// Writes a query's response, unless it is the `former` data that the store has read, and returns
  /// the data that the store shows then, as it shows it to every operation.
  func receive(
    _ result: OperationResult, of operation: GraphQLOperation, sentAt: LogicalInstant,
    isInParts: Bool, former: JSON?
  ) -> OperationResult {
    noteLists(of: operation.context.takeTags(), in: operation)
    guard operation.context.stores(result), let data = result.data else {
      return keepFailure(result, of: operation, sentAt: sentAt)
    }
    let origin = WriteOrigin(
      result, of: .query, sentAt, isInParts: isInParts,
      heedsCacheControl: configuration.heedsCacheControl)
    if former?.isIdentical(to: data) == true, let stored = renewed(by: data, of: operation, origin)
    {
      return deliver(result, stored, WriteOutcome())
    }
    let outcome = write(
      data, errors: result.error?.graphQLErrors ?? [], of: operation, origin: origin)
    guard let stored = readBack(outcome, of: operation, sentAt: sentAt) else { return result }
    if !stored.isComplete, !result.hasNext {
      state.withLock { state in
        let entry = state.results[operation.identity]
        state.release(entry?.repairs.noteUnreadable(result.payload))
      }
      if result.error == nil, !outcome.isSuperseded {
        reportIncomplete(data, of: operation, origin)
      }
    }
    return deliver(result, stored, outcome)
  }

  /// Notes a response whose data is the document that the store has read last, if that is still all
  /// that the store has: writing it would change nothing.
  private func renewed(
    by data: JSON, of operation: GraphQLOperation, _ origin: WriteOrigin
  ) -> StoredResult? {
    let now = milliseconds
    return state.withLock { $0.renew(by: data, of: operation, origin, now: now) }
  }

  private func deliver(
    _ result: OperationResult, _ stored: StoredResult, _ outcome: WriteOutcome
  ) -> OperationResult {
    var delivered = result
    let showsStored = stored.isComplete && result.error == nil && !result.hasNext
    if showsStored, let payload = stored.payload { delivered.takeData(of: payload) }
    delivered.isStale =
      outcome.isSuperseded || showsStored && stored.isStale && !stored.isStaleOnArrival
    delivered.isDegraded = stored.isDegraded
    // Superseded data is requested again, also by a watch whose execution may not do that any more.
    if outcome.isSuperseded {
      let fired = RefreshSignal.fired(at: .next())
      return delivered.withSignal(stored.signal?.merged(with: fired) ?? fired)
    }
    let isOutdated =
      !showsStored && !result.hasNext
      && (outcome.isOvertaken || stored.isComplete && state.withLock { !$0.layers.isEmpty })
    // A response with an error is shown as it came. The watch looks at the store next, which has what later
    // mutations have changed.
    return delivered.withSignal(isOutdated ? stored.signalBeforeRequest : stored.signal)
  }

  /// Returns a result that is not stored with a signal, so that a watch can wait for a change. Keeps a
  /// failure, so that watches that wake after a failed refetch do not repeat it; a later success ends
  /// that.
  private func keepFailure(
    _ result: OperationResult, of operation: GraphQLOperation, sentAt: LogicalInstant
  ) -> OperationResult {
    guard let stored = self.result(of: operation) else { return result }
    var result = result
    result.isDegraded = stored.isDegraded
    result.hasLostData = stored.hasLostData
    if !result.hasNext {
      state.withLock { state in
        guard let entry = state.results[operation.identity] else { return }
        if let other = entry.failure, other.sentAt > sentAt { return }
        state.setFailure(result.data == nil ? (result.payload, sentAt) : nil, of: entry)
      }
    }
    // The store may have got all data meanwhile: a watch that looks again shows it.
    let isAnswered =
      result.data == nil && !result.hasNext && stored.isAnswer(in: operation.context)
    return result.withSignal(isAnswered ? stored.signalBeforeRequest : stored.signal)
  }
}

extension GraphQLOperation {
  /// Whether it is a refetch with the policy of most, or a look for one.
  var isCacheFirstRefetch: Bool {
    context.policyOnFailure == .cacheFirst && context.isRefetch
  }
}
