/// An array in blocks of equal size, for what grows with a table: to change an element while a
/// snapshot of the array exists, only one block is copied.
struct BlockArray<Element: Sendable>: Sendable {
  private static var blockBits: Int { 10 }
  private static var blockMask: Int { 1 << blockBits - 1 }

  /// All are full except the last, and none is empty.
  private var blocks: ContiguousArray<ContiguousArray<Element>> = []
  private(set) var count = 0

  init() {}

  init(repeating element: Element, count: Int) {
    let block = ContiguousArray(repeating: element, count: min(count, Self.blockMask + 1))
    blocks = ContiguousArray(repeating: block, count: count >> Self.blockBits)
    let rest = count & Self.blockMask
    if rest > 0 { blocks.append(ContiguousArray(block.prefix(rest))) }
    self.count = count
  }

  subscript(index: Int) -> Element {
    @inline(__always)
    get { blocks[index >> Self.blockBits][index & Self.blockMask] }
    @inline(__always)
    set { blocks[index >> Self.blockBits][index & Self.blockMask] = newValue }
  }

  mutating func append(_ element: Element) {
    if count & Self.blockMask == 0 { blocks.append([]) }
    blocks[count >> Self.blockBits].append(element)
    count += 1
  }

  mutating func removeLast() -> Element {
    count -= 1
    let element = blocks[count >> Self.blockBits].removeLast()
    if count & Self.blockMask == 0 { blocks.removeLast() }
    return element
  }
}
