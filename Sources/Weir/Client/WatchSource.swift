/// A watched query: execute, deliver, wait until what is shown is overtaken, execute again.
///
/// It runs in the consumer's own task. Nothing is registered anywhere while the consumer does not
/// wait here, so an abandoned watch leaves nothing behind, and a slow consumer finds the newest
/// state when it comes back instead of a queue.
final class WatchSource: ResultSource {
  private enum Phase {
    case beginning(notBefore: LogicalInstant, isRefetch: Bool)
    case executing(ResultStream.Iterator)
    case waiting(RefreshSignal)
    case ended
  }

  private let operation: GraphQLOperation
  private let client: GraphQLClient
  private var session: Session
  private var phase = Phase.beginning(notBefore: .distantPast, isRefetch: false)
  /// What the consumer sees.
  private var shown: OperationResult?
  /// The signal of the last result of the execution that runs.
  private var signal: RefreshSignal?

  init(operation: GraphQLOperation, client: GraphQLClient) {
    self.operation = operation
    self.client = client
    session = client.sessions.current
  }

  override func next(isolation: isolated (any Actor)?) async -> OperationResult? {
    while !Task.isCancelled {
      switch phase {
      case .beginning(let notBefore, let isRefetch):
        if let emission = begin(notBefore: notBefore, isRefetch: isRefetch) { return emission }
      case .executing(var iterator):
        let result = await iterator.next(isolation: isolation)
        phase = .executing(iterator)
        if let emission = received(result) { return emission }
      case .waiting(let signal):
        guard let instant = await signal.fired() else { return end() }
        phase = .beginning(notBefore: instant, isRefetch: true)
      case .ended:
        return end()
      }
    }
    return end()
  }

  /// Nothing is held for who keeps the iterator: the cache would take it for a watch.
  private func end() -> OperationResult? {
    phase = .ended
    shown = nil
    signal = nil
    return nil
  }

  /// Runs the chain.
  ///
  /// - Returns: what is shown already, as stale, if the new result has to be waited for. The request
  ///   has left by then.
  private func begin(notBefore: LogicalInstant, isRefetch: Bool) -> OperationResult? {
    enterCurrentSession()
    var execution = operation.stamped(session)
    if isRefetch {
      execution.context.requestPolicy = operation.context.requestPolicy.whenRefetching
      execution.context.notBefore = notBefore
    }
    signal = nil
    let stream = client.forward(execution)
    guard isRefetch, stream.immediate == nil, var stale = shown, stale.data != nil, !stale.isStale
    else {
      phase = .executing(stream.makeAsyncIterator())
      return nil
    }
    phase = .executing(stream.makeStartedIterator())
    stale.isStale = true
    shown = stale
    return stale
  }

  private func received(_ result: OperationResult?) -> OperationResult? {
    guard session == client.sessions.current else {
      // Whatever it is, it belongs to the user before.
      phase = .beginning(notBefore: .distantPast, isRefetch: false)
      return nil
    }
    guard let result else {
      phase = signal.map { .waiting($0.merged(with: endOfSession)) } ?? .ended
      return nil
    }
    signal = result.refreshSignal
    let emission = keepingShownData(beside: result.withoutSignal())
    if let shown, shown.looksLike(emission) { return nil }
    shown = emission
    return emission
  }

  /// A refetch that failed, or a cache that has nothing any more, does not take away what is shown.
  private func keepingShownData(beside result: OperationResult) -> OperationResult {
    guard result.data == nil, let shown, shown.data != nil else { return result }
    var emission = result
    emission.takeData(of: shown.payload)
    if !emission.missingPaths.isEmpty { emission.outcome = .partial }
    if result.error == nil { emission.isStale = true }
    return emission
  }

  /// The data of the user before are forgotten.
  private func enterCurrentSession() {
    guard session != client.sessions.current else { return }
    session = client.sessions.current
    shown = nil
  }

  private var endOfSession: RefreshSignal {
    // Taken before the look at the session, so that an end between the two is not missed.
    let signal = client.sessions.ended.signal
    return session == client.sessions.current ? signal : .fired(at: .next())
  }
}

extension GraphQLClient {
  /// The results of a query for as long as they are iterated: the first ones, and a new one whenever
  /// what is shown was overtaken, by a mutation, by another execution's newer response, by
  /// ``invalidate(_:)-(Invalidation)``, by whatever an exchange attaches a ``RefreshSignal`` for.
  ///
  /// What was overtaken is delivered once more as stale if the newer data have to be waited for.
  /// A failed refetch keeps the last data beside its error. Equal results are not repeated. Leaving
  /// the loop ends the watch; nothing has to be cancelled.
  ///
  /// However many watch one query, a refetch is one request. A watch costs no task of its own.
  /// Mutations and subscriptions are executed once, as by ``results(of:)``.
  public func watch(_ operation: GraphQLOperation) -> ResultStream {
    guard operation.kind == .query else { return results(of: operation) }
    return ResultStream(source: { [self] in WatchSource(operation: operation, client: self) })
  }
}
