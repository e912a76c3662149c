/// A queue whose elements are released when they are taken, also if it never becomes empty.
package struct FIFOQueue<Element> {
  /// Nil where an element was taken.
  private var elements: [Element?] = []
  private var taken = 0

  package init() {}

  package var count: Int { elements.count - taken }
  package var isEmpty: Bool { taken == elements.count }
  var first: Element? { isEmpty ? nil : elements[taken] }
  var last: Element? { isEmpty ? nil : elements[elements.count - 1] }

  package mutating func append(_ element: Element) {
    elements.append(element)
  }

  /// Removes the last element; the queue must not be empty.
  mutating func removeLast() {
    elements.removeLast()
  }

  package mutating func popFirst() -> Element? {
    guard let first else { return nil }
    elements[taken] = nil
    taken += 1
    if taken == elements.count {
      elements.removeAll(keepingCapacity: taken <= 64)
      taken = 0
    } else if taken >= 64, taken > elements.count / 2 {
      elements.removeFirst(taken)
      taken = 0
    }
    return first
  }
}

extension FIFOQueue: Sendable where Element: Sendable {}
