@testable import Weir
@testable import WeirNormalized
import TestSupport
import WeirTesting

// MARK: - Convergence

extension PageModel {
  /// The server is quiet, and all pages are requested again.
  mutating func converge(_ seed: UInt64) throws -> String? {
    for request in pending { _ = try answer(request) }
    pending = []
    while !layers.isEmpty { try settle(0, commits: false) }
    var random = SeededRandom(seed: seed)
    if seed % 3 > 0 || server.kind == .offsets {
      // In their places, and then what the list shows as its continuation.
      for page in known.shuffled(using: &random) {
        clock += 1
        if let problem = try fetch(page) { return problem }
      }
      isEdited = false
      return try follow(seed) ?? checkWhole(&random)
    }
    // From the start, by the links of each response.
    var page = PageRequest(first: random.below(4) + 1)
    let first = page
    while true {
      clock += 1
      let answer = send(page)
      if let problem = try self.answer(pending.removeLast()) { return problem }
      guard answer.hasNext else { break }
      page.after = answer.end
    }
    return checkNewest(from: first)
  }

  private mutating func follow(_ seed: UInt64) throws -> String? {
    let first = known.first { $0.isHead } ?? PageRequest(first: 2)
    clock += 1
    if let problem = try fetch(first) { return problem }
    for _ in 0..<100 {
      guard let list = list(store.read(operation(first))) else { return "nothing is shown" }
      clock += 1
      if server.kind == .offsets {
        if list.ids.count >= server.ids.count { return nil }
        if let problem = try fetch(PageRequest(first: 2, after: "\(list.ids.count)")) {
          return problem
        }
        continue
      }
      guard list.hasNext else { return nil }
      guard let end = list.end else { return "there is a next page, but no cursor" }
      if let problem = try fetch(PageRequest(first: 2, after: end)) { return problem }
    }
    return "the end cannot be reached"
  }

  /// All pages are as the server has them, and stay so if more are loaded.
  private mutating func checkWhole(_ random: inout SeededRandom) throws -> String? {
    let followed = known.first { $0.isHead }
    let isPlain = !server.filters && server.cursors != .fresh
    for round in 0..<3 {
      for request in known {
        guard let list = list(store.read(operation(request))) else { continue }
        // A page with a new cursor, or without elements, ends the list until it is followed.
        let isRight =
          request.isHead && (isPlain || round == 0 && request == followed)
          ? list.ids == server.ids && !list.hasNext
          : list.ids.isEmpty
            || server.ids.indices.contains { server.ids[$0...].starts(with: list.ids) }
        if !isRight { return "\(round): \(request) shows \(list.ids), next: \(list.hasNext)" }
      }
      clock += 1
      let seed = random.next()
      let pages = [firstPage(seed), nextPage(seed), previousPage(seed), random.pick(known)]
      if let problem = try fetch(random.pick(pages.compactMap(\.self))) { return problem }
    }
    return nil
  }

  /// All pages were requested from the start, beginning with `first`.
  private func checkNewest(from first: PageRequest) -> String? {
    guard let list = list(store.read(operation(first))) else { return "nothing from the start" }
    let ids = server.ids
    // Pages of a connection that were loaded before the first page, or behind the last one, stay there.
    let isRight =
      if server.kind == .tokens {
        list.ids == ids && !list.hasNext
      } else {
        list.ids.starts(with: ids)
          || goesBackward && list.ids.indices.contains { list.ids[$0...].starts(with: ids) }
      }
    return isRight || isEdited && server.cursors == .number
      ? nil : "after all pages from the start, shows \(list.ids), next: \(list.hasNext)"
  }
}
