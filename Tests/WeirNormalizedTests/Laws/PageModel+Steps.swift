@testable import Weir
@testable import WeirNormalized
import TestSupport
import WeirTesting

// MARK: - Requests

extension PageModel {
  var stores: [NormalizedStore] { [store] + [twin].compactMap(\.self) }

  mutating func perform(_ step: Step) async throws -> String? {
    clock += 1
    switch step {
    case .change(let seed):
      var random = SeededRandom(seed: seed)
      server.change(&random)
      log.append("  server: \(server.ids)")
    case .first(let seed): return try fetch(firstPage(seed))
    case .more(let seed):
      if let page = nextPage(seed) { return try fetch(page) }
    case .previous(let seed):
      if let page = previousPage(seed) { return try fetch(page) }
    case .refetch(let seed):
      var random = SeededRandom(seed: seed)
      if !known.isEmpty { return try fetch(random.pick(known)) }
    case .send(let seed):
      if let page = seed % 2 == 0 ? firstPage(seed) : nextPage(seed) { send(page) }
    case .answer(let seed):
      if !pending.isEmpty {
        return try answer(pending.remove(at: Int(seed % UInt64(pending.count))))
      }
    case .show(let seed): try show(seed)
    case .settle(let seed, let commits): try settle(seed, commits: commits)
    case .mutate(let seed): try mutate(seed)
    case .update(let seed): try update(seed)
    case .remove(let seed): try remove(seed)
    case .invalidate(let seed): return try invalidate(seed)
    case .collect(let seed): try await collect(seed)
    case .restart: return try await restart()
    case .converge(let seed): return try converge(seed)
    }
    return nil
  }

  func firstPage(_ seed: UInt64) -> PageRequest {
    let size = Int(seed >> 8 % 100) < 60 ? 2 : Int(seed >> 16 % 4) + 1
    return goesBackward && seed % 3 == 0 ? PageRequest(last: size) : PageRequest(first: size)
  }

  /// The page behind the list that is shown for some page.
  func nextPage(_ seed: UInt64) -> PageRequest? {
    guard let page = seed % 4 == 0 ? known.randomElement(seed) : known.first,
      let list = list(store.read(operation(page)))
    else { return nil }
    let size = Int(seed >> 16 % 100) < 60 ? 2 : Int(seed >> 24 % 4) + 1
    if server.kind == .offsets { return PageRequest(first: size, after: "\(list.ids.count)") }
    return list.hasNext ? list.end.map { PageRequest(first: size, after: $0) } : nil
  }

  func previousPage(_ seed: UInt64) -> PageRequest? {
    guard goesBackward, let page = known.filter({ $0.last != nil }).randomElement(seed),
      let list = list(store.read(operation(page))), list.hasPrevious, let start = list.start
    else { return nil }
    return PageRequest(last: Int(seed >> 16 % 3) + 1, before: start)
  }

  @discardableResult
  mutating func send(_ page: PageRequest) -> PageAnswer {
    if !known.contains(page) { known.append(page) }
    let answer = server.answer(page)
    let sentAt = stores.map { $0.beginRequest(for: operation(page)).sentAt }
    pending.append(Request(page: page, answer: answer, clock: clock, sentAt: sentAt))
    return answer
  }

  mutating func fetch(_ page: PageRequest) throws -> String? {
    send(page)
    return try answer(pending.removeLast())
  }

  mutating func answer(_ request: Request) throws -> String? {
    let answer = request.answer
    log.append(
      "  answer to \(request.page) of \(request.clock): \(answer.ids) \(answer.end ?? "-") \(answer.hasNext)"
    )
    for (store, sentAt) in zip(stores, request.sentAt) {
      let result = OperationResult(data: try answer.data.parsed)
      _ = store.receive(result, of: operation(request.page), sentAt: sentAt)
      store.endRequest(sentAt)
    }
    let ids = Set(answer.ids)
    for id in ids where removed[id].map({ $0 < request.clock }) ?? false { removed[id] = nil }
    if answer.hasNext, let end = answer.end {
      given[end, default: []].append(ids)
    } else {
      lastPages.append(ids)
    }
    log.append("  shown: \(shown(request.page))")
    // Otherwise it may have been overtaken.
    let isNewest = request.clock == clock && layers.isEmpty && server.kind != .offsets
    return isNewest ? checkNewest(request) : nil
  }

  /// The newest page is right.
  private func checkNewest(_ request: Request) -> String? {
    guard let list = list(store.read(operation(request.page))) else { return "nothing is shown" }
    let ids = request.answer.ids
    guard let first = ids.first, let last = ids.last else { return nil }
    let isWhole = list.ids.indices.contains { list.ids[$0...].starts(with: ids) }
    if !isWhole { return "the newest page \(ids) is shown as \(list.ids)" }
    if request.page.isHead, !goesBackward, list.ids.first != first {
      return "something precedes the first page \(ids): \(list.ids)"
    }
    if server.kind == .tokens, !request.answer.hasNext, list.ids.last != last {
      return "something follows the last page \(ids): \(list.ids)"
    }
    return nil
  }
}

extension Array {
  func randomElement(_ seed: UInt64) -> Element? {
    isEmpty ? nil : self[Int((seed >> 4) % UInt64(count))]
  }
}
