import TestSupport
import Testing
import Weir
import WeirNormalized
import WeirTesting

/// Compares pages in random order with a list of numbers.
@Suite(.timeLimit(.minutes(10)), .overStorages)
struct PageLawTests {
  /// A requested page, and the positions in the list that it covers.
  private struct Page {
    let arguments: JSONValue
    let range: Range<Int>
    /// The cursor that the page follows, or precedes.
    var after: Int?
    var before: Int?

    /// Whether the two pages are known to be adjacent or to overlap.
    func adjoins(_ other: Page, byPlace: Bool) -> Bool {
      if range.overlaps(other.range) { return true }
      if byPlace {
        return range.upperBound == other.range.lowerBound
          || other.range.upperBound == range.lowerBound
      }
      return [(self, other), (other, self)].contains { first, second in
        second.after == first.range.upperBound - 1 && !first.range.isEmpty
          || first.before == second.range.lowerBound && !second.range.isEmpty
      }
    }
  }

  /// The positions that a read of one page shows.
  private func run(around page: Page, of pages: [Page], byPlace: Bool) -> [Int] {
    var run = [page]
    var rest = pages
    while let index = rest.firstIndex(where: { next in
      run.contains { $0.adjoins(next, byPlace: byPlace) }
    }) {
      run.append(rest.remove(at: index))
    }
    return Set(run.flatMap(\.range)).sorted()
  }

  @Test(
    "Pages by offset show all adjacent pages, in any order of loads, reloads and removals (N7)",
    arguments: Stress.seeds(4))
  func offsets(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    for _ in 0..<StoreKind.scaled(6) {
      var configuration = NormalizedCacheConfiguration()
      configuration.fields["Query.todos"] = .offsetPages(offset: "skip")
      let store = StoreKind.store(configuration)
      var list = Array(1...random.below(20) + 1)
      var pages: [Page] = []
      func load(_ page: Page) throws {
        try store.write(
          PageTests.data(Array(list[page.range.clamped(to: list.indices)])),
          for: PageTests.page(page.arguments))
      }
      for _ in 0..<10 {
        if random.chance(20), !pages.isEmpty {
          let page = pages.remove(at: random.below(pages.count))
          try store.update { $0.remove(.field("todos", arguments: page.arguments)) }
        } else {
          let (skip, limit) = (random.below(list.count), random.below(5) + 1)
          let arguments: JSONValue = ["skip": .int(Int64(skip)), "limit": .int(Int64(limit))]
          if pages.contains(where: { $0.arguments == arguments }) { continue }
          pages.append(Page(arguments: arguments, range: skip..<skip + limit))
          try pages.last.map(load)
        }
        check()
      }
      // The list changes. After all pages have been reloaded, they are right again.
      list.insert(100, at: random.below(list.count))
      list.remove(at: random.below(list.count))
      for page in pages.shuffled(using: &random) { try load(page) }
      check()

      func check() {
        for page in pages {
          let expected = run(around: page, of: pages, byPlace: true)
            .filter { $0 < list.count }.map { "\(list[$0])" }
          #expect(PageTests.shown(store, page.arguments) == expected, "\(page) of \(pages)")
        }
      }
    }
  }

  @Test(
    "Pages by cursor show all adjacent pages, in both directions and any order of loads (N7)",
    arguments: Stress.seeds(4))
  func cursors(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    for _ in 0..<StoreKind.scaled(6) {
      let store = ConnectionTests.store()
      let count = random.below(15) + 1
      var pages: [Page] = []
      for _ in 0..<10 {
        if random.chance(15), !pages.isEmpty {
          let page = pages.remove(at: random.below(pages.count))
          try store.update { $0.remove(.field("todos", arguments: page.arguments)) }
        } else {
          let page = Self.cursorPage(of: count, &random)
          if pages.contains(where: { $0.arguments == page.arguments }) { continue }
          pages.append(page)
          try store.write(
            ConnectionTests.data(
              Array(page.range), previous: page.range.lowerBound > 0,
              next: page.range.upperBound < count), for: ConnectionTests.page(page.arguments))
        }
        for page in pages {
          let places = run(around: page, of: pages, byPlace: false)
          let ends = [places.first, places.last].compactMap { $0 }
          let expected =
            (places.first ?? 0 > 0 ? "<" : "") + places.map { "\($0)" }.joined(separator: " ")
            + (places.last ?? count < count - 1 ? ">" : "") + " "
            + ends.map { "c\($0)" }.joined(separator: "…")
          #expect(ConnectionTests.shown(store, page.arguments) == expected, "\(page) of \(pages)")
        }
      }
    }
  }

  /// A page that is not empty, from a list of `count` elements.
  private static func cursorPage(of count: Int, _ random: inout SeededRandom) -> Page {
    let length = random.below(4) + 1
    let anchor = random.below(count)
    let size = JSONValue.int(Int64(length))
    if random.chance(50) {
      guard anchor > 0 else {
        return Page(arguments: ["first": size], range: 0..<min(length, count))
      }
      return Page(
        arguments: ["first": size, "after": .string("c\(anchor - 1)")],
        range: anchor..<min(anchor + length, count), after: anchor - 1)
    }
    guard anchor > 0 else {
      return Page(arguments: ["last": size], range: max(0, count - length)..<count)
    }
    return Page(
      arguments: ["last": size, "before": .string("c\(anchor)")],
      range: max(0, anchor - length)..<anchor, before: anchor)
  }
}
