/// One iteration of a subscription: opens a connection, delivers its results, and opens another
/// connection when it is lost.
///
/// It runs in the consumer's task, and reads only when the consumer asks. Releasing it ends the
/// subscription.
final class SubscriptionSource: AwaitedSource {
  typealias Open = @Sendable (Resumption) async -> OperationResponse

  private enum Phase {
    case opening
    case reopening(ReconnectionCount, OperationResult)
    case receiving(any ResultFeed, ReconnectionCount, since: Duration)
    case losing(OperationResult, any ResultFeed, ReconnectionCount)
    case ended
  }

  private let open: Open
  private let reconnection: Reconnection?
  private let attempts: ReconnectionTimes?
  private let acceptance: SubscriptionAcceptance
  private let missedEvents: (@Sendable () -> Void)?
  private let connectionChange: (@Sendable (SubscriptionConnection) -> Void)?
  private var phase = Phase.opening
  /// The result of the last step.
  private var brought: OperationResult?

  init(
    _ operation: GraphQLOperation, reconnection: Reconnection?, attempts: ReconnectionTimes? = nil,
    open: @escaping Open
  ) {
    self.open = open
    self.reconnection = reconnection
    self.attempts = attempts
    acceptance = operation.context.acceptance ?? SubscriptionAcceptance()
    missedEvents = operation.context.missedEvents
    connectionChange = operation.context.connectionChange
  }

  private static let defaultTiming = Reconnection()

  /// Tells how long a connection has lasted, even if none follows it.
  private var timing: Reconnection { reconnection ?? Self.defaultTiming }

  private var resumption: Resumption {
    var resumption = acceptance.resumption.withLock { $0 }
    resumption.isRepeatable =
      acceptance.count > 0 || reconnection?.includesFirstAttempt == true
    return resumption
  }

  /// Each kind of step is a function of its own that keeps what it knows in this object: a subscription
  /// waits for as long as the app runs, and its task allocates what a function keeps in pieces of about
  /// 1 KB.
  override func next() async -> OperationResult? {
    while true {
      switch phase {
      case .opening: await openFirst()
      case .reopening: await reopen()
      case .receiving: await receive()
      case .losing: await lose()
      case .ended: return nil
      }
      if let result = taken() { return result }
    }
  }

  /// Returns what a step has brought; ends the iteration if it was cancelled.
  @inline(never)
  private func taken() -> OperationResult? {
    let result = brought.take()
    if Task.isCancelled, result?.error?.code == .cancelled {
      phase = .ended
      return nil
    }
    return result
  }

  // MARK: Opening

  @inline(never)
  private func openFirst() async {
    let renewals = acceptance.renewals.withLock { renewals in
      defer { renewals.rejection = nil }
      return renewals
    }
    let count = ReconnectionCount(sinceStable: renewals.losses)
    if let rejection = renewals.rejection {
      // The first new credentials are used at once. A server that accepts and rejects in turns would
      // otherwise get an attempt as fast as credentials can be renewed.
      let delay = renewals.count > 1 ? timing.delay(before: max(renewals.losses - 1, 1)) : .zero
      connectionChange?(.lost(rejection, nextAttempt: delay))
      do {
        if delay > .zero { try await timing.sleep(delay) }
      } catch {
        return end(.cancelled)
      }
    }
    opened(await open(resumption), count)
  }

  @inline(never)
  private func opened(_ response: OperationResponse, _ count: ReconnectionCount) {
    switch response {
    case .feed(let feed):
      if acceptance.note() || count.isAfterLoss { missedEvents?() }
      connectionChange?(.open)
      phase = .receiving(feed, count, since: timing.now())
    case .result(let result):
      let wasAccepted = acceptance.count > 0
      if let reconnection, wasAccepted || reconnection.includesFirstAttempt,
        !result.payload.hasData, let error = result.error, !acceptance.isRejection(error),
        reconnection.mayReopen(after: error)
      {
        phase = .reopening(count.next, result)
        return
      }
      guard wasAccepted else { return end(result) }
      if let error = result.error { noteRejection(error, losses: count.sinceStable) }
      // A 204 for a subscription that was accepted before ends it (WHATWG HTML, section 9.2.3
      // "Processing model").
      end(result.error?.httpStatus == 204 ? nil : result)
    }
  }

  /// Keeps what the execution has to know that follows a renewal of the credentials.
  private func noteRejection(_ error: OperationError, losses: Int) {
    guard acceptance.isRejection(error) else { return }
    acceptance.renewals.withLock { renewals in
      renewals.count += 1
      (renewals.losses, renewals.rejection) = (losses, error)
    }
  }

  private func end(_ result: OperationResult?) {
    phase = .ended
    brought = result
  }

  // MARK: Reopening

  @inline(never)
  private func reopen() async {
    guard let delay = delayOfReopening(), let reconnection else { return }
    do {
      try await reconnection.sleep(delay)
    } catch {
      return end(.cancelled)
    }
    reopened(await open(resumption))
  }

  /// Returns the time to wait for; nil if the subscription has ended instead.
  private func delayOfReopening() -> Duration? {
    guard case .reopening(let count, let result) = phase, let error = result.error else {
      return nil
    }
    let retryAfter = error.retryAfter() ?? .zero
    let minimum = resumption.minimumDelay ?? .zero
    guard let reconnection, count.inARow <= reconnection.maximumAttempts,
      max(retryAfter, minimum) <= reconnection.maximumRetryAfter
    else {
      end(result)
      return nil
    }
    let own = max(reconnection.delay(before: count.sinceStable), minimum)
    // The random delay is added, as in a retry, so that the clients do not return all at once.
    let delay =
      retryAfter
      + (attempts?.delay(before: count.sinceStable, own: own, now: reconnection.now()) ?? own)
    connectionChange?(.lost(error, nextAttempt: delay))
    return delay
  }

  private func reopened(_ response: OperationResponse) {
    guard case .reopening(let count, _) = phase else { return }
    opened(response, count)
  }

  // MARK: Receiving

  @inline(never)
  private func receive() async {
    guard case .receiving(let feed, _, _) = phase else { return }
    do throws(OperationError) {
      received(try await feed.next())
    } catch {
      lost(OperationResult(error: error))
    }
  }

  @inline(never)
  private func received(_ result: consuming OperationResult?) {
    guard let result, case .receiving(let feed, let count, let since) = phase else {
      return end(nil)
    }
    // The server has ended the subscription by errors.
    if !result.hasNext, !result.payload.hasData, result.error != nil { return lost(result) }
    // Some servers accept a connection, and reject the credentials by its first result.
    if count.isAfterLoss, !result.payload.hasData, let error = result.error,
      acceptance.isRejection(error)
    {
      noteRejection(error, losses: count.sinceStable)
      return end(OperationResult(error: error, extensions: result.extensions))
    }
    phase = .receiving(feed, count.afterEvent, since: since)
    brought = result
  }

  @inline(never)
  private func lost(_ result: consuming OperationResult) {
    guard case .receiving(let feed, let count, let since) = phase, let error = result.error else {
      return
    }
    // A server may close a WebSocket because it rejects what it has just received.
    let isLoss = error.isTransient && !(error.underlying is SocketClosure)
    let isStable = timing.isStable(since: since)
    if isLoss || isStable { acceptance.noteProof() }
    if isStable { acceptance.renewals.withLock { $0 = SubscriptionAcceptance.Renewals() } }
    let next = isStable ? ReconnectionCount().next : count.next
    noteRejection(error, losses: next.sinceStable)
    if reconnection?.mayReopen(after: error) == true {
      phase = .losing(result, feed, next)
    } else {
      end(result)
    }
  }

  @inline(never)
  private func lose() async {
    guard case .losing(let result, let feed, let next) = phase else { return }
    let newer = await feed.resumption
    acceptance.resumption.withLock { $0.update(with: newer) }
    // Each attempt would use the same credentials. The exchange that renews them sends it again.
    if let error = result.error, acceptance.isRejection(error) { return end(result) }
    phase = .reopening(next, result)
  }
}
