/// The requests in flight, by the instants at which they were sent.
package struct RequestLog {
  /// Ascending. Some requests have ended already; those at the front are dropped.
  private var instants: [LogicalInstant] = []
  private var first = 0
  private var ended: Set<LogicalInstant> = []

  /// When the oldest request in flight was sent; nil if there is none.
  package var oldest: LogicalInstant? {
    first < instants.count ? instants[first] : nil
  }

  /// How many requests are in flight.
  package var count: Int { instants.count - first - ended.count }

  /// The instants at which the requests in flight were sent, ascending.
  package var inFlight: [LogicalInstant] { instants[first...].filter { !ended.contains($0) } }

  /// Whether any request is in flight beside the one that was sent at an instant.
  package func hasRequests(exceptOf sentAt: LogicalInstant?) -> Bool {
    guard let oldest else { return false }
    // The oldest one has not ended, and there is mostly no other.
    return oldest != sentAt || count > 1
  }

  package init() {}

  package mutating func begin() -> LogicalInstant {
    let instant = LogicalInstant.next()
    instants.append(instant)
    return instant
  }

  package mutating func end(_ instant: LogicalInstant) {
    if instant == oldest {
      // Nearly always: requests mostly end in the order in which they were sent.
      first += 1
    } else {
      ended.insert(instant)
    }
    defer { compactIfMostlyEnded() }
    while !ended.isEmpty, let oldest, ended.remove(oldest) != nil { first += 1 }
    if first == instants.count {
      instants.removeAll(keepingCapacity: true)
      first = 0
    } else if first > 64, first * 2 > instants.count {
      instants.removeFirst(first)
      first = 0
    }
  }

  /// Requests that ended must not accumulate behind one that takes long.
  private mutating func compactIfMostlyEnded() {
    guard ended.count > 2 * count + 64 else { return }
    instants = inFlight
    first = 0
    ended.removeAll(keepingCapacity: true)
  }
}
