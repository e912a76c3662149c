/// A watched query: it executes, delivers the results, waits until the shown result is superseded,
/// and executes again.
///
/// It runs in the consumer's own task. Nothing is registered anywhere while the consumer does not
/// wait here. So an abandoned watch leaves nothing behind, and a slow consumer receives the newest
/// state instead of a queue.
final class WatchSource: ResultSource {
  private enum Phase {
    case beginning(notBefore: LogicalInstant, isRefetch: Bool, policy: RequestPolicy? = nil)
    case executing(ResultStream.Iterator)
    case waiting(RefreshSignal, endOfSession: RefreshSignal)
    case ended
  }

  let operation: GraphQLOperation
  let client: GraphQLClient
  var session: Session
  private var phase = Phase.beginning(notBefore: .distantPast, isRefetch: false)
  /// The result that the consumer received last.
  var shown: OperationResult?
  /// The signal of the last result of the current execution.
  private var signal: RefreshSignal?
  /// The signal of the execution before, while one with a total timeout runs.
  ///
  /// Nothing reads it. It is held because a cache counts a key as watched only while something outside
  /// the cache retains the key's `RefreshSource`. If the execution ends without a response, the cache must
  /// still know which changes concern the shown data.
  private var formerSignal: RefreshSignal?
  /// Nil if no cache can show anything else than the response.
  var interim: Interim?
  /// Ends the wait for a response when the session ends. Otherwise the end of the session would wait for
  /// a slow response.
  private var ending: SessionEnding?

  /// Whether a result is cached data that does not fit the watch's type; nil without a type.
  let isUnfit: (@Sendable (OperationResult) -> Bool)?
  /// Whether such data was requested again, or need not be. It is not another time: the response might not fit
  /// either.
  private var hasReplacedUnfit: Bool

  init(
    operation: GraphQLOperation, client: GraphQLClient,
    isUnfit: (@Sendable (OperationResult) -> Bool)?
  ) {
    self.operation = operation
    self.client = client
    self.isUnfit = isUnfit
    hasReplacedUnfit = operation.context.requestPolicy != .cacheFirst
    session = client.sessions.begun
  }

  deinit {
    ending?.forget()
  }

  override func step() -> ResultStream.Iterator.Step {
    ending.take()?.forget()
    while !Task.isCancelled {
      switch phase {
      case .beginning(let notBefore, let isRefetch, let policy):
        // A watch that wakes during a switch executes in the new session.
        if let wait = client.sessions.switching { return .waiting(for: wait) }
        if let emission = begin(notBefore: notBefore, isRefetch: isRefetch, policy) {
          return .done(emission)
        }
      case .executing(var iterator):
        let step = iterator.step()
        phase = .executing(iterator)
        switch step {
        case .done(let result):
          if let emission = received(result) { return .done(emission) }
        case .waiting(let wait):
          if interim != nil, let emission = shownUntilResponse() { return .done(emission) }
          ending = iterator.stop.map { client.sessions.onEnd(of: session, $0) }
          return .waiting(for: orChange(wait))
        }
      case .waiting(let signal, let end):
        let instant = max(signal.lastFiring ?? .distantPast, end.lastFiring ?? .distantPast)
        guard instant > .distantPast else {
          return .waiting(for: .signal(signal.makeWaiter(end: end)))
        }
        phase = .beginning(notBefore: instant, isRefetch: true)
      case .ended:
        return .done(end())
      }
    }
    return .done(end())
  }

  /// Releases everything: as long as a signal exists, the cache assumes a live watch.
  private func end() -> OperationResult? {
    phase = .ended
    shown = nil
    signal = nil
    formerSignal = nil
    interim = nil
    return nil
  }

  /// Executes the chain.
  ///
  /// - Returns: the shown result, as stale, with what a cache has by now, if the new one has to be awaited;
  ///   an empty one in its place if it belongs to an older session. The request has been sent by then.
  private func begin(
    notBefore: LogicalInstant, isRefetch: Bool, _ policy: RequestPolicy?
  ) -> OperationResult? {
    let isNewSession = enterCurrentSession()
    var execution = operation.stamped(session)
    if isRefetch {
      execution.context.requestPolicy = policy ?? operation.context.requestPolicy.whenRefetching
      execution.context.notBefore = notBefore
    }
    interim = signal?.announcingData == nil ? nil : Interim(requestedAt: notBefore)
    formerSignal = client.totalTimeout(of: operation) == nil ? nil : signal
    signal = nil
    let stream = client.forward(execution)
    let hasToWait = stream.immediate == nil
    phase = .executing(hasToWait ? stream.makeStartedIterator() : stream.makeAsyncIterator())
    if isNewSession { return hidden(hasToWait: hasToWait) }
    guard session == client.sessions.announced else { return nil }
    return isRefetch && hasToWait ? shownUntilResponse() : nil
  }

  /// Drops what the consumer shows of an older session.
  ///
  /// - Returns: an empty result, if something is shown and the new session's result has to be awaited.
  private func hidden(hasToWait: Bool) -> OperationResult? {
    var empty = OperationResult()
    empty.isStale = true
    guard hasToWait else {
      shown = nil
      return nil
    }
    guard let old = shown, !old.looksLike(empty) else { return nil }
    shown = empty
    return empty
  }

  private func received(_ result: OperationResult?) -> OperationResult? {
    guard session == client.sessions.announced else {
      // The result belongs to the previous session.
      phase = .beginning(notBefore: .distantPast, isRefetch: false)
      return nil
    }
    guard let result else {
      phase = signal.map { .waiting($0, endOfSession: endOfSession) } ?? .ended
      return nil
    }
    signal = signal(of: result)
    formerSignal = nil
    let emission = keepingShownData(beside: result.withoutSignal())
      .explainingMiss(of: operation)
    if let shown, shown.looksLike(emission) { return nil }
    if !hasReplacedUnfit, isUnfit?(result) == true {
      // The data stays in the cache, where other types may fit it, until the response takes its place.
      hasReplacedUnfit = true
      phase = .beginning(notBefore: .distantPast, isRefetch: true, policy: .networkOnly)
      return nil
    }
    shown = emission
    return emission
  }

  /// Returns the signal of a result of the execution, and notes whether a cache may show something else before
  /// the next one.
  private func signal(of result: OperationResult) -> RefreshSignal? {
    interim?.noteFiring()
    let superseded = interim?.supersededAt
    var signal = result.refreshSignal
    interim = result.isStale ? signal.flatMap(Interim.init) : nil
    if interim != nil, result.outcome != .miss, signal?.lastFiring != nil {
      // If no response follows, the same data does not do.
      signal = signal?.merged(with: .fired(at: .next()))
    } else if let superseded, result.error != nil, !result.payload.hasData || result.isFallback {
      // The request that has failed was sent before that.
      signal = signal?.merged(with: .fired(at: superseded))
    }
    return signal
  }

  /// Keeps the shown data if a refetch has failed, or if the cache has no data any more.
  private func keepingShownData(beside result: OperationResult) -> OperationResult {
    guard !result.payload.hasData, let shown, shown.payload.hasData else { return result }
    var emission = result
    emission.takeData(of: shown.payload)
    if !emission.missingPaths.isEmpty { emission.outcome = .partial }
    if result.error == nil || result.hasLostData { emission.isStale = true }
    return emission
  }

  /// Returns whether another session has begun since the last execution.
  private func enterCurrentSession() -> Bool {
    let current = client.sessions.begun
    defer { session = current }
    return session != current
  }

  private var endOfSession: RefreshSignal {
    // Taken before the session is read, so that an end between the two is not missed.
    let signal = client.sessions.switched.signal
    let latest = client.sessions.announced
    return session == latest ? signal : .fired(at: latest.beginning)
  }
}
