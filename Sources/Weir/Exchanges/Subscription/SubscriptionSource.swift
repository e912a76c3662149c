/// The response to an operation that was sent.
enum OperationResponse: Sendable {
  /// The only result.
  case result(OperationResult)
  /// Results that arrive one after the other.
  case feed(any ResultFeed)
}

/// One iteration of a subscription: opens a connection, delivers its results, and opens another
/// connection when it is lost.
///
/// It runs in the consumer's task, and reads only when the consumer asks. Releasing it ends the
/// subscription.
final class SubscriptionSource: ResultSource {
  typealias Open = @Sendable (Resumption) async -> OperationResponse

  private enum Phase {
    case opening
    case reopening(ReconnectionCount, OperationError)
    case receiving(any ResultFeed, ReconnectionCount, since: Duration)
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
      case .reopening(let count, let error):
        result = await reopen(count, after: error)
      case .receiving(let feed, let count, let since):
        result = await receive(feed, count, since: since)
      case .ended:
        return nil
      }
      if Task.isCancelled, result?.error?.code == .cancelled { return nil }
      if let result { return result }
    }
  }

  private func opened(
    _ response: OperationResponse, _ count: ReconnectionCount = ReconnectionCount()
  ) -> OperationResult? {
    switch response {
    case .feed(let feed):
      if acceptance.note() { missedEvents?() }
      phase = .receiving(feed, count, since: reconnection?.now() ?? .zero)
      return nil
    case .result(let result):
      phase = .ended
      // A 204 for a subscription that was accepted before ends it (WHATWG HTML, section 9.2.3
      // "Processing model").
      return acceptance.count > 0 && result.error?.httpStatus == 204 ? nil : result
    }
  }

  private func reopen(
    _ count: ReconnectionCount, after error: OperationError
  ) async -> OperationResult? {
    let retryAfter = error.retryAfter() ?? .zero
    guard let reconnection, count.inARow <= reconnection.maximumAttempts,
      max(retryAfter, resumption.minimumDelay ?? .zero) <= reconnection.maximumRetryAfter
    else {
      phase = .ended
      return OperationResult(error: error)
    }
    do {
      let own = max(reconnection.delay(before: count.sinceStable), resumption.minimumDelay ?? .zero)
      let delay =
        attempts?.delay(before: count.sinceStable, own: own, now: reconnection.now()) ?? own
      // The random delay is added, as in a retry, so that the clients do not return all at once.
      try await reconnection.sleep(retryAfter + delay)
    } catch {
      phase = .ended
      return .cancelled
    }
    let response = await open(resumption)
    if case .result(let result) = response, let error = result.error, error.isWorthReconnecting {
      phase = .reopening(count.next, error)
      return nil
    }
    return opened(response, count)
  }

  private func receive(
    _ feed: any ResultFeed, _ count: ReconnectionCount, since: Duration
  ) async -> OperationResult? {
    do throws(OperationError) {
      guard let result = try await feed.next() else {
        phase = .ended
        return nil
      }
      phase = .receiving(feed, count.afterEvent, since: since)
      return result
    } catch {
      guard let reconnection, error.isWorthReconnecting else {
        phase = .ended
        return OperationResult(error: error)
      }
      let newer = await feed.resumption
      acceptance.resumption.withLock { $0.update(with: newer) }
      let wasStable = reconnection.now() - since >= reconnection.stableAfter
      phase = .reopening(wasStable ? ReconnectionCount().next : count.next, error)
      return nil
    }
  }
}

extension OperationError {
  /// Whether another connection may succeed.
  fileprivate var isWorthReconnecting: Bool {
    if let closure = underlying as? SocketClosure, closure.isFinal { return false }
    return isTransient
  }
}
