import Weir

/// Finds which pages adjoin or overlap: they share an element, or one was requested with a cursor
/// of the other.
struct PageAdjacency {
  private struct Keys {
    var has: Set<Key> = []
    var wants: Set<Key> = []
  }

  private enum Key: Hashable {
    case element(ElementIdentity)
    case cursor(ExactString)
  }

  private var keys: [Keys] = []
  private var having: [Key: [Int]] = [:]
  private var wanting: [Key: [Int]] = [:]

  init(_ pages: [CursorPage]) {
    for (index, page) in pages.enumerated() {
      var keys = Keys()
      for item in page.items {
        keys.has.insert(.element(item.identity))
        if let cursor = item.cursor { keys.has.insert(.cursor(cursor)) }
      }
      for cursor in [page.startCursor, page.endCursor] {
        if let cursor { keys.has.insert(.cursor(cursor)) }
      }
      for cursor in [page.after, page.before] {
        if let cursor { keys.wants.insert(.cursor(cursor)) }
      }
      for key in keys.has { having[key, default: []].append(index) }
      for key in keys.wants { wanting[key, default: []].append(index) }
      self.keys.append(keys)
    }
  }

  func neighbours(of page: Int) -> [Int] {
    var found: Set<Int> = []
    for key in keys[page].has {
      found.formUnion(having[key] ?? [])
      found.formUnion(wanting[key] ?? [])
    }
    for key in keys[page].wants { found.formUnion(having[key] ?? []) }
    return found.sorted()
  }
}
