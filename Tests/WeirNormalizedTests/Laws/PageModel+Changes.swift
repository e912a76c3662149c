@testable import Weir
@testable import WeirNormalized
import TestSupport
import WeirTesting

// MARK: - Changes

extension PageModel {
  private mutating func mutation(_ seed: UInt64) -> PageMutation? {
    var random = SeededRandom(seed: seed)
    let ids = server.ids
    switch random.below(3) {
    case 0 where !ids.isEmpty: return .edit(random.pick(ids))
    case 1 where !ids.isEmpty: return .delete(random.pick(ids))
    default:
      let (id, rank) = server.makeID(&random)
      return server.filters ? nil : .add(id, rank: rank)
    }
  }

  mutating func show(_ seed: UInt64) throws {
    guard let mutation = mutation(seed) else { return }
    var guess = server
    mutation.perform(on: &guess)
    let operation = mutation.operation
    let sentAt = stores.map { $0.beginRequest(for: operation).sentAt }
    let data = mutation.data(guess)
    guard
      let id = store.showOptimisticResult(
        of: operation.with { $0.optimisticData = data }, sentAt: sentAt[0])
    else { return }
    log.append("  shows \(mutation)")
    layers.append(Layer(id: id, mutation: mutation, clock: clock, sentAt: sentAt))
  }

  mutating func settle(_ seed: UInt64, commits: Bool) throws {
    guard !layers.isEmpty else { return }
    let layer = layers.remove(at: Int(seed % UInt64(layers.count)))
    log.append("  \(commits ? "commits" : "rolls back") \(layer.mutation)")
    if commits {
      try receive(layer.mutation, sentAt: layer.sentAt, layer: layer.id, start: layer.clock)
    } else {
      store.removeLayer(layer.id)
      for (store, sentAt) in zip(stores, layer.sentAt) { store.endRequest(sentAt) }
    }
  }

  mutating func mutate(_ seed: UInt64) throws {
    guard let mutation = mutation(seed) else { return }
    log.append("  \(mutation)")
    let sentAt = stores.map { $0.beginRequest(for: mutation.operation).sentAt }
    try receive(mutation, sentAt: sentAt, layer: nil, start: clock)
  }

  private mutating func receive(
    _ mutation: PageMutation, sentAt: [LogicalInstant], layer: UInt64?, start: Int
  ) throws {
    if case .edit(let id) = mutation, !server.ids.contains(id) {
      if let layer { store.removeLayer(layer) }
      for (store, sentAt) in zip(stores, sentAt) { store.endRequest(sentAt) }
      return
    }
    mutation.perform(on: &server)
    switch mutation {
    case .delete(let id): note(removed: id)
    case .edit(let id), .add(let id, _):
      // A membership puts it into the list again.
      if removed[id] ?? 0 < start || hasMembership { removed[id] = nil }
    }
    for (index, (store, sentAt)) in zip(stores, sentAt).enumerated() {
      store.receiveMutation(
        try mutation.data(server).parsed, errors: [], of: mutation.operation,
        origin: WriteOrigin(sentAt: sentAt, isMutation: true), storesData: true,
        removing: index == 0 ? layer : nil)
      store.endRequest(sentAt)
    }
  }

  /// The app changes the list that a page shows.
  mutating func update(_ seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    guard let page = known.randomElement(seed), let list = list(store.read(operation(page))),
      layers.isEmpty, !list.ids.isEmpty
    else { return }
    let index = random.below(list.ids.count)
    let choice = random.below(3)
    let made = server.makeID(&random)
    if choice > 0 { isEdited = true }
    log.append("  update through \(page): \(choice) at \(index)")
    let new = server.element(made.id, at: made.rank)
    let name = ["cursorEdges": "edges", "edges": "edges", "nodes": "nodes", "tokens": "items"][
      "\(server.kind)"]
    let kind = server.kind
    for store in stores {
      try store.update { transaction in
        try transaction.update(operation(page)) { data in
          var all = (name.map { data["list"]?[$0] } ?? data["list"])?.array ?? []
          switch choice {
          case 0: break
          case 1: all.remove(at: index)
          default:
            guard kind != .cursorEdges else { break }
            all.insert(kind == .edges ? ["__typename": "Edge", "node": new] : new, at: index)
          }
          if let name { data["list"]?[name] = .array(all) } else { data["list"] = .array(all) }
        }
      }
    }
    log.append("  shown: \(shown(page))")
  }

  mutating func remove(_ seed: UInt64) throws {
    guard let page = known.randomElement(seed), let list = list(store.read(operation(page))),
      let id = list.ids.randomElement(seed >> 8)
    else { return }
    log.append("  removes \(id)")
    for store in stores {
      try store.update {
        $0.removeFromLists(Entity("Todo", id: "\(id)"))
        if seed % 2 == 0 { $0.remove(.entity(Entity("Todo", id: "\(id)"))) }
      }
    }
    note(removed: id)
    // A response in flight still has the entity, and is requested again.
    if seed % 2 > 0 { removed[id] = 0 }
  }

  private mutating func note(removed id: Int) {
    removed[id] = clock
    everRemoved.insert(id)
  }

  mutating func invalidate(_ seed: UInt64) throws -> String? {
    let before = known.map(shown)
    for store in stores {
      try store.update {
        switch seed % 3 {
        case 0: $0.invalidate(.type("Todo"))
        case 1: $0.invalidate(.field("list"))
        default: $0.invalidate(.type("Page"))
        }
      }
    }
    return known.map(shown) == before ? nil : "an invalidation changes a list"
  }

  mutating func collect(_ seed: UInt64) async throws {
    guard pending.isEmpty, layers.isEmpty else { return }
    if storage != nil { try await store.flush() }
    store.collect(seed % 2 == 0 ? .bytes(0) : .bytes(Int(seed % 20_000)))
    if storage == nil {
      twin = nil
    } else {
      for page in known { await store.load(operation(page)) }
    }
    watches = [:]
  }

  mutating func restart() async throws -> String? {
    guard let storage, pending.isEmpty, layers.isEmpty else { return nil }
    let before = known.map(shown)
    try await store.flush()
    store = NormalizedStore(
      Self.configuration(server.kind, hasMembership: hasMembership), storage: storage)
    for page in known { await store.load(operation(page)) }
    watches = [:]
    let after = known.map(shown)
    return after == before ? nil : "after a restart: \(after), before: \(before)"
  }
}
