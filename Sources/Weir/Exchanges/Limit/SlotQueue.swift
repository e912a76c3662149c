/// Who may run and who waits, of a limited number: a pure state machine.
struct SlotQueue<Waiter: AnyObject> {
  private let limit: Int
  private var running = 0
  /// By priority, the highest first; nobody's list is empty.
  private var waiting: [(priority: OperationPriority, waiters: WaitingList<Waiter>)] = []

  var waitingCount: Int { waiting.reduce(0) { $0 + $1.waiters.count } }

  init(limit: Int) {
    self.limit = limit
  }

  /// Whether one may run at once; it then holds a slot.
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

  /// One has ended, or has left without using the slot that it was given.
  ///
  /// - Returns: who takes the slot over.
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
