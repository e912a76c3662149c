/// Refetches watched queries when an event happens: the app enters the foreground, the network is
/// available again, or some time has passed.
///
/// ```swift
/// let foreground = NotificationCenter.default
///   .notifications(named: UIApplication.willEnterForegroundNotification)
/// let client = GraphQLClient([
///   .refresh(on: foreground, atMostEvery: .seconds(10)),
///   .refresh(every: .seconds(60)) { $0.name == "Scoreboard" },
///   .dedup, .documentCache, .fetch(url),
/// ])
/// ```
///
/// Place it above dedup and the cache, so that cached results carry its signal, too. It attaches a
/// ``RefreshSignal`` to each query result; watches await the signal and refetch. Queries that are
/// not watched, and those with the policy `cacheOnly`, are not refetched.
///
/// One task listens for events, whatever the number of watches. It starts with the first query, and
/// ends with the exchange or with the sequence.
public final class RefreshExchange: Exchange {
  private let source = RefreshSource()
  private let includes: @Sendable (GraphQLOperation) -> Bool
  private let listen: @Sendable (RefreshSource) async -> Void
  /// Whether it polls at an interval that is not positive, which means never.
  let hasNoInterval: Bool
  private let listener = Locked<Task<Void, Never>?>(nil)

  /// Makes an exchange that refetches at each element of a sequence.
  ///
  /// - Parameters:
  ///   - events: A sequence whose elements trigger a refetch. It is iterated once, until it ends or
  ///     throws.
  ///   - interval: The minimum time between two refetches; earlier events are ignored. Default zero:
  ///     every event counts.
  ///   - clock: The clock that measures the interval.
  ///   - includes: Returns whether a query is refetched; all by default.
  public init<Events: AsyncSequence & Sendable>(
    on events: Events, atMostEvery interval: Duration = .zero,
    clock: some Clock<Duration> = ContinuousClock(),
    where includes: @escaping @Sendable (GraphQLOperation) -> Bool = { _ in true }
  ) {
    self.includes = includes
    hasNoInterval = false
    let now = clock.elapsed()
    listen = { source in
      var lastFired: Duration?
      do {
        for try await _ in events {
          // The sequence may ignore cancellation.
          if Task.isCancelled { return }
          let time = now()
          if let lastFired, time - lastFired < interval { continue }
          lastFired = time
          source.fire()
        }
      } catch {
        // A sequence that throws has ended.
      }
    }
  }

  /// Makes an exchange that refetches at regular intervals (polling).
  ///
  /// - Parameters:
  ///   - interval: The time between two refetches, at least one millisecond. If it is not positive,
  ///     nothing is refetched, and the client reports it: see ``ClientConfiguration/onDiagnostic``.
  ///   - clock: The clock that measures the interval.
  ///   - includes: Returns whether a query is refetched; all by default.
  public init(
    every interval: Duration, clock: some Clock<Duration> = ContinuousClock(),
    where includes: @escaping @Sendable (GraphQLOperation) -> Bool = { _ in true }
  ) {
    self.includes = includes
    hasNoInterval = interval <= .zero
    let interval = max(interval, .milliseconds(1))
    listen = { [hasNoInterval] source in
      if hasNoInterval { return }
      do {
        while true {
          try await clock.wait(for: interval)
          source.fire()
        }
      } catch {
        // Cancelled, because the exchange was released.
      }
    }
  }

  deinit {
    listener.withLock { $0 }?.cancel()
  }

  /// Refetches the watched queries now.
  public func refresh() {
    source.fire()
  }

  /// Forwards the operation, and attaches the signal to a query's results.
  public func execute(_ operation: GraphQLOperation, forward: Forward) -> ResultStream {
    guard operation.kind == .query, operation.context.policyOnFailure != .cacheOnly,
      includes(operation)
    else { return forward(operation) }
    startListening()
    // Taken before the request is sent, so that no event is missed meanwhile.
    let signal = source.signal
    let stream = forward(operation)
    if operation.context.lookPolicy != nil, stream.immediate == nil {
      // A look must not wait.
      return .just(OperationResult().refreshed(by: signal))
    }
    return stream.map { $0.refreshed(by: signal) }
  }

  /// Begins to iterate the app's sequence. That changes no result, so it may precede the iteration of the
  /// stream, also by `peek`.
  private func startListening() {
    listener.withLock { [listen, source] listener in
      guard listener == nil else { return }
      // Not with the task-local values of the operation that happens to be the first.
      listener = Task.detached { await listen(source) }
    }
  }
}

extension Exchange where Self == RefreshExchange {
  /// Refetches watched queries at each element of a sequence; see ``RefreshExchange``. Place it
  /// above dedup and the cache.
  ///
  /// - Parameters:
  ///   - events: A sequence whose elements trigger a refetch.
  ///   - interval: The minimum time between two refetches; earlier events are ignored. Default zero:
  ///     every event counts.
  ///   - includes: Returns whether a query is refetched; all by default.
  /// - Returns: the exchange.
  public static func refresh<Events: AsyncSequence & Sendable>(
    on events: Events, atMostEvery interval: Duration = .zero,
    where includes: @escaping @Sendable (GraphQLOperation) -> Bool = { _ in true }
  ) -> RefreshExchange {
    RefreshExchange(on: events, atMostEvery: interval, where: includes)
  }

  /// Refetches watched queries at regular intervals; see ``RefreshExchange``. Place it above dedup
  /// and the cache.
  public static func refresh(
    every interval: Duration,
    where includes: @escaping @Sendable (GraphQLOperation) -> Bool = { _ in true }
  ) -> RefreshExchange {
    RefreshExchange(every: interval, where: includes)
  }
}
