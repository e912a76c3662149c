/// The running and waiting operations of a concurrency limit.
struct SlotQueue<Waiter: AnyObject> {
  private let limit: Int
  private var running = 0
  /// The waiters by priority, the highest first; no list is empty.
  private var waiting: [(priority: OperationPriority, waiters: WaitingList<Waiter>)] = []

  var waitingCount: Int { waiting.reduce(0) { $0 + $1.waiters.count } }

  init(limit: Int) {
    self.limit = limit
  }

  /// Occupies a slot.
  ///
  /// - Returns: Whether there was one.
  mutating func enter() -> Bool {
    guard running < limit else { return false }
    running += 1
    return true
  }

  mutating func wait(_ waiter: Waiter, priority: OperationPriority) {
    let place = waiting.firstIndex { $0.priority <= priority } ?? waiting.count
    if place == waiting.count || waiting[place].priority < priority {
      waiting.insert((priority, WaitingList()), at: place)
    }
    waiting[place].waiters.append(waiter)
  }

  /// An operation has ended, or has left without using its slot.
  ///
  /// - Returns: The waiter that gets the slot.
  mutating func leave() -> Waiter? {
    guard !waiting.isEmpty else {
      running -= 1
      return nil
    }
    let next = waiting[0].waiters.popFirst()
    forgetIfEmpty(0)
    return next
  }

  mutating func remove(_ waiter: Waiter) {
    for place in waiting.indices.reversed() {
      waiting[place].waiters.remove(waiter)
      forgetIfEmpty(place)
    }
  }

  private mutating func forgetIfEmpty(_ place: Int) {
    if waiting[place].waiters.isEmpty { waiting.remove(at: place) }
  }
}
