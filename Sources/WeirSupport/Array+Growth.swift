extension Array {
  /// Appends an element. A long array grows by a quarter, and not to twice its size, when it is
  /// full: it takes less memory, and copies its elements more often.
  @inlinable
  package mutating func appendSparingly(_ element: Element) {
    if count == capacity, count >= 1024 { reserveCapacity(count + count / 4) }
    append(element)
  }
}
