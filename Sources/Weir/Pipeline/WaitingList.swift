/// A list of waiters in order of arrival. Appending, taking the first and removing take constant
/// time.
package struct WaitingList<Waiter: AnyObject> {
  /// Nil where a waiter has left: at most every other one, and a few more.
  private var places: [Waiter?] = []
  /// All waiters before this position have left.
  private var first = 0
  private var indices: [ObjectIdentifier: Int] = [:]

  var count: Int { indices.count }

  package var isEmpty: Bool { indices.isEmpty }

  package init() {}

  /// All waiters, in order.
  var all: [Waiter] { places.compactMap { $0 } }

  package mutating func append(_ waiter: Waiter) {
    if places.count > 2 * count + 16 { closeGaps() }
    indices[ObjectIdentifier(waiter)] = places.count
    places.append(waiter)
  }

  /// Removes the waiter that has waited longest.
  package mutating func popFirst() -> Waiter? {
    while first < places.count {
      let waiter = places[first]
      first += 1
      if let waiter {
        remove(waiter)
        return waiter
      }
    }
    return nil
  }

  /// Removes a waiter, if it is in the list.
  package mutating func remove(_ waiter: Waiter) {
    guard let index = indices.removeValue(forKey: ObjectIdentifier(waiter)) else { return }
    places[index] = nil
    if isEmpty { self = WaitingList() }
  }

  private mutating func closeGaps() {
    places.removeAll { $0 == nil }
    first = 0
    for (index, waiter) in all.enumerated() { indices[ObjectIdentifier(waiter)] = index }
  }
}
