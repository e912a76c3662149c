// Queries: their results once, as they arrive, and as a cache has them.

extension GraphQLClient {
  /// Returns the result of a query: the first that is neither stale nor incomplete, otherwise the
  /// last result.
  ///
  /// A cached result is returned without suspension. The call always returns: with an error if the
  /// chain delivers nothing, with ``OperationError/cancelled`` if the task is cancelled.
  ///
  /// A mutation is executed as by ``mutate(_:)-(GraphQLOperation)``. For a subscription, the call
  /// returns the first event and unsubscribes; ``subscribe(_:)-(GraphQLOperation)`` delivers all.
  @inlinable @inline(__always)
  public func query(_ operation: consuming GraphQLOperation) async -> OperationResult {
    // Inlined, so that a hit is not an asynchronous call.
    if let hit = hit(operation.content, operation.context) {
      return OperationResult(payload: hit, outcome: .hit)
    }
    return await settled(operation)
  }

  /// Returns the result of a query that has to pass the chain.
  @inlinable @inline(__always)
  func settled(_ operation: consuming GraphQLOperation) async -> OperationResult {
    guard operation.kind == .query else { return await run(operation) }
    switch begin(operation) {
    case .settled(let result): return result
    case .waiting(let execution): return await execution.settled()
    }
  }

  /// Returns the decoded result of a query. Inlined, so that a hit is not an asynchronous call.
  @inlinable @inline(__always)
  func result<Data>(
    of content: OperationContent, _ context: OperationContext
  ) async -> TypedResult<Data> {
    let session = session
    // Decoded in one place, so that the caller's task has room for one result.
    let settled: OperationResult
    switch begin(content, context) {
    case .settled(let result): settled = result
    case .waiting(let execution): settled = await execution.settled()
    }
    if settled.isUnfitHit(for: Data.self), context.requestPolicy == .cacheFirst {
      return await resultFromNetwork(of: content, context, in: session)
    }
    return TypedResult(decoding: settled)
  }

  /// Requests data again of which a cache has a form that does not fit the type.
  @inlinable @inline(never)
  func resultFromNetwork<Data>(
    of content: OperationContent, _ context: OperationContext, in session: Session
  ) async -> TypedResult<Data> {
    let again = GraphQLOperation(content, context.with { $0.requestPolicy = .networkOnly })
    let result = await settled(again)
    // Otherwise the request was perhaps one of the next session.
    let isOver = session != self.session
    return TypedResult(decoding: isOver ? OperationResult(error: .cancelled) : result)
  }

  /// Finds a hit, or executes a query as far as that needs no waiting.
  @inline(never)
  @usableFromInline
  func begin(
    _ content: OperationContent, _ context: OperationContext
  ) -> SettlingExecution.Beginning {
    if let hit = hit(content, context) {
      return .settled(OperationResult(payload: hit, outcome: .hit))
    }
    return begin(GraphQLOperation(content, context))
  }

  /// Returns the data that answers a query, if it is a hit that need not pass the chain.
  @inline(never)
  @usableFromInline
  func hit(
    _ content: borrowing OperationContent, _ context: borrowing OperationContext
  ) -> ResultPayload? {
    guard let nearCache, content.acceptsAnyHit(context) else { return nil }
    let session = sessions.begun
    let payload = nearCache.hit(content.identity, in: session)
    return session == sessions.announced ? payload : nil
  }

  /// Executes a query for which `hit` has found nothing, as far as that needs no waiting.
  ///
  /// Not inlined: only what an asynchronous function itself keeps has to be in its task's memory.
  @inline(never)
  @usableFromInline
  func begin(_ operation: consuming GraphQLOperation) -> SettlingExecution.Beginning {
    operation.context.session = sessions.begun
    operation.context.hasMissed =
      nearCache != nil && operation.context.requestPolicy == .cacheFirst
      && operation.content.acceptsAnyHit(operation.context)
    if operation.context.hasMissed, let nearDedup {
      let source = nearDedup.source(of: operation, forward: Forward(exchanges, from: 1))
      return SettlingExecution.begin(ResultStream.Iterator(source), of: operation, sessions)
    }
    let content = forward(operation).content
    switch consume content {
    case .just(let result):
      // A hit makes no iterator.
      if result.isStale || result.hasNext {
        return SettlingExecution.begin(
          ResultStream.just(result).makeAsyncIterator(), of: operation, sessions)
      }
      operation.context.finishUploadProgress()
      guard sessions.mayDeliver(operation) else { return .settled(.cancelled) }
      let delivered = result.withoutSignal()
      guard delivered.isMiss || operation.context.requestPolicy == .cacheOnly else {
        return .settled(delivered)
      }
      return .settled(delivered.explainingMiss(of: operation))
    case let content:
      let iterator = ResultStream(content: content).makeAsyncIterator()
      return SettlingExecution.begin(iterator, of: operation, sessions)
    }
  }

  /// Returns the results of one execution of a query as they arrive, including stale and incomplete
  /// ones.
  ///
  /// Each iteration executes again, and ends with the last result, or with
  /// ``OperationError/cancelled`` when the session ends. To follow a query's changes, use
  /// ``watch(_:)-(GraphQLOperation)``.
  public func results(of operation: GraphQLOperation) -> ResultStream {
    switch operation.kind {
    case .query: break
    case .mutation:
      // Each iteration executes again, and a mutation must be sent once.
      return .just(
        OperationResult(error: .wrongKind(of: operation, for: "results", use: "mutate")))
    case .subscription: return subscribe(operation)
    }
    return .deferred { [self] in
      let stamped = operation.stamped(sessions.begun)
      return ResultStream(source: { [self] in
        DeliveredResults(of: stamped, sessions, forward(stamped))
      })
    }
  }

  /// Returns the cached result of a query, or nil. The call is synchronous and never sends a
  /// request: use it for the first frame of a view. For a mutation or a subscription, which it does
  /// not execute, the result is nil.
  ///
  /// If an exchange above the cache suspends, the result is always nil. A normalized cache over a
  /// storage answers with what is in memory: after a start of the app, `await store.load()` or
  /// `store.load(operation)` brings there what only the file has. The first `peek` that misses such
  /// data is reported to ``ClientConfiguration/onDiagnostic``.
  public func peek(_ operation: consuming GraphQLOperation) -> OperationResult? {
    if let hit = hit(operation.content, operation.context) {
      return OperationResult(payload: hit, outcome: .hit)
    }
    // An exchange that answers a mutation at once would already have executed it.
    guard operation.kind == .query else { return nil }
    operation.context.session = sessions.begun
    operation.context.requestPolicy = .cacheOnly
    guard let result = forward(operation).immediate else {
      if let slowPeek { report(slowPeek) }
      return nil
    }
    guard result.payload.hasData, sessions.mayDeliver(operation) else { return nil }
    return result.withoutSignal()
  }

  func settled(
    _ stream: ResultStream, of operation: GraphQLOperation
  ) async -> OperationResult {
    switch SettlingExecution.begin(stream.makeAsyncIterator(), of: operation, sessions) {
    case .settled(let result): result
    case .waiting(let execution): await execution.settled()
    }
  }

  /// Executes an operation as far as that needs no waiting.
  @inline(never)
  func beginSettling(_ operation: GraphQLOperation) -> SettlingExecution.Beginning {
    SettlingExecution.begin(forward(operation).makeAsyncIterator(), of: operation, sessions)
  }

  /// Executes a mutation or a subscription that was passed to `query`.
  @inline(never)
  @usableFromInline
  func run(_ operation: GraphQLOperation) async -> OperationResult {
    operation.kind == .mutation
      ? await mutate(operation)
      : await settled(subscribe(operation), of: operation.stamped(sessions.begun))
  }
}

/// The results of one execution, until its session ends.
private final class DeliveredResults: ResultSource {
  private let operation: GraphQLOperation
  private let sessions: SessionKeeper
  private var results: ResultStream.Iterator
  /// Whether no further result is missing.
  private var isComplete = false

  init(of operation: GraphQLOperation, _ sessions: SessionKeeper, _ stream: ResultStream) {
    self.operation = operation
    self.sessions = sessions
    // While the session changes, nothing is sent.
    results = sessions.mayDeliver(operation) ? stream.makeAsyncIterator() : .ended
  }

  deinit {
    operation.context.finishUploadProgress()
  }

  override var stop: (@Sendable () -> Void)? { results.stop }

  override func step() -> ResultStream.Iterator.Step {
    results.step().map(delivered)
  }

  private func delivered(_ result: consuming OperationResult?) -> OperationResult? {
    guard let result else { return end() }
    guard sessions.mayDeliver(operation) else {
      (results, isComplete) = (.ended, true)
      return .cancelled
    }
    isComplete = !result.isStale && !result.hasNext
    return result.withoutSignal().explainingMiss(of: operation)
  }

  /// Returns the error of the session's end, if that has kept results from arriving.
  private func end() -> OperationResult? {
    defer { isComplete = true }
    return isComplete || Task.isCancelled || sessions.mayDeliver(operation) ? nil : .cancelled
  }
}
