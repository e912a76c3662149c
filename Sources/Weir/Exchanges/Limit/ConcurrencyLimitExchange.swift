/// Limits how many operations run at once. The others wait, ordered by their
/// ``OperationContext/priority``, then by arrival.
///
/// ```swift
/// let client = GraphQLClient([
///   .dedup, .documentCache, .retry, .concurrencyLimit(6), .fetch(url),
/// ])
/// // An operation that a user waits for is sent before one that prefetches.
/// let page = await client.query(nextPage.with { $0.priority = .low })
/// ```
///
/// Place it just above fetch: below the cache, because hits need no slot, and below retry, so that
/// an operation that waits for its next attempt does not occupy one. An operation occupies its slot
/// until its last result, or until its consumer leaves. Subscriptions need no slot, and
/// neither do queries with the policy ``RequestPolicy/cacheOnly``, which are not sent. An operation that
/// joins a queued request (``DedupExchange``) inherits its priority.
///
/// With a limit of one and `kinds: [.mutation]`, mutations are sent one after the other, in the order in
/// which they were started. Place such an exchange above retry, so that the next mutation waits for all
/// attempts of the one before, and below auth, where a mutation that renews the credentials does not wait
/// for the one that needs them. Mutations that a former session has started are sent to the end, and those
/// of the next session wait for them.
///
/// It runs in the consumer's task. Under a constant load of urgent operations, less urgent ones
/// wait indefinitely.
public final class ConcurrencyLimitExchange: Exchange {
  fileprivate typealias Waiter = OneShot<Void>

  private let kinds: Set<GraphQLOperation.Kind>
  private let queue: Locked<SlotQueue<Waiter>>

  /// Makes an exchange with a number of slots.
  ///
  /// - Parameters:
  ///   - limit: The number of slots, at least one.
  ///   - kinds: The kinds of operations that need a slot; others are forwarded. Subscriptions never need
  ///     one, even if they are among the kinds.
  public init(_ limit: Int, kinds: Set<GraphQLOperation.Kind> = [.query, .mutation]) {
    self.kinds = kinds
    queue = Locked(SlotQueue(limit: max(limit, 1)))
  }

  /// Forwards an operation when there is a slot for it.
  public func execute(_ operation: GraphQLOperation, forward: Forward) -> ResultStream {
    guard kinds.contains(operation.kind), operation.kind != .subscription, !operation.isCacheOnly
    else { return forward(operation) }
    return ResultStream(source: { [self] in SlotSource(self, operation, forward) })
  }

  /// Whether queries wait for a slot.
  var suspends: Bool { kinds.contains(.query) }

  /// The number of operations that wait for a slot, for tests.
  var waitingCount: Int { queue.withLock { $0.waitingCount } }

  /// Enters an operation.
  ///
  /// - Returns: nil if the operation may run at once; otherwise the signal to wait for.
  fileprivate func enter(_ priority: OperationPriority) -> Waiter? {
    queue.withLock { queue in
      if queue.enter() { return nil }
      let waiter = Waiter()
      queue.wait(waiter, priority: priority)
      return waiter
    }
  }

  fileprivate func leave() {
    while let next = queue.withLock({ $0.leave() }) {
      if next.deliver(()) { return }
    }
  }

  fileprivate func remove(_ waiter: Waiter) {
    queue.withLock { $0.remove(waiter) }
  }
}

extension Exchange where Self == ConcurrencyLimitExchange {
  /// Limits how many operations run at once; see ``ConcurrencyLimitExchange``. Place it above
  /// fetch.
  public static func concurrencyLimit(
    _ limit: Int, kinds: Set<GraphQLOperation.Kind> = [.query, .mutation]
  ) -> ConcurrencyLimitExchange {
    ConcurrencyLimitExchange(limit, kinds: kinds)
  }
}

/// The priority of an operation among those that wait for the same resource.
public struct OperationPriority: RawRepresentable, Hashable, Comparable, Sendable {
  /// The number; a greater number is more urgent.
  public var rawValue: Int

  /// Makes a priority between or beyond the named ones.
  public init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// For operations that prefetch: -10
  public static let low = OperationPriority(rawValue: -10)
  /// The default: 0
  public static let normal = OperationPriority(rawValue: 0)
  /// For operations that a user waits for: 10
  public static let high = OperationPriority(rawValue: 10)

  /// Orders priorities by their number.
  public static func < (left: OperationPriority, right: OperationPriority) -> Bool {
    left.rawValue < right.rawValue
  }
}

extension OperationContext {
  private enum Priority: OperationContextKey {
    static let defaultValue = OperationPriority.normal
  }

  /// The priority of the execution in a ``ConcurrencyLimitExchange``.
  public var priority: OperationPriority {
    get { self[Priority.self] }
    set { self[Priority.self] = newValue }
  }
}

/// One execution, which occupies a slot from its first `next()` to its last result.
private final class SlotSource: ExecutionSource<ConcurrencyLimitExchange> {
  private enum Phase {
    case entering
    case running(ResultStream.Iterator)
    case ended
  }

  /// Leaves the slot when it is released.
  private var slot: ReleaseAction?
  private var phase = Phase.entering

  override func next() async -> OperationResult? {
    while true {
      switch phase {
      case .entering:
        if let waiter = exchange.enter(operation.context.priority),
          await waiter.wait() == nil
        {
          exchange.remove(waiter)
          phase = .ended
          return nil
        }
        slot = ReleaseAction { [exchange] in exchange.leave() }
        phase = .running(forward(operation).makeAsyncIterator())
      case .running(var iterator):
        let result = await iterator.next()
        phase = result == nil ? .ended : .running(iterator)
        // The consumer may keep the iteration after the last result, while it does other work.
        let hasMore = result.map { $0.hasNext || $0.isStale } ?? false
        if !hasMore { slot = nil }
        return result
      case .ended:
        return nil
      }
    }
  }
}
