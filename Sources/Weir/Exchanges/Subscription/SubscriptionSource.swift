/// What came of sending an operation.
enum Answer: Sendable {
  /// All of it.
  case result(OperationResult)
  /// Its results come one after the other.
  case feed(any ResultFeed)
}

/// One iteration of a subscription: connects, hands on what comes, and connects again when the
/// connection is lost.
///
/// It runs in the consumer's task, and reads only when that asks. Dropping it ends the subscription.
final class SubscriptionSource: ResultSource {
  typealias Open = @Sendable (Resumption) async -> Answer

  private enum Phase {
    case opening
    case reopening(attempt: Int, OperationError)
    case receiving(any ResultFeed, attempt: Int, since: Duration)
    case ended
  }

  private let open: Open
  private let reconnection: Reconnection?
  private let attempts: SharedAttempts?
  private let acceptance: SubscriptionAcceptance
  private let missedEvents: (@Sendable () -> Void)?
  private var phase = Phase.opening

  init(
    _ operation: GraphQLOperation, reconnection: Reconnection?, attempts: SharedAttempts? = nil,
    open: @escaping Open
  ) {
    self.open = open
    self.reconnection = reconnection
    self.attempts = attempts
    acceptance = operation.context.acceptance ?? SubscriptionAcceptance()
    missedEvents = operation.context.missedEvents
  }

  private var resumption: Resumption { acceptance.resumption.withLock { $0 } }

  override func next(isolation: isolated (any Actor)?) async -> OperationResult? {
    while true {
      let result: OperationResult?
      switch phase {
      case .opening:
        result = opened(await open(resumption))
      case .reopening(let attempt, let error):
        result = await reopen(attempt, after: error)
      case .receiving(let feed, let attempt, let since):
        result = await receive(feed, attempt: attempt, since: since)
      case .ended:
        return nil
      }
      if Task.isCancelled, result?.error?.code == .cancelled { return nil }
      if let result { return result }
    }
  }

  private func opened(_ answer: Answer, attempt: Int = 0) -> OperationResult? {
    switch answer {
    case .feed(let feed):
      if acceptance.note() { missedEvents?() }
      phase = .receiving(feed, attempt: attempt, since: reconnection?.now() ?? .zero)
      return nil
    case .result(let result):
      phase = .ended
      return isEnd(result) ? nil : result
    }
  }

  /// Whether a server that has accepted the subscription before says by an empty answer that there is
  /// nothing to come back for (WHATWG HTML, section 9.2.3 "Processing model": 204).
  private func isEnd(_ result: OperationResult) -> Bool {
    acceptance.count > 0 && result.error?.httpStatus == 204
  }

  private func reopen(_ attempt: Int, after error: OperationError) async -> OperationResult? {
    let asked = error.retryAfter() ?? .zero
    guard let reconnection, attempt <= reconnection.maximumAttempts,
      asked <= reconnection.maximumRetryAfter
    else {
      phase = .ended
      return OperationResult(error: error)
    }
    do {
      let own = max(reconnection.delay(before: attempt), resumption.minimumDelay ?? .zero)
      let delay = attempts?.delay(before: attempt, own: own, now: reconnection.now()) ?? own
      // On top, as of a request that is retried, or all would come back at once.
      try await reconnection.sleep(asked + delay)
    } catch {
      phase = .ended
      return .cancelled
    }
    let answer = await open(resumption)
    if case .result(let result) = answer, let error = result.error, error.isWorthReconnecting {
      phase = .reopening(attempt: attempt + 1, error)
      return nil
    }
    return opened(answer, attempt: attempt)
  }

  private func receive(
    _ feed: any ResultFeed, attempt: Int, since: Duration
  ) async -> OperationResult? {
    do throws(OperationError) {
      guard let result = try await feed.next() else {
        phase = .ended
        return nil
      }
      phase = .receiving(feed, attempt: 0, since: since)
      return result
    } catch {
      guard let reconnection, error.isWorthReconnecting else {
        phase = .ended
        return OperationResult(error: error)
      }
      let newer = await feed.resumption
      acceptance.resumption.withLock { $0.update(with: newer) }
      let wasStable = reconnection.now() - since >= reconnection.maximumDelay
      phase = .reopening(attempt: wasStable ? 1 : attempt + 1, error)
      return nil
    }
  }
}

extension OperationError {
  /// Whether a new connection may fare better.
  fileprivate var isWorthReconnecting: Bool {
    if let closure = underlying as? SocketClosure, closure.isFinal { return false }
    return isTransient
  }
}
