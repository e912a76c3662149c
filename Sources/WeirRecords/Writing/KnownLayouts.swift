import Weir

/// The layouts that one write has made: for each node the last one, and those before. Members may
/// come in another order each time, and types may take turns.
struct KnownLayouts {
  private struct Place: Hashable {
    let node: Int
    let keyList: Int
  }

  /// So that a response whose objects are all different takes no more memory.
  private static let maximumCount = 256

  private struct Last {
    let layout: WriteLayout?
    let keyList: Int
    /// The same, to look at without a retain. Proof: `layout` retains it.
    let uncounted: Unmanaged<WriteLayout>?

    init(_ layout: WriteLayout?, keyList: Int = -1) {
      self.layout = layout
      self.keyList = keyList
      uncounted = layout.map(Unmanaged.passUnretained)
    }
  }

  /// The node whose layout was made first; -1 if there is none. Small responses often need no other.
  private var firstNode = -1
  private var lastOfFirst = Last(nil)
  /// By the node's number: what was made last, except for the first node.
  private var lastOfOthers: ContiguousArray<Last> = []
  private var earlier = [Place: [WriteLayout]]()
  private var earlierCount = 0

  /// The layout for an object of a node, if it was made before.
  ///
  /// It is valid until a layout is made for the node. No object of a node lies within another one:
  /// what is selected within has nodes of its own.
  @inline(__always)
  func find(_ object: TapeIndex, node: Int, _ tape: JSONTape) -> Unmanaged<WriteLayout>? {
    let isFirst = node == firstNode
    guard isFirst || node < lastOfOthers.count,
      let layout = isFirst ? lastOfFirst.uncounted : lastOfOthers[node].uncounted
    else { return nil }
    let keyList = tape.keyList(object)
    if isFirst ? lastOfFirst.keyList == keyList : lastOfOthers[node].keyList == keyList,
      layout._withUnsafeGuaranteedRef({ $0.fitsType(of: object, tape) })
    {
      return layout
    }
    return earlier[Place(node: node, keyList: keyList)]?
      .first { $0.fitsType(of: object, tape) }.map(Unmanaged.passUnretained)
  }

  mutating func keep(_ layout: WriteLayout, node: Int, keyList: Int) {
    let new = Last(layout, keyList: keyList)
    if firstNode < 0 { firstNode = node }
    guard node != firstNode else {
      keepEarlier(lastOfFirst, node: node)
      lastOfFirst = new
      return
    }
    if lastOfOthers.count <= node {
      lastOfOthers.reserveCapacity(node + 1)
      lastOfOthers += repeatElement(Last(nil), count: node + 1 - lastOfOthers.count)
    }
    keepEarlier(lastOfOthers[node], node: node)
    lastOfOthers[node] = new
  }

  private mutating func keepEarlier(_ last: Last, node: Int) {
    guard let layout = last.layout, earlierCount < Self.maximumCount else { return }
    earlier[Place(node: node, keyList: last.keyList), default: []].append(layout)
    earlierCount += 1
  }
}
