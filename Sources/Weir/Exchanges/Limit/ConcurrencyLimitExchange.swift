/// Lets only so many operations be on their way at a time; the others wait, those with the highest
/// ``OperationContext/priority`` before the rest.
///
/// ```swift
/// let client = GraphQLClient([
///   .dedup, .documentCache, .retry, .concurrencyLimit(6), .fetch(url),
/// ])
/// // What a user waits for overtakes what is fetched ahead.
/// client.query(nextPage.with { $0.priority = .low })
/// ```
///
/// It stands just above fetch: below the cache, whose hits need no slot, and below retry, so that
/// an operation that waits for its next attempt holds none. An operation holds its slot until its
/// last result, or until its consumer leaves. Subscriptions need none. Who joins a request that waits
/// (``DedupExchange``) waits with that one's priority.
///
/// It runs in the consumer's task. Under a constant load of urgent operations the others wait.
public final class ConcurrencyLimitExchange: Exchange {
  fileprivate typealias Waiter = OneShot<Void>

  private let queue: Locked<SlotQueue<Waiter>>

  /// An exchange with so many slots, at least one.
  public init(_ limit: Int) {
    queue = Locked(SlotQueue(limit: max(limit, 1)))
  }

  /// Forwards a query or mutation when there is a slot for it.
  public func execute(_ operation: GraphQLOperation, forward: Forward) -> ResultStream {
    guard operation.kind != .subscription else { return forward(operation) }
    return ResultStream(source: { [self] in
      SlotSource(operation: operation, forward: forward, exchange: self)
    })
  }

  /// How many operations wait for a slot: for tests of order.
  package var waitingCount: Int { queue.withLock { $0.waitingCount } }

  /// - Returns: nil if the operation may run; else whom to wait for.
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
  /// Lets so many operations run at a time; see ``ConcurrencyLimitExchange``. Place it above fetch.
  public static func concurrencyLimit(_ limit: Int) -> ConcurrencyLimitExchange {
    ConcurrencyLimitExchange(limit)
  }
}

/// How urgent an operation is, compared with others that wait for the same thing.
public struct OperationPriority: RawRepresentable, Hashable, Comparable, Sendable {
  /// The larger, the more urgent.
  public var rawValue: Int

  /// A priority between or beyond the named ones.
  public init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// What is fetched ahead: -10
  public static let low = OperationPriority(rawValue: -10)
  /// The default: 0
  public static let normal = OperationPriority(rawValue: 0)
  /// What a user waits for: 10
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

  /// How urgent the execution is, to a ``ConcurrencyLimitExchange``.
  public var priority: OperationPriority {
    get { self[Priority.self] }
    set { self[Priority.self] = newValue }
  }
}

/// One execution that holds a slot from its first `next()` to its last result.
private final class SlotSource: ResultSource {
  private enum Phase {
    case entering
    case running(ResultStream.Iterator)
    case ended
  }

  private let operation: GraphQLOperation
  private let forward: Forward
  private let exchange: ConcurrencyLimitExchange
  private var phase = Phase.entering
  private var holdsSlot = false

  init(operation: GraphQLOperation, forward: Forward, exchange: ConcurrencyLimitExchange) {
    self.operation = operation
    self.forward = forward
    self.exchange = exchange
  }

  deinit { leave() }

  override func next(isolation: isolated (any Actor)?) async -> OperationResult? {
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
        holdsSlot = true
        phase = .running(forward(operation).makeAsyncIterator())
      case .running(var iterator):
        let result = await iterator.next(isolation: isolation)
        phase = result == nil ? .ended : .running(iterator)
        // The consumer may hold on to the iteration after the last result, and do other things.
        let hasMore = result.map { $0.hasNext || $0.isStale } ?? false
        if !hasMore { leave() }
        return result
      case .ended:
        return nil
      }
    }
  }

  private func leave() {
    guard holdsSlot else { return }
    holdsSlot = false
    exchange.leave()
  }
}
