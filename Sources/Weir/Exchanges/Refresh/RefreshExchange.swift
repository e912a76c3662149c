/// Lets everything that is watched refresh when something happens: the app comes to the foreground,
/// the network is back, some time has passed.
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
/// It stands above dedup and the cache, so that cached results carry its signal, too. It attaches a
/// ``RefreshSignal`` to each query result, and that is all: watches await it; executions that nobody
/// watches are not refreshed. Queries that ask for `cacheOnly` are left alone.
///
/// One task listens, however many watches there are. It starts with the first query and ends with
/// the exchange, or when the sequence ends.
public final class RefreshExchange: Exchange {
  private let source = RefreshSource()
  private let includes: @Sendable (GraphQLOperation) -> Bool
  private let listen: @Sendable (RefreshSource) async -> Void
  private let listener = Locked<Task<Void, Never>?>(nil)

  /// An exchange that refreshes at each element of a sequence.
  ///
  /// - Parameters:
  ///   - events: what to refresh on; only that an element comes counts. It is iterated once, until
  ///     it ends or throws.
  ///   - interval: events that come sooner than this after the last one are passed over.
  ///   - clock: what the interval is measured with.
  ///   - includes: which queries are refreshed; all by default.
  public init<Events: AsyncSequence & Sendable>(
    on events: Events, atMostEvery interval: Duration = .zero,
    clock: some Clock<Duration> = ContinuousClock(),
    where includes: @escaping @Sendable (GraphQLOperation) -> Bool = { _ in true }
  ) {
    self.includes = includes
    let now = clock.elapsed()
    listen = { source in
      var lastFired: Duration?
      do {
        for try await _ in events {
          let time = now()
          if let lastFired, time - lastFired < interval { continue }
          lastFired = time
          source.fire()
        }
      } catch {
        // A sequence that fails tells nothing more, as one that ends.
      }
    }
  }

  /// An exchange that refreshes again and again (polling).
  ///
  /// - Parameters:
  ///   - interval: how long to wait between two refreshes; at least a millisecond.
  ///   - clock: what to wait by.
  ///   - includes: which queries are refreshed; all by default.
  public init(
    every interval: Duration, clock: some Clock<Duration> = ContinuousClock(),
    where includes: @escaping @Sendable (GraphQLOperation) -> Bool = { _ in true }
  ) {
    self.includes = includes
    let interval = max(interval, .milliseconds(1))
    listen = { source in
      do {
        while true {
          try await clock.wait(for: interval)
          source.fire()
        }
      } catch {
        // Cancelled: the exchange is gone.
      }
    }
  }

  deinit {
    listener.withLock { $0 }?.cancel()
  }

  /// Refreshes what is watched, now.
  public func refresh() {
    source.fire()
  }

  /// Attaches the signal to a query's results.
  public func execute(_ operation: GraphQLOperation, forward: Forward) -> ResultStream {
    guard operation.kind == .query, operation.context.requestPolicy != .cacheOnly,
      includes(operation)
    else { return forward(operation) }
    startListening()
    // Taken before the request leaves, so that what happens meanwhile is not missed.
    let signal = source.signal
    return forward(operation).map { $0.refreshed(by: signal) }
  }

  /// No caller sees an effect of this, so it may happen before the stream is iterated.
  private func startListening() {
    listener.withLock { [listen, source] listener in
      guard listener == nil else { return }
      listener = Task { await listen(source) }
    }
  }
}

extension Exchange where Self == RefreshExchange {
  /// Refreshes what is watched at each element of a sequence; see ``RefreshExchange``. Place it
  /// first.
  public static func refresh<Events: AsyncSequence & Sendable>(
    on events: Events, atMostEvery interval: Duration = .zero,
    where includes: @escaping @Sendable (GraphQLOperation) -> Bool = { _ in true }
  ) -> RefreshExchange {
    RefreshExchange(on: events, atMostEvery: interval, where: includes)
  }

  /// Refreshes what is watched again and again; see ``RefreshExchange``. Place it first.
  public static func refresh(
    every interval: Duration,
    where includes: @escaping @Sendable (GraphQLOperation) -> Bool = { _ in true }
  ) -> RefreshExchange {
    RefreshExchange(every: interval, where: includes)
  }
}
