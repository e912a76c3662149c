/// Shares one request between equal queries that run at the same time.
///
/// ```swift
/// let client = GraphQLClient([.dedup, .documentCache, .fetch(url)])
/// async let header = client.query(user)
/// async let sidebar = client.query(user)   // one request
/// ```
///
/// Place it first. It asks the chain below before it shares anything, so a cache hit passes at the
/// price of two calls; only what has to wait for the network becomes a *flight* that equal
/// executions join. (Were it below the cache, every joiner would store the response once more.)
///
/// A flight is only shared by who may share it: it was sent no earlier than the execution needs,
/// no mutation has completed since nor an event come of a subscription with tags, and endpoint,
/// headers, session and whether credentials are needed are the same. Who needs newer data than a
/// flight will bring waits for it and shares one follow-up with all others who do.
/// Mutations and subscriptions are never shared.
///
/// A flight costs one task, however many share it. When the last of them leaves, it is cancelled.
public final class DedupExchange: StatefulExchange {
  let flights = Locked(FlightTable())

  /// A table without flights.
  public init() {}

  /// Answers from below if that needs no waiting, else joins or starts a flight.
  public func execute(_ operation: GraphQLOperation, forward: Forward) -> ResultStream {
    switch operation.kind {
    case .query:
      break
    case .mutation:
      return fencing(forward(operation))
    case .subscription:
      // Tags say that its events overtake what others ask for.
      let overtakes = !operation.context.additionalTypenames.isEmpty
      return overtakes ? fencing(forward(operation)) : forward(operation)
    }
    let stream = forward(operation)
    guard operation.context.requestPolicy != .cacheOnly else { return stream }
    switch stream.content {
    case .just, .results:
      return stream
    case .starting(let results, _):
      return .starting(with: results) { [self] in joined(operation, forward) }
    case .deferred, .source:
      return joined(operation, forward)
    }
  }

  /// Each result with data overtakes the flights that have left before it.
  private func fencing(_ results: ResultStream) -> ResultStream {
    results.map { [self] result in
      if result.data != nil { flights.withLock { $0.lastFence = .next() } }
      return result
    }
  }

  private func joined(_ operation: GraphQLOperation, _ forward: Forward) -> ResultStream {
    ResultStream(source: { [self] in
      FlightSource(operation: operation, forward: forward, dedup: self)
    })
  }

  /// No flight that has left already is joined any more.
  public func invalidate(_ invalidation: Invalidation) {
    flights.withLock { $0.lastFence = .next() }
  }

  /// Ends every flight: who waits for one gets ``OperationError/cancelled``.
  public func switchSession(to session: Session) {
    perform(flights.withLock { $0.switched(to: session) }, forward: nil)
  }
}

// MARK: - What a flight's passengers and its task call

extension DedupExchange {
  func join(
    _ operation: GraphQLOperation, forward: Forward
  ) -> (seat: Flight.Seat, isPilot: Bool)? {
    let joined = flights.withLock { $0.join(operation) }
    perform(joined.actions, forward: forward)
    return joined.seat.map { ($0, joined.isPilot) }
  }

  func leave(_ seat: Flight.Seat, forward: Forward) {
    perform(flights.withLock { $0.leave(seat) }, forward: forward)
  }

  private func deliver(_ result: OperationResult, to id: Flight.ID) {
    perform(flights.withLock { $0.deliver(result, to: id) }, forward: nil)
  }

  private func end(_ id: Flight.ID, forward: Forward) {
    perform(flights.withLock { $0.end(id) }, forward: forward)
  }

  /// Carries out, without the lock, what the table decided under it.
  private func perform(_ actions: [FlightTable.Action], forward: Forward?) {
    for action in actions {
      switch action {
      case .launch(let id, let operation):
        if let forward { launch(id, operation, forward) }
      case .deliver(let result, let buffers, _):
        for buffer in buffers { buffer.appendOrReplace(result) }
      case .finish(let flight):
        for buffer in flight.buffers.values { buffer.finish() }
      case .cancel(let flight):
        flight.task?.cancel()
      }
    }
  }

  private func launch(_ id: Flight.ID, _ operation: GraphQLOperation, _ forward: Forward) {
    // Immediate: the request leaves in the passenger's own step, without a hop.
    let task = Task.startingHere { [self] in
      for await result in forward(operation).afterImmediateStale {
        deliver(result, to: id)
      }
      end(id, forward: forward)
    }
    let isStillThere = flights.withLock { $0.setTask(task, of: id) }
    if !isStillThere { task.cancel() }
  }
}

extension ResultStream {
  /// What the passengers of a flight wait for: they have seen the stale hit before it already.
  fileprivate var afterImmediateStale: ResultStream {
    if case .starting(_, let more) = content { more() } else { self }
  }
}

extension Exchange where Self == DedupExchange {
  /// Shares one request between equal queries; see ``DedupExchange``. Place it first.
  public static var dedup: DedupExchange { DedupExchange() }
}
