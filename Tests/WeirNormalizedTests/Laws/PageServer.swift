import TestSupport
import Weir

/// A request for a page of the simulated server's list.
struct PageRequest: Hashable, Sendable {
  var first: Int?
  var after: String?
  var last: Int?
  var before: String?

  var isHead: Bool { first != nil && after == nil }
  var isTail: Bool { last != nil && before == nil }
}

/// A page as the simulated server gives it, or as the store shows it.
struct PageAnswer: Sendable {
  var ids: [Int] = []
  var start: String?
  var end: String?
  var hasPrevious = false
  var hasNext = false
  var data: JSONValue = .null
}

/// A server with one list of entities, which changes, and which it gives by pages.
struct PageServer: Sendable {
  enum Kind: CaseIterable, Sendable {
    /// A connection with edges and their cursors, with edges that are only nodes, or with nodes.
    case cursorEdges, edges, nodes
    case tokens, offsets
  }

  /// To which place in the list a cursor leads.
  enum Cursors: CaseIterable, Sendable {
    /// To that where its element was, even if this has gone or moved.
    case place
    /// To that of its element, as long as there is one.
    case element
    /// To a number.
    case number
    /// As `place`, and each response has other cursors.
    case fresh
  }

  private struct Slot {
    let key: Int
    let id: Int
    let rank: Int64
    var isLive = true
  }

  let kind: Kind
  let cursors: Cursors
  /// Whether it leaves out some elements after it has counted, so that pages are shorter, or empty.
  let filters: Bool
  private var slots: [Slot] = []
  private var texts: [Int: Int] = [:]
  private var count = 0
  /// By the number of a fresh cursor.
  private var keys: [Int] = []

  init(_ kind: Kind, _ cursors: Cursors, filters: Bool, count: Int) {
    (self.kind, self.cursors, self.filters) = (kind, cursors, filters)
    for _ in 0..<count { insert(at: slots.count) }
  }

  /// The elements, without those that it leaves out.
  var ids: [Int] { slots.filter { $0.isLive && isShown($0.id) }.map(\.id) }

  private func isShown(_ id: Int) -> Bool { !filters || id % 3 != 0 }

  func element(_ id: Int, at rank: Int64? = nil) -> JSONValue {
    let rank = rank ?? slots.last { $0.id == id }?.rank ?? 0
    return [
      "__typename": "Todo", "id": .string("\(id)"), "text": .int(Int64(texts[id] ?? 0)),
      "rank": .int(rank),
    ]
  }
}

// MARK: - Changes

extension PageServer {
  mutating func change(_ random: inout SeededRandom) {
    let live = slots.indices.filter { slots[$0].isLive }
    switch random.below(10) {
    case 0...1: insert(at: 0)
    case 2: insert(at: slots.count)
    case 3: insert(at: random.below(slots.count + 1))
    case 4...6 where !live.isEmpty: remove(slots[random.pick(live)].id)
    case 7...8 where !live.isEmpty:
      let id = slots[random.pick(live)].id
      remove(id)
      insert(id, at: random.below(3) == 0 ? 0 : random.below(slots.count + 1))
    default: if !live.isEmpty { edit(slots[random.pick(live)].id) }
    }
  }

  mutating func edit(_ id: Int) { texts[id, default: 0] += 1 }

  mutating func remove(_ id: Int) {
    for index in slots.indices where slots[index].id == id { slots[index].isLive = false }
  }

  /// Inserts an element, mostly a new one, and returns it.
  @discardableResult
  mutating func insert(_ id: Int? = nil, at index: Int) -> Int {
    count += 1
    let gap: Int64 = 1 << 40
    let rank: Int64 =
      if slots.isEmpty {
        0
      } else if index == 0 {
        slots[0].rank - gap
      } else if index == slots.count {
        slots[index - 1].rank + gap
      } else {
        (slots[index - 1].rank + slots[index].rank) / 2
      }
    slots.insert(Slot(key: count, id: id ?? count, rank: rank), at: index)
    return id ?? count
  }

  /// Inserts a new element with a rank.
  mutating func insert(_ id: Int, rank: Int64) {
    count += 1
    let index = slots.firstIndex { $0.rank > rank } ?? slots.count
    slots.insert(Slot(key: count, id: id, rank: rank), at: index)
  }

  /// An id that no element has had, and a rank for it.
  mutating func makeID(_ random: inout SeededRandom) -> (id: Int, rank: Int64) {
    count += 1
    let index = random.pick([0, slots.count, random.below(slots.count + 1)])
    insert(count, at: index)
    return (slots[index].id, slots.remove(at: index).rank)
  }
}

// MARK: - Pages

extension PageServer {
  mutating func answer(_ request: PageRequest) -> PageAnswer {
    if kind == .offsets { return offsetPage(request) }
    let lower = request.after.map { index(of: $0) + 1 } ?? 0
    let upper = max(lower, request.before.map(index(of:)) ?? slots.count)
    let live = slots.indices.filter { slots[$0].isLive }
    let within = live.filter { lower <= $0 && $0 < upper }
    let page =
      request.first.map { within.prefix($0) } ?? within.suffix(request.last ?? within.count)
    var answer = PageAnswer()
    answer.hasPrevious = live.contains { $0 < page.first ?? lower }
    answer.hasNext = live.contains { $0 > page.last ?? (upper - 1) }
    answer.ids = page.map { slots[$0].id }.filter(isShown)
    let all = page.map { cursor(at: $0, of: live) }
    (answer.start, answer.end) = (all.first, all.last)
    answer.data = ["list": data(answer, cursors: all)]
    if kind == .tokens, !answer.hasNext { answer.end = nil }
    return answer
  }

  private func offsetPage(_ request: PageRequest) -> PageAnswer {
    var answer = PageAnswer()
    let skipped = ids.dropFirst(request.after.flatMap { Int($0) } ?? 0)
    answer.ids = Array(skipped.prefix(request.first ?? 0))
    answer.hasNext = skipped.count > answer.ids.count
    answer.data = ["list": .array(answer.ids.map { element($0) })]
    return answer
  }

  private func data(_ answer: PageAnswer, cursors: [String]) -> JSONValue {
    let elements = answer.ids.map { element($0) }
    if kind == .tokens {
      let token: JSONValue = answer.hasNext ? answer.end.map { .string($0) } ?? .null : .null
      return ["__typename": "Page", "items": .array(elements), "nextToken": token]
    }
    let edges = zip(elements, cursors).map { node, cursor -> JSONValue in
      kind == .edges
        ? ["__typename": "Edge", "node": node]
        : ["__typename": "Edge", "node": node, "cursor": .string(cursor)]
    }
    return [
      "__typename": "Connection",
      kind == .nodes ? "nodes" : "edges": .array(kind == .nodes ? elements : edges),
      "pageInfo": [
        "__typename": "PageInfo", "hasPreviousPage": .bool(answer.hasPrevious),
        "hasNextPage": .bool(answer.hasNext),
        "startCursor": answer.start.map { .string($0) } ?? .null,
        "endCursor": answer.end.map { .string($0) } ?? .null,
      ],
    ]
  }

  private mutating func cursor(at index: Int, of live: [Int]) -> String {
    switch cursors {
    case .place: return "p\(slots[index].key)"
    case .element: return "e\(slots[index].id)"
    case .number: return "\(live.count { $0 <= index })"
    case .fresh:
      keys.append(slots[index].key)
      return "f\(keys.count - 1)"
    }
  }

  /// The place to which a cursor leads; that before the beginning is -1.
  private func index(of cursor: String) -> Int {
    let number = Int(cursor.drop { $0.isLetter }) ?? 0
    let live = slots.indices.filter { slots[$0].isLive }
    return switch cursors {
    case .place: slots.firstIndex { $0.key == number } ?? -1
    case .element:
      slots.firstIndex { $0.id == number && $0.isLive } ?? slots.lastIndex { $0.id == number } ?? -1
    case .number: number > live.count ? slots.count : number < 1 ? -1 : live[number - 1]
    case .fresh: slots.firstIndex { $0.key == keys[number] } ?? -1
    }
  }
}
