import Weir

/// Adjoining or overlapping pages, joined into one list.
///
/// If two pages contradict each other, the page that changed later is right: the older page adds
/// what lies beyond the newer one, and nothing within it.
struct PageRun {
  private struct Node {
    let item: CursorPage.Item
    let page: Int
    var previous = -1
    var next = -1
  }

  private let pages: [CursorPage]
  private var nodes: [Node] = []
  private var first = -1
  private var last = -1
  private var nodesByIdentity: [ElementIdentity: Int] = [:]
  private var nodesByCursor: [ExactString: Int] = [:]
  /// By the cursor of `after`, the node at which the page requested with it begins.
  private var begins: [ExactString: Int] = [:]
  /// By the cursor of `before`, the node at which the page requested with it ends.
  private var stops: [ExactString: Int] = [:]
  /// The nodes that a cursor connects with the next one, and the version of the older of both pages: no page that
  /// is older than that lies between.
  private var connected: [Int: UInt64] = [:]
  /// The first and last node that each page has contributed.
  private var ends: [Int: (first: Int, last: Int)] = [:]
  /// Whether the run has a page that is the beginning of the list.
  private var hasHead = false
  /// The first node of the newest page that is the beginning of the list.
  private var head: Int?
  /// The last node of the newest page that is the end of the list.
  private var tail: Int?
  /// The pages that form the run.
  private(set) var joined: [Int] = []

  private init(_ pages: [CursorPage]) {
    self.pages = pages
  }

  /// Creates the run that contains a page. The cost is proportional to the size of all pages.
  init(around own: Int, of pages: [CursorPage]) {
    let adjacency = PageAdjacency(pages)
    var isTaken = pages.map { _ in false }
    for seed in pages.indices.sorted(by: { Self.isNewer($0, $1, pages) }) where !isTaken[seed] {
      var run = PageRun(pages)
      var frontier = [seed]
      var isMet = isTaken
      isMet[seed] = true
      while let place = frontier.indices.min(by: {
        Self.isNewer(frontier[$0], frontier[$1], pages)
      }) {
        let page = frontier.remove(at: place)
        guard run.insert(page) else { continue }
        isTaken[page] = true
        for other in adjacency.neighbours(of: page) where !isMet[other] {
          isMet[other] = true
          frontier.append(other)
        }
      }
      if run.joined.contains(own) {
        self = run
        return
      }
    }
    self.init(pages)
  }

  private static func isNewer(_ left: Int, _ right: Int, _ pages: [CursorPage]) -> Bool {
    (pages[left].version, right) > (pages[right].version, left)
  }

  var items: [CursorPage.Item] {
    var items: [CursorPage.Item] = []
    items.reserveCapacity(nodes.count)
    var node = first
    while node >= 0 {
      if !nodes[node].item.isPlaceholder { items.append(nodes[node].item) }
      node = nodes[node].next
    }
    return items
  }

  /// The pages that begin where the run begins, newest first.
  var firstPages: [Int] { pages(at: first) { ends[$0]?.first ?? nodeAtStart(of: $0) } }

  /// The pages that end where the run ends, newest first.
  var lastPages: [Int] { pages(at: last) { ends[$0]?.last ?? nodeAtEnd(of: $0) } }

  private func pages(at node: Int, _ end: (Int) -> Int?) -> [Int] {
    joined.filter { page in
      let own = pages[page].items
      return own.isEmpty ? end(page) == node : nodes.isEmpty || end(page) == node
    }.sorted { Self.isNewer($0, $1, pages) }
  }

  private func nodeAtStart(of page: Int) -> Int? {
    if let item = pages[page].items.first { return nodesByIdentity[item.identity] }
    return pages[page].before.map { nodesByCursor[$0] ?? -2 } ?? (isWhole(page) ? first : nil)
  }

  private func nodeAtEnd(of page: Int) -> Int? {
    if let item = pages[page].items.last { return nodesByIdentity[item.identity] }
    return pages[page].after.map { nodesByCursor[$0] ?? -2 } ?? (isWhole(page) ? last : nil)
  }

  /// Whether an empty page is the whole list, because no other page has an element.
  private func isWhole(_ page: Int) -> Bool { pages[page].isHead && nodes.isEmpty }
}

// MARK: - Insertion

extension PageRun {
  /// Returns false if a newer page has other elements in the same place.
  private mutating func insert(_ page: Int) -> Bool {
    let own = pages[page]
    let shared = own.items.indices.filter { nodesByIdentity[own.items[$0].identity] != nil }
    let isTaken =
      own.after.map { hasElements(begins[$0]) } ?? false
      || own.before.map { hasElements(stops[$0]) } ?? false
    if shared.isEmpty, !own.items.isEmpty, isTaken || isWithinPage(own) { return false }
    let anchor = shared.isEmpty ? anchor(of: own) : last
    // Nothing tells where the page belongs: there is a gap.
    if anchor == nil, !own.items.isEmpty { return false }
    joined.append(page)
    // Without a place, it would separate others.
    let items = own.isEmptied && !isTaken && anchor != nil ? [Self.place(of: page)] : own.items
    if let before = shared.first, let after = shared.last {
      insertAround(page, from: before, to: after)
    } else {
      insert(items, of: page, after: anchor ?? last)
    }
    if own.isHead { hasHead = true }
    if own.isHead, head == nil { head = items.first.flatMap { nodesByIdentity[$0.identity] } }
    if own.isTail, tail == nil { tail = items.last.flatMap { nodesByIdentity[$0.identity] } }
    noteCursors(of: page, items)
    return true
  }

  /// Returns the node that a page without shared elements follows, -1 for the beginning; nil if nothing
  /// tells.
  private func anchor(of own: CursorPage) -> Int? {
    if nodes.isEmpty { return last }
    if let before = nodeBehind(own) {
      let previous = nodes[before].previous
      let at = previous < 0 ? before : ends[nodes[previous].page]?.first ?? before
      let anchor = nodes[at].previous
      if anchor >= 0 { return isConnected(anchor, before: own) ? nil : anchor }
      if mayBegin(with: own) { return anchor }
    }
    if let after = nodeBefore(own) {
      let next = nodes[after].next
      let anchor = next < 0 ? after : ends[nodes[next].page]?.last ?? after
      return (anchor != last ? !isConnected(anchor, before: own) : mayEnd(with: own)) ? anchor : nil
    }
    return nil
  }

  /// The node that follows a page, by the cursors of its end.
  private func nodeBehind(_ own: CursorPage) -> Int? {
    node(at: own.before) ?? (own.endCursor ?? own.items.last?.cursor).flatMap { begins[$0] }
  }

  /// The node that precedes a page, by the cursors of its beginning.
  private func nodeBefore(_ own: CursorPage) -> Int? {
    node(at: own.after) ?? (own.startCursor ?? own.items.first?.cursor).flatMap { stops[$0] }
  }

  /// Whether a page may precede the run. Only one that was requested so precedes the beginning of the
  /// list.
  private func mayBegin(with own: CursorPage) -> Bool {
    first != head || node(at: own.before) != nil
  }

  /// Whether a page may follow the run. Only one that was requested so follows the end of the list.
  private func mayEnd(with own: CursorPage) -> Bool {
    last != tail || node(at: own.after) != nil && !pages[nodes[last].page].isLast
  }

  private func node(at cursor: ExactString?) -> Int? { cursor.flatMap { nodesByCursor[$0] } }

  /// Whether a newer page shows what comes after or before the cursor that a page was requested with.
  private func isWithinPage(_ own: CursorPage) -> Bool {
    func areOfOnePage(_ node: Int, _ other: Int) -> Bool {
      // Edges that were added by hand have no cursor.
      other >= 0 && nodes[other].item.cursor != nil && nodes[node].page == nodes[other].page
    }
    return node(at: own.after).map { areOfOnePage($0, nodes[$0].next) } ?? false
      || node(at: own.before).map { areOfOnePage($0, nodes[$0].previous) } ?? false
  }

  /// Whether a newer page has elements where a page begins or ends.
  private func hasElements(_ node: Int?) -> Bool {
    node.map { !nodes[$0].item.isPlaceholder } ?? false
  }

  /// Stands for the elements of an emptied page.
  private static func place(of page: Int) -> CursorPage.Item {
    CursorPage.Item(
      cell: .absent, identity: .place(page: page, index: -1), cursor: nil, isPlaceholder: true)
  }

  /// Inserts the elements that the run lacks: beyond the run if the page's cursors say that it adjoins it,
  /// otherwise those that lie beyond the ones the run and the page share.
  private mutating func insertAround(_ page: Int, from start: Int, to end: Int) {
    let own = pages[page]
    if nodeBehind(own) == first, mayBegin(with: own) {
      insert(own.items, of: page, after: -1)
    } else if nodeBefore(own) == last, mayEnd(with: own) {
      insert(own.items, of: page, after: last)
    } else {
      let isAnchored =
        hasHead && own.isHead || own.after.map { nodesByCursor[$0] != nil } ?? false
      if nodesByIdentity[own.items[start].identity] == first, first != head, !isAnchored {
        insert(Array(own.items[..<start]), of: page, after: -1)
      }
      if nodesByIdentity[own.items[end].identity] == last, last != tail {
        insert(Array(own.items[(end + 1)...]), of: page, after: last)
      }
    }
  }

  private mutating func insert(_ items: [CursorPage.Item], of page: Int, after anchor: Int) {
    var at = anchor
    for item in items where nodesByIdentity[item.identity] == nil {
      let next = at < 0 ? first : nodes[at].next
      let node = nodes.count
      nodes.append(Node(item: item, page: page, previous: at, next: next))
      nodesByIdentity[item.identity] = node
      if at < 0 { first = node } else { nodes[at].next = node }
      if next < 0 { last = node } else { nodes[next].previous = node }
      ends[page] = (ends[page]?.first ?? node, node)
      at = node
    }
  }

  private mutating func noteCursors(of page: Int, _ items: [CursorPage.Item]) {
    let own = pages[page]
    for item in items {
      if let cursor = item.cursor { nodesByCursor[cursor] = nodesByIdentity[item.identity] }
    }
    if let cursor = own.startCursor, let item = items.first {
      nodesByCursor[cursor] = nodesByIdentity[item.identity]
    }
    if let cursor = own.endCursor, let node = lastNode(of: page, items) {
      nodesByCursor[cursor] = node
    }
    if let cursor = own.after, let node = firstNode(of: page, items) { begins[cursor] = node }
    if let cursor = own.before, let item = items.last {
      stops[cursor] = nodesByIdentity[item.identity]
    }
    noteConnections(of: own)
  }

  private mutating func noteConnections(of own: CursorPage) {
    for cursor in [own.after, own.endCursor ?? own.items.last?.cursor] {
      noteConnection(node(at: cursor), cursor.flatMap { begins[$0] })
    }
    for cursor in [own.before, own.startCursor ?? own.items.first?.cursor] {
      noteConnection(cursor.flatMap { stops[$0] }, node(at: cursor))
    }
  }

  private mutating func noteConnection(_ first: Int?, _ second: Int?) {
    guard let first, let second, nodes[first].next == second else { return }
    connected[first] = min(pages[nodes[first].page].version, pages[nodes[second].page].version)
  }

  /// Whether newer pages say that nothing lies behind a node, where a page would be.
  private func isConnected(_ node: Int, before own: CursorPage) -> Bool {
    connected[node].map { own.version <= $0 } ?? false
  }

  // A token is not that of an element but of a page: if a newer page has the element, that one knows what is
  // beside it, unless the older page adds what lies beyond the newer one.

  /// The node before which the page is that leads to this one.
  private func firstNode(of page: Int, _ items: [CursorPage.Item]) -> Int? {
    let node = items.first.flatMap { nodesByIdentity[$0.identity] }
    guard pages[page].hasToken, let found = node, nodes[found].page != page else { return node }
    return found == first || nodes[first].page == page ? first : nil
  }

  /// The node behind which the page is to which this one leads.
  private func lastNode(of page: Int, _ items: [CursorPage.Item]) -> Int? {
    let node = items.last.flatMap { nodesByIdentity[$0.identity] }
    guard pages[page].hasToken, let found = node, nodes[found].page != page else { return node }
    // Also if it was requested with the token of the run's end.
    return nodes[last].page == page || self.node(at: pages[page].after) == last ? last : nil
  }
}
