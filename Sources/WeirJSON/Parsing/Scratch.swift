import Foundation

/// A growing buffer that begins in memory of its caller, usually on the stack.
///
/// Only for types without references. Whoever makes one calls `release` or takes the memory with
/// `take`; indices are below `count`, which the parser proves where it uses them.
struct Scratch<Element: BitwiseCopyable> {
  private(set) var base: UnsafeMutablePointer<Element>
  private(set) var capacity: Int
  private var isOnHeap = false
  var count = 0

  init(startingIn memory: UnsafeMutableBufferPointer<Element>) {
    // Proof: callers pass buffers of at least one element, which have a base address.
    base = memory.baseAddress.unsafelyUnwrapped
    capacity = memory.count
  }

  @inline(__always)
  subscript(index: Int) -> Element {
    get { base[index] }
    nonmutating set { base[index] = newValue }
  }

  @inline(__always)
  mutating func append(_ element: Element) {
    if count == capacity { grow(to: count + 1) }
    base[count] = element
    count += 1
  }

  /// Adds elements at the end.
  @inline(__always)
  mutating func append(contentsOf elements: UnsafeBufferPointer<Element>) {
    reserve(elements.count)
    // Proof: there is room, and an empty buffer has nothing to copy.
    if let source = elements.baseAddress {
      (base + count).update(from: source, count: elements.count)
    }
    count += elements.count
  }

  /// Makes room for `more` elements after the last one.
  @inline(__always)
  mutating func reserve(_ more: Int) {
    if capacity - count < more { grow(to: count + more) }
  }

  @inline(never)
  private mutating func grow(to minimum: Int) {
    resize(to: max(minimum, capacity * 2))
  }

  /// Moves to the heap, or within it, with a given capacity of at least `count`.
  mutating func resize(to newCapacity: Int) {
    let size = newCapacity * MemoryLayout<Element>.stride
    guard let memory = realloc(isOnHeap ? base : nil, size) else {
      fatalError("Out of memory")  // As `Array` does: no input is at fault.
    }
    let moved = memory.assumingMemoryBound(to: Element.self)
    if !isOnHeap { moved.update(from: base, count: count) }
    base = moved
    capacity = newCapacity
    isOnHeap = true
  }

  /// Gives the elements away as memory that the new owner frees, with room for `more` after them.
  /// Up to an eighth of it may stay unused.
  mutating func take(more: Int) -> UnsafeMutablePointer<Element> {
    let needed = count + more
    if !isOnHeap || capacity < needed || capacity - needed > needed / 8 { resize(to: needed) }
    isOnHeap = false
    return base
  }

  /// Frees what is on the heap.
  func release() {
    if isOnHeap { free(base) }
  }
}
