/// An exchange that shares one request between equal queries that run at the same time.
///
/// ```swift
/// let client = GraphQLClient([.dedup, .documentCache, .fetch(url)])
/// async let header = client.query(user)
/// async let sidebar = client.query(user)   // one request
/// ```
///
/// Place it first. It executes the chain below before it shares anything, so a cache hit passes at
/// the cost of two calls. Only a query that has to wait becomes a *flight*: a request in flight
/// that equal executions join. (Below the cache, each of them would store the response again.)
///
/// An execution joins a flight only if the flight was sent no earlier than the execution needs, if
/// since then no mutation has completed and no event of a subscription with tags has arrived, and
/// if endpoint, headers (except neutral ones), session, and the need for credentials are the same.
/// Executions that need newer data than the flight brings wait for it, then share one further
/// request. Mutations and subscriptions are never shared.
///
/// A flight that has to wait costs one task, however many executions share it. It is cancelled when
/// the last of them leaves.
public final class DedupExchange: StatefulExchange {
  /// Makes the stream with which the chain below has answered a first look.
  typealias Look = @Sendable (FlightTags?) -> ResultStream

  let flights = Locked(FlightTable())

  /// Creates an exchange without flights.
  public init() {}

  /// Answers a query from below if that needs no waiting; otherwise joins or starts a flight.
  public func execute(_ operation: GraphQLOperation, forward: Forward) -> ResultStream {
    if operation.context.hasMissed { return joined(operation, forward: forward, look: nil) }
    let stream = forward(operation)
    switch operation.kind {
    case .query:
      if case .just = stream.content { return stream }
      return operation.context.requestPolicy == .cacheOnly
        ? stream : shared(stream, of: operation, forward: forward)
    case .mutation:
      return fencing(stream)
    case .subscription:
      // With tags, its events invalidate results of queries.
      return operation.context.additionalTypenames.isEmpty ? stream : fencing(stream)
    }
  }

  private func shared(
    _ stream: ResultStream, of operation: GraphQLOperation, forward: Forward
  ) -> ResultStream {
    switch stream.content {
    case .just, .results:
      stream
    case .starting(let results, _):
      .starting(with: results) { [self] in
        joined(operation, forward: forward, look: nil)
      }
    case .deferred(let look):
      joined(operation, forward: forward, look: look)
    case .source:
      joined(operation, forward: forward, look: nil)
    }
  }

  private func joined(
    _ operation: GraphQLOperation, forward: Forward, look: Look?
  ) -> ResultStream {
    ResultStream(source: { [self] in
      SharedExecution(operation: operation, forward: forward, dedup: self, look: look)
    })
  }

  /// Each result with data supersedes the flights that were sent before it.
  private func fencing(_ results: ResultStream) -> ResultStream {
    results.map { [self] result in
      if result.data != nil { flights.withLock { $0.lastFence = .next() } }
      return result
    }
  }

  /// No execution joins a flight that was sent before this call.
  public func invalidate(_ invalidation: Invalidation) {
    flights.withLock { $0.lastFence = .next() }
  }

  /// Ends every flight: the executions that wait for one receive ``OperationError/cancelled``.
  public func switchSession(to session: Session) {
    perform(flights.withLock { $0.switched(to: session) })
  }
}

// MARK: - Flights

extension DedupExchange {
  /// How an execution takes part in a flight.
  enum Part {
    /// The flight was carried out on the calling thread, with this result.
    case result(OperationResult)
    case share(Flight.Share)
  }

  /// Gives an execution a part in a flight; returns nil if its session has ended.
  ///
  /// A flight that is launched now uses `look`; a flight that is launched later, or without one,
  /// executes the chain again.
  func join(_ operation: GraphQLOperation, forward: Forward, look: Look?) -> Part? {
    var (share, actions) = flights.withLock { $0.join(operation, asPilot: true) }
    let flight = actions.launched.take()
    perform(actions)
    if let share { return .share(share) }
    return flight.map { pilot($0, stream(of: $0, forward, look).makeAsyncIterator(), forward) }
  }

  func leave(_ share: Flight.Share, forward: Forward) {
    perform(flights.withLock { $0.leave(share) }, forward: forward)
  }

  /// Performs, without the lock, what the table has decided under it.
  private func perform(_ actions: FlightTable.Actions, forward: Forward? = nil) {
    for end in actions.cancelled {
      for buffer in end.buffers.values { buffer.append(.cancelled) }
      finish(end)
    }
    if let end = actions.ended { finish(end) }
    if let flight = actions.launched, let forward {
      carryOut(flight, stream(of: flight, forward, nil).makeAsyncIterator(), forward)
    }
  }

  private func finish(_ end: FlightTable.End) {
    for buffer in end.buffers.values { buffer.finish() }
    end.task?.cancel()
  }

  private func stream(of flight: Flight, _ forward: Forward, _ look: Look?) -> ResultStream {
    look?(flight.tags) ?? forward(flight.operation).afterImmediateResults
  }

  // MARK: Carrying out

  /// Carries out a flight as far as that needs no waiting. If it has a single result by then, that
  /// has cost neither a task nor a buffer.
  private func pilot(
    _ flight: Flight, _ iterator: consuming ResultStream.Iterator, _ forward: Forward
  ) -> Part {
    var results: [OperationResult] = []
    if case .done(let result?) = iterator.step() {
      let second = iterator.step()
      if case .done(nil) = second {
        let (delivery, actions) = flights.withLock {
          ($0.deliver(result, to: flight), $0.end(flight))
        }
        for buffer in delivery.buffers.values { buffer.append(result) }
        perform(actions, forward: forward)
        // If the flight was over already, its session was.
        return .result(actions.ended == nil ? .cancelled : result)
      }
      results = [result]
      if case .done(let result?) = second { results.append(result) }
    }
    let share = flights.withLock { $0.embark(on: flight) }
    for result in results { deliver(result, to: flight) }
    carryOut(flight, iterator, forward)
    return share.map(Part.share) ?? .result(.cancelled)
  }

  /// Carries out a flight. What has to wait does so in a task.
  private func carryOut(
    _ flight: Flight, _ iterator: consuming ResultStream.Iterator, _ forward: Forward
  ) {
    while case .done(let result) = iterator.step() {
      guard let result else {
        return perform(flights.withLock { $0.end(flight) }, forward: forward)
      }
      deliver(result, to: flight)
    }
    let rest = Rest(iterator)
    // The task starts on the calling thread, so the request is sent without a hop.
    let task = Task.startingHere { [self] in
      while let result = await rest.iterator.next(isolation: nil) { deliver(result, to: flight) }
      perform(flights.withLock { $0.end(flight) }, forward: forward)
    }
    let isStillThere = flights.withLock { $0.setTask(task, of: flight) }
    if !isStillThere { task.cancel() }
  }

  private func deliver(_ result: OperationResult, to flight: Flight) {
    let buffers = flights.withLock { $0.deliver(result, to: flight) }.buffers
    for buffer in buffers.values { buffer.appendOrReplace(result) }
  }
}

/// The rest of a flight's results, which a task takes over from the thread that launched it.
///
/// Proof: only the task uses the iterator after `init`.
private final class Rest: @unchecked Sendable {
  var iterator: ResultStream.Iterator

  init(_ iterator: ResultStream.Iterator) {
    self.iterator = iterator
  }
}

extension ResultStream {
  /// The results that a flight's executions wait for: each has delivered the immediate ones
  /// already.
  fileprivate var afterImmediateResults: ResultStream {
    if case .starting(_, let more) = content { more() } else { self }
  }
}

extension Exchange where Self == DedupExchange {
  /// Shares one request between equal queries; see ``DedupExchange``. Place it first.
  public static var dedup: DedupExchange { DedupExchange() }
}
