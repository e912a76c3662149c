public import Weir

extension NormalizedStore {
  /// The result of a query once more, if nothing that it was made from can have changed. It costs a
  /// look-up: no record, no clock and no plan is looked at.
  func unchangedHit(for operation: GraphQLOperation) -> OperationResult? {
    guard operation.context.maximumAge == nil else { return nil }
    return state.withLock { state in
      guard operation.context.session >= state.session,
        let entry = state.results[operation.identity],
        entry.isKnownToBeCurrent(at: state.lastVersion),
        entry.freshness.requestedAt >= operation.context.notBefore,
        let payload = entry.reading?.lastingPayload, link == nil || !entry.mayLackStored
      else { return nil }
      state.noteUse(of: entry)
      return OperationResult(
        payload: payload, outcome: .hit, isDegraded: state.isDegraded,
        signal: RefreshSignal(source: entry.source, since: .distantPast))
    }
  }

  /// The result of a query from the store, if it may be served; or the failure that answers a
  /// refetch.
  func hit(for operation: GraphQLOperation) -> OperationResult? {
    let context = operation.context
    guard let stored = result(of: operation), stored.requestedAt >= context.notBefore,
      let payload = stored.isComplete ? stored.payload : payload(of: stored, showing: operation),
      stored.isYoungEnough(for: context),
      !stored.isStale || context.requestPolicy != .cacheFirst
    else { return kept(answering: operation) ?? failure(answering: operation) }
    var result = OperationResult(payload: payload)
    result.outcome = payload.missingPaths.isEmpty ? .hit : .partial
    result.isStale = stored.isStale
    result.isDegraded = stored.isDegraded
    return result.withSignal(stored.signal)
  }

  /// What is there of a result that is not complete, if the operation takes that.
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
    // Of what nothing is known that is a miss like any other.
    guard context.allowsPartialData, !data.document.isAllMissing(stored.missing) else { return nil }
    return payload
  }

  /// Why fields are missing, as far as a server has said.
  private func knownErrors(
    of operation: GraphQLOperation, data: JSON, missing: [[GraphQLError.PathElement]]
  ) -> (errors: [GraphQLError], unknown: [[GraphQLError.PathElement]]) {
    var bindings = operation.bindings(catalog)
    let root = RootType(operation.kind).reference
    let (records, known) = state.withLock { ($0.visible, $0.errors) }
    var errors: [GraphQLError] = []
    var unknown: [[GraphQLError.PathElement]] = []
    for path in missing {
      let field = records.field(at: path, of: data, root: root, &bindings)
      if let found = field.flatMap({ known.errors(of: $0, at: path) }) {
        errors += found
      } else {
        unknown.append(path)
      }
    }
    return (errors, unknown)
  }

  /// What a watch goes on showing whose data another one's refetch has taken apart.
  private func kept(answering operation: GraphQLOperation) -> OperationResult? {
    guard operation.isRefetch else { return nil }
    return state.withLock { state in
      guard let entry = state.results[operation.identity], let kept = entry.repairs.shownBefore,
        entry.repairs.areOnlyChanges, entry.freshness.requestedAt >= operation.context.notBefore
      else { return nil }
      var result = OperationResult(payload: kept)
      result.outcome = .hit
      return result.withSignal(RefreshSignal(source: entry.source, since: .distantPast))
    }
  }

  private func failure(answering operation: GraphQLOperation) -> OperationResult? {
    let context = operation.context
    guard context.requestPolicy == .cacheFirst, context.notBefore > .distantPast else {
      return nil
    }
    let failure = state.withLock { state -> OperationResult? in
      guard let entry = state.results[operation.identity], let failure = entry.failure,
        failure.sentAt >= context.notBefore
      else { return nil }
      return OperationResult(payload: failure.payload)
        .withSignal(RefreshSignal(source: entry.source, since: .distantPast))
    }
    // What others have changed since is shown beside it.
    return failure?.beside(lastResort(operation))
  }

  /// What a `cacheOnly` query gets that something is missing of.
  func miss(of operation: GraphQLOperation) -> OperationResult {
    let stored = result(of: operation)
    var result = OperationResult()
    result.isDegraded = stored?.isDegraded ?? false
    return result.withSignal(stored?.signal)
  }

  /// The data of a query, however old: for who has nothing better.
  func lastResort(_ operation: GraphQLOperation) -> ResultPayload? {
    result(of: operation).flatMap {
      $0.isComplete ? $0.payload : payload(of: $0, showing: operation)
    }
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
        sentAt: sentAt,
        maximumAge: configuration.heedsCacheControl ? result.timing?.maximumAge : nil,
        isReadBack: true))
    guard let stored = readBack(outcome, of: operation, sentAt: sentAt) else { return result }
    var delivered = result
    if stored.isComplete, result.error == nil, !result.hasNext, let payload = stored.payload {
      delivered.takeData(of: payload)
    }
    delivered.isStale = outcome.isSuperseded || stored.isStale
    delivered.isDegraded = stored.isDegraded
    // Superseded data is requested again, also by a watch whose execution may not do that any more.
    return delivered.withSignal(outcome.isSuperseded ? .fired(at: .next()) : stored.signal)
  }

  /// What is not stored can be waited for all the same. A failure is remembered, so that who wakes
  /// later than a failed refetch need not repeat it.
  private func keepFailure(
    _ result: OperationResult, of operation: GraphQLOperation, sentAt: LogicalInstant
  ) -> OperationResult {
    guard let stored = self.result(of: operation) else { return result }
    var result = result
    result.isDegraded = stored.isDegraded
    if result.data == nil, !result.hasNext {
      state.withLock { state in
        guard let entry = state.results[operation.identity] else { return }
        if let other = entry.failure, other.sentAt > sentAt { return }
        entry.failure = (result.payload, sentAt)
      }
    }
    return result.withSignal(stored.signal)
  }
}

extension GraphQLOperation {
  /// Whether a watch executes it because a signal has fired.
  var isRefetch: Bool {
    context.requestPolicy == .cacheFirst && context.notBefore > .distantPast
  }
}

extension OperationContext {
  private enum AllowsPartialData: OperationContextKey {
    static let defaultValue = false
  }

  private enum ShowsKnownErrors: OperationContextKey {
    static let defaultValue = false
  }

  /// Whether a normalized cache may answer with a field that the server failed to resolve when it
  /// was asked last: null, with the server's error again, at its path in this operation. Otherwise
  /// the field is missing, and is asked for once more. Default false.
  ///
  /// Errors are kept in memory, for fields of queries that have no value from before, until the
  /// field is asked for again, written, removed or invalidated.
  public var showsKnownErrors: Bool {
    get { self[ShowsKnownErrors.self] }
    set { self[ShowsKnownErrors.self] = newValue }
  }

  /// Whether a normalized cache may answer with what it has if some fields are missing: they are
  /// null then, the outcome is ``CacheOutcome/partial``, and with the policy `cacheAndNetwork` a
  /// request completes it. Default false.
  public var allowsPartialData: Bool {
    get { self[AllowsPartialData.self] }
    set { self[AllowsPartialData.self] = newValue }
  }
}
