/// A queue whose elements are released when they are taken, also if it never becomes empty.
package struct FIFOQueue<Element> {
  /// The first element is kept apart: most queues never hold more, and then need no array.
  private(set) var first: Element?
  /// The others; nil where one was taken.
  private var rest: [Element?] = []
  private var taken = 0

  package init() {}

  package var count: Int { (first == nil ? 0 : 1) + rest.count - taken }
  package var isEmpty: Bool { first == nil }
  var last: Element? { rest.last ?? first }

  package mutating func append(_ element: Element) {
    if first == nil { first = element } else { rest.append(element) }
  }

  /// Removes the last element; the queue must not be empty.
  mutating func removeLast() {
    if rest.popLast() == nil { first = nil }
    shrink()
  }

  package mutating func popFirst() -> Element? {
    guard let popped = first.take() else { return nil }
    if taken < rest.count {
      first = rest[taken].take()
      taken += 1
      shrink()
    }
    return popped
  }

  private mutating func shrink() {
    if taken == rest.count {
      rest.removeAll(keepingCapacity: taken <= 64)
      taken = 0
    } else if taken >= 64, taken > rest.count / 2 {
      rest.removeFirst(taken)
      taken = 0
    }
  }
}

extension FIFOQueue: Sendable where Element: Sendable {}
