/// Who may run and who waits, of a limited number: a pure state machine.
struct SlotQueue<Waiter: AnyObject> {
  private let limit: Int
  private var running = 0
  /// By priority, and among equals by arrival.
  private var waiting: [(priority: OperationPriority, waiter: Waiter)] = []

  var waitingCount: Int { waiting.count }

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
    let position = waiting.lastIndex { $0.priority >= priority }.map { $0 + 1 } ?? 0
    waiting.insert((priority, waiter), at: position)
  }

  /// One has ended, or has left without using the slot that it was given.
  ///
  /// - Returns: who takes the slot over.
  mutating func leave() -> Waiter? {
    guard waiting.isEmpty else { return waiting.removeFirst().waiter }
    running -= 1
    return nil
  }

  mutating func remove(_ waiter: Waiter) {
    waiting.removeAll { $0.waiter === waiter }
  }
}
