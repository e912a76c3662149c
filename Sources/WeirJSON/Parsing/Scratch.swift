import Foundation

/// A growing buffer that may begin in memory of its caller, usually on the stack.
///
/// Only for types without references. Its owner calls `release`, or takes the memory with `take`.
/// Indices must be below `capacity`, which the parser and the builder prove where they use them.
@usableFromInline
struct Scratch<Element: BitwiseCopyable> {
  // Proof: points to `capacity` elements, in the caller's memory, which the caller keeps until
  // `release`, or on the heap, where `resize` allocates them and `release` or the new owner frees
  // them.
  @usableFromInline private(set) var base: UnsafeMutablePointer<Element>
  @usableFromInline private(set) var capacity: Int
  private(set) var isOnHeap = false
  @usableFromInline var count = 0

  init(startingIn memory: UnsafeMutableBufferPointer<Element>) {
    // Proof: callers pass buffers of at least one element, which have a base address.
    base = memory.baseAddress.unsafelyUnwrapped
    capacity = memory.count
  }

  /// A buffer without room.
  init() {
    // Proof: an address that is never used, because there is room for nothing.
    base = UnsafeMutablePointer(bitPattern: MemoryLayout<Element>.alignment).unsafelyUnwrapped
    capacity = 0
  }

  /// A buffer on the heap.
  init(capacity: Int) {
    base = Self.allocated(nil, capacity)
    self.capacity = capacity
    isOnHeap = true
  }

  @inlinable subscript(index: Int) -> Element {
    get { base[index] }
    nonmutating set { base[index] = newValue }
  }

  mutating func append(_ element: Element) {
    reserve(1)
    base[count] = element
    count += 1
  }

  /// Adds elements at the end.
  mutating func append(contentsOf elements: UnsafeBufferPointer<Element>) {
    reserve(elements.count)
    // Proof: there is room, and an empty buffer has nothing to copy.
    if let source = elements.baseAddress {
      (base + count).update(from: source, count: elements.count)
    }
    count += elements.count
  }

  /// Whether `more` elements fit after the last one.
  @inlinable
  func hasRoom(for more: Int) -> Bool { capacity - count >= more }

  /// Makes room for `more` elements after the last one.
  mutating func reserve(_ more: Int) {
    if !hasRoom(for: more) { grow(to: count + more) }
  }

  @inline(never)
  private mutating func grow(to minimum: Int) {
    resize(to: max(minimum, capacity * 2))
  }

  /// Moves to the heap, or within it, with a given capacity of at least `count`. The kernel moves
  /// large blocks without copying them.
  mutating func resize(to newCapacity: Int) {
    let moved = Self.allocated(isOnHeap ? base : nil, newCapacity)
    // Proof: both blocks have room for `count` elements.
    if !isOnHeap { moved.update(from: base, count: count) }
    base = moved
    capacity = newCapacity
    isOnHeap = true
  }

  private static func allocated(
    _ old: UnsafeMutablePointer<Element>?, _ count: Int
  ) -> UnsafeMutablePointer<Element> {
    guard let memory = realloc(old, count * MemoryLayout<Element>.stride) else {
      fatalError("Out of memory")  // As `Array` does: no input is at fault.
    }
    return memory.assumingMemoryBound(to: Element.self)
  }

  /// Gives the elements away as memory that the new owner frees, with room for `more` after them.
  /// Up to an eighth of it may stay unused.
  mutating func take(more: Int) -> UnsafeMutablePointer<Element> {
    let needed = count + more
    if !isOnHeap || capacity < needed || capacity - needed > needed / 8 { resize(to: needed) }
    isOnHeap = false
    return base
  }

  /// Frees the memory if it is on the heap.
  func release() {
    if isOnHeap { free(base) }
  }
}
