/// An exchange that shares one request between equal queries that run at the same time.
///
/// ```swift
/// let client = GraphQLClient([.dedup, .documentCache, .fetch(url)])
/// async let header = client.query(user)
/// async let sidebar = client.query(user)   // one request
/// ```
///
/// Place it directly above the cache; <doc:Chains> has the order of all exchanges. It executes the
/// chain below before it shares anything, so a cache hit passes at the cost of two calls. Only a query
/// that has to wait becomes a *flight*: a request in flight that equal executions join. (Below the
/// cache, each of them would store the response again.)
///
/// An execution joins a flight only if the flight was sent no earlier than the execution needs, if
/// since then no mutation has completed and no event of a subscription with tags has arrived, and
/// if endpoint, headers (except neutral ones), session, ``OperationContext/storesResult`` and the need
/// for credentials are the same. An execution with the policy ``RequestPolicy/networkFirst`` shares a
/// flight only with other `networkFirst` executions. Executions that need newer data than the flight
/// brings wait for it, then share one further request. Mutations are never shared, and subscriptions only by
/// a ``SharedSubscriptionsExchange``.
///
/// The exchanges below see the context of the execution that has started the flight. They do not see the
/// other settings of an execution that joins, such as ``OperationContext/prefersGET``,
/// ``OperationContext/requestTimeout`` or a value of your own; only its
/// ``OperationContext/additionalTypenames`` are added. To keep results apart, use a header or
/// ``OperationContext/endpoint``, which are part of the key.
///
/// A flight that has to wait costs one task, however many executions share it, and one more if it follows
/// another flight. It is cancelled when the last of them leaves. An execution that first looks into a
/// cache's storage costs a task for that; these looks are not shared.
public final class DedupExchange: StatefulExchange, SessionHolder {
  let flights = Locked(FlightTable())

  /// Creates an exchange without flights.
  public init() {}

  /// Answers a query from below if that needs no waiting; otherwise joins or starts a flight.
  public func execute(_ operation: GraphQLOperation, forward: Forward) -> ResultStream {
    let stream = forward(operation)
    switch operation.kind {
    case .query:
      if case .just = stream.content { return stream }
      return operation.isCacheOnly
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
      .starting(with: results) { [self, shown = results.last?.payload] in
        joined(operation, forward: forward, look: nil, shown: shown)
      }
    case .awaiting(let make):
      // Not a part of the flight, which another execution may have begun without a look there. In a task,
      // so that an execution that is cancelled does not wait for it.
      ResultStream { [self] yield in
        await yield.all(shared(await make(), of: operation, forward: forward))
      }
    case .shareable:
      joined(operation, forward: forward, look: stream)
    case .deferred, .source:
      // Made for this operation, without the tags of the others that share the flight.
      joined(operation, forward: forward, look: nil)
    }
  }

  /// The part of a query that the chain below cannot answer at once, without a look there.
  func source(of operation: GraphQLOperation, forward: Forward) -> ResultSource {
    FlightParticipant(operation: operation, forward: forward, dedup: self, look: nil)
  }

  private func joined(
    _ operation: GraphQLOperation, forward: Forward, look: ResultStream?,
    shown: ResultPayload? = nil
  ) -> ResultStream {
    ResultStream(source: { [self] in
      FlightParticipant(
        operation: operation, forward: forward, dedup: self, look: look, shown: shown)
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

  package var session: Session { flights.withLock(\.session) }

  /// Ends every flight: the executions that wait for one receive ``OperationError/cancelled``.
  public func switchSession(to session: Session) {
    perform(flights.withLock { $0.switched(to: session) })
  }
}

extension Exchange where Self == DedupExchange {
  /// Shares one request between equal queries; see ``DedupExchange``. Place it directly above the
  /// cache.
  public static var dedup: DedupExchange { DedupExchange() }
}
