/// Who waits, in order of arrival. To come, to be next and to leave costs the same, however many there
/// are.
struct WaitingList<Waiter: AnyObject> {
  /// Nil where somebody has left: at most every other one, or a few.
  private var places: [Waiter?] = []
  /// Before it, all have left.
  private var first = 0
  private var indices: [ObjectIdentifier: Int] = [:]

  var count: Int { indices.count }

  var isEmpty: Bool { indices.isEmpty }

  /// All, in order.
  var all: [Waiter] { places.compactMap { $0 } }

  mutating func append(_ waiter: Waiter) {
    if places.count > 2 * count + 16 { closeGaps() }
    indices[ObjectIdentifier(waiter)] = places.count
    places.append(waiter)
  }

  /// Takes out who has waited longest.
  mutating func popFirst() -> Waiter? {
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

  /// One leaves; nothing happens if it has left before.
  mutating func remove(_ waiter: Waiter) {
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
