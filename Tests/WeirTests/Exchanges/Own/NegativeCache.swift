import Weir

// The example of the article "Write an exchange", word for word: a test compares them.

/// Keeps the failures of queries for some seconds, so that not every execution asks the server.
final class NegativeCache: StatefulExchange {
  private struct Key: Hashable {
    let session: Session
    let operation: OperationIdentity
  }
  private struct Entry {
    let failure: OperationResult?  // Nil if the query has succeeded.
    let requestedAt: LogicalInstant
    let expiresAt: Duration
  }
  private let entries = Mutex<[Key: Entry]>([:])
  private let superseded = RefreshSource()
  private let time: Duration
  private let now: @Sendable () -> Duration

  init(for time: Duration = .seconds(5), clock: some Clock<Duration> = ContinuousClock()) {
    self.time = time
    let start = clock.now
    now = { start.duration(to: clock.now) }
  }

  func execute(_ operation: GraphQLOperation, forward: Forward) -> ResultStream {
    let stream = forward(operation)
    if operation.kind == .mutation { return stream.map(supersede) }
    // A result that needs no waiting comes from a cache below.
    guard operation.kind == .query, stream.immediate == nil else { return stream }
    let key = Key(session: operation.context.session, operation: operation.identity)
    if let failure = failure(of: key, for: operation.context) { return .just(failure) }
    return .deferred { [self] in
      // Taken before the request is sent: what happens meanwhile supersedes the response.
      let signal = superseded.signal
      let requestedAt = LogicalInstant.next()
      return stream.map { [self] in keep($0.refreshed(by: signal), of: key, requestedAt) }
    }
  }

  private func failure(of key: Key, for context: OperationContext) -> OperationResult? {
    guard context.requestPolicy == .cacheFirst, let entry = entries.withLock({ $0[key] }),
      entry.expiresAt > now(), entry.requestedAt >= context.notBefore,
      entry.failure?.refreshSignal?.firedInstant == nil
    else { return nil }
    return entry.failure
  }

  private func keep(
    _ result: OperationResult, of key: Key, _ requestedAt: LogicalInstant
  ) -> OperationResult {
    guard !result.isStale, !result.hasNext else { return result }
    let (failure, now) = (result.data == nil ? result : nil, now())
    entries.withLock { entries in
      entries = entries.filter { $0.value.expiresAt > now }
      if let newer = entries[key], newer.requestedAt > requestedAt { return }
      entries[key] = Entry(failure: failure, requestedAt: requestedAt, expiresAt: now + time)
    }
    return result
  }

  private func supersede(with mutation: OperationResult) -> OperationResult {
    if mutation.data != nil { superseded.fire() }  // It may have removed the cause of a failure.
    return mutation
  }

  func invalidate(_ invalidation: Invalidation) {
    superseded.fire()  // A failure names no types, so every invalidation concerns it.
  }

  func switchSession(to session: Session) {
    entries.withLock { $0.removeAll() }
    superseded.fire()
  }
}
