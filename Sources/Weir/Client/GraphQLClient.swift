public import Foundation

/// Executes operations through a chain of exchanges.
///
/// ```swift
/// let client = GraphQLClient(url: url)                         // dedup → document cache → fetch
/// let client = GraphQLClient([.dedup, .documentCache, Stopwatch(), .fetch(url)])
/// ```
///
/// It holds nothing but the chain and the number of the session, so it may be shared by all of an
/// app, and made as often as one likes. All methods may be called from everywhere, and those that
/// are asynchronous keep the caller's isolation.
public final class GraphQLClient: Sendable {
  private let exchanges: [any Exchange]
  private let chain: Forward
  let sessions = SessionKeeper()

  /// A client with a chain of your own; the first exchange is the nearest to the caller.
  public init(_ exchanges: [any Exchange]) {
    self.exchanges = exchanges
    chain = Forward(exchanges)
  }

  /// A client with dedup, a document cache, and HTTP by `URLSession`.
  public convenience init(url: URL) {
    self.init([.dedup, .documentCache, .fetch(url)])
  }

  /// The chain, for what executes an operation as it is. Operations that cannot be executed are
  /// answered here.
  @inline(__always)
  func forward(_ operation: GraphQLOperation) -> ResultStream {
    if let defect = operation.defect { return .just(OperationResult(error: defect)) }
    return chain(operation)
  }
}

// MARK: - Queries

extension GraphQLClient {
  /// The result of a query: the first that is neither stale nor incomplete; the last one, if there
  /// is none such.
  ///
  /// A result that is cached is returned without suspension. The call always returns: with an error
  /// if the chain brings nothing, with ``OperationError/cancelled`` if the task is cancelled.
  ///
  /// A mutation is run as by ``mutate(_:)-(GraphQLOperation)``. Of a subscription it is the first
  /// event, after which it is unsubscribed; for the others see ``subscribe(_:)-(GraphQLOperation)``.
  public func query(_ operation: consuming GraphQLOperation) async -> OperationResult {
    guard operation.kind == .query else { return await execute(operation) }
    operation.context.session = sessions.current
    let stream = forward(operation)
    if case .just(let result) = stream.content, !result.isStale, !result.hasNext {
      operation.context.finishUploadProgress()
      return sessions.isCurrent(operation) ? result.withoutSignal() : .cancelled
    }
    defer { operation.context.finishUploadProgress() }
    return await settled(stream, of: operation)
  }

  /// The results of one execution of a query as they come, stale and incomplete ones included.
  ///
  /// Each iteration executes anew. It ends by itself; for a query that stays live see
  /// ``watch(_:)-(GraphQLOperation)``.
  public func results(of operation: GraphQLOperation) -> ResultStream {
    switch operation.kind {
    case .query: break
    case .mutation: return .just(OperationResult(error: .mutationStream))
    case .subscription: return subscribe(operation)
    }
    return .deferred { [self] in
      let stamped = operation.stamped(sessions.current)
      return forward(stamped).map { [sessions] result in
        sessions.isCurrent(stamped) ? result.withoutSignal() : .cancelled
      }
    }
  }

  /// The cached result of a query, or nil. Synchronous, and never sends a request: for the first
  /// frame of a view.
  ///
  /// The exchanges above the cache must not suspend, or there is nothing that is there already.
  public func peek(_ operation: GraphQLOperation) -> OperationResult? {
    var stamped = operation.stamped(sessions.current)
    stamped.context.requestPolicy = .cacheOnly
    guard let result = forward(stamped).immediate, result.data != nil,
      sessions.isCurrent(stamped)
    else { return nil }
    return result.withoutSignal()
  }

  private func settled(
    _ stream: ResultStream, of operation: GraphQLOperation
  ) async -> OperationResult {
    var last: OperationResult?
    for await result in stream {
      guard sessions.isCurrent(operation) else { return .cancelled }
      last = result
      // Each event is whole, and there may be no last one to wait for.
      if operation.kind == .subscription {
        last?.hasNext = false
        break
      }
      if !result.isStale, !result.hasNext { break }
    }
    if Task.isCancelled, last.map({ $0.isStale || $0.hasNext }) ?? true { return .cancelled }
    return last?.withoutSignal() ?? OperationResult(error: .noResult)
  }

  /// A mutation, or the first result of a subscription, that came to `query`.
  private func execute(_ operation: GraphQLOperation) async -> OperationResult {
    operation.kind == .mutation
      ? await mutate(operation)
      : await settled(subscribe(operation), of: operation.stamped(sessions.current))
  }
}

// MARK: - Mutations

extension GraphQLClient {
  /// Runs a mutation, once.
  ///
  /// Cancelling the caller returns at once with ``OperationError/cancelled``. The request goes on by
  /// default, and its result still reaches the caches: the server has done its work, and a cache
  /// that never hears of it would serve what is no longer true.
  /// ``OperationContext/abortsWhenCancelled`` gives the request up instead. Of a caller that was
  /// cancelled before, nothing is sent.
  public func mutate(_ operation: GraphQLOperation) async -> OperationResult {
    guard !Task.isCancelled else {
      operation.context.finishUploadProgress()
      return .cancelled
    }
    let stamped = operation.stamped(sessions.current)
    let answer = ResultBuffer()
    let task = Task.startingHere { [self] in
      answer.append(await settled(forward(stamped), of: stamped))
      answer.finish()
    }
    let ending = sessions.onEnd(of: stamped.context.session) { answer.finish() }
    defer {
      ending.forget()
      operation.context.finishUploadProgress()
    }
    let result = await answer.next(isolation: #isolation)
    if result == nil, operation.context.abortsWhenCancelled { task.cancel() }
    // It may have waited for its reader.
    guard let result, sessions.isCurrent(stamped) else { return .cancelled }
    return result
  }
}

// MARK: - Subscriptions

extension GraphQLClient {
  /// The events of a subscription.
  ///
  /// Each iteration subscribes anew; leaving the loop unsubscribes. It ends when the server
  /// completes it, and with ``OperationError/cancelled`` when the session ends.
  ///
  /// No event is lost on a consumer that is slow. At most 16 events wait for it here, then the
  /// transport reads no further, and the server is held back by the connection itself, if the
  /// transport can do that: see ``URLSessionTransport``.
  public func subscribe(_ operation: GraphQLOperation) -> ResultStream {
    .deferred { [self] in
      let stamped = operation.stamped(sessions.current)
      // Looked at once more when it is read: it may have waited for its reader.
      return events(of: stamped).map { [sessions] event in
        sessions.isCurrent(stamped) ? event : .cancelled
      }
    }
  }

  private func events(of stamped: GraphQLOperation) -> ResultStream {
    ResultStream { [self] yield in
      let events = Task { [self] in
        for await result in forward(stamped) {
          guard sessions.isCurrent(stamped), !Task.isCancelled else { return }
          await yield.inTurn(result.withoutSignal())
        }
      }
      let ending = sessions.onEnd(of: stamped.context.session) { events.cancel() }
      defer { ending.forget() }
      await withTaskCancellationHandler {
        await events.value
      } onCancel: {
        events.cancel()
      }
      if !sessions.isCurrent(stamped) { yield(.cancelled) }
    }
  }
}

// MARK: - Caches and sessions

extension GraphQLClient {
  /// Drops all cached results with these types or tags; what is watched of them is fetched again.
  public func invalidate(types: String...) {
    invalidate(.types(Set(types)))
  }

  /// Drops the cached result of one operation; if it is watched, it is fetched again.
  ///
  /// The operation is not sent through the chain: what an exchange above the cache adds to its key, an
  /// endpoint or ``OperationContext/headersInKey``, has to be in its context.
  public func invalidate(_ operation: GraphQLOperation) {
    invalidate(.operation(operation.stamped(sessions.current)))
  }

  /// Drops every cached result; what is watched is fetched again.
  public func clear() {
    invalidate(.all)
  }

  /// Tells every exchange that keeps something what to forget.
  public func invalidate(_ invalidation: Invalidation) {
    // From below: dedup must not let anybody join what found the old data in a cache.
    for case let exchange as any StatefulExchange in exchanges.reversed() {
      exchange.invalidate(invalidation)
    }
  }

  /// Another user is at work from now on.
  ///
  /// Caches are emptied. Whoever waits for a result gets ``OperationError/cancelled``; responses
  /// that still come write nothing, and mutations that still come invalidate nothing. Watches
  /// forget what they showed and begin anew.
  ///
  /// Clients that share an exchange, such as a cache, have to be of one session: let the others
  /// follow by ``switchSession(to:)``. Cookies belong to the transport, and stay: see
  /// ``URLSessionTransport``.
  public func switchSession() {
    // Unique in the process, so that clients that share an exchange cannot mistake each other's.
    switchSession(to: Session(number: LogicalInstant.next().ticks))
  }

  /// Whose data it works with.
  public var session: Session { sessions.current }

  /// Joins the session of another client; does nothing if it is older than this client's own.
  ///
  /// ```swift
  /// let cache = DocumentCacheExchange()
  /// let client = GraphQLClient([.dedup, cache, .fetch(url)])
  /// let background = GraphQLClient([cache, .retry, .fetch(url)])
  /// client.switchSession()
  /// background.switchSession(to: client.session)
  /// ```
  ///
  /// A shared cache belongs to the latest session that it has heard of. A client of an older one
  /// still works, but finds and keeps nothing there, and its watches end with their first result.
  public func switchSession(to session: Session) {
    // First of all, so that a watch which an exchange wakes finds the new session.
    guard sessions.begin(session) else { return }
    for case let exchange as any StatefulExchange in exchanges {
      exchange.switchSession(to: session)
    }
    sessions.endSessions(before: session)
  }
}

extension GraphQLOperation {
  @inline(__always)
  func stamped(_ session: Session) -> GraphQLOperation {
    var copy = self
    copy.context.session = session
    return copy
  }
}

extension OperationError {
  /// A stream is executed anew by each iteration, and a mutation must be sent once.
  fileprivate static let mutationStream = OperationError(
    code: .unhandled, message: "A mutation has no stream of results; run it by mutate.")
}

extension OperationResult {
  static let cancelled = OperationResult(error: .cancelled)
}
