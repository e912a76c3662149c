import Weir

/// Counts from 1.
final class Counter: Sendable {
  private let value = AtomicWord()

  func next() -> Int { Int(value.add(1)) }
}
