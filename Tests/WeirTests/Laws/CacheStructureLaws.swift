import TestSupport
import Testing
@testable import Weir
import WeirTesting

@Suite("Laws of the document cache's structures, compared with naive ones")
struct CacheStructureLaws {
  private static func identity(_ number: Int) -> OperationIdentity {
    OperationIdentity(text: "\(number)", variables: CompactBytes(""), scope: nil)
  }

  private static func entry(_ title: String) -> CacheEntry {
    let payload = post(title).payload
    return CacheEntry(
      payload: payload, requestedAt: .next(), receivedAt: .zero,
      cost: CacheEntry.cost(of: payload, nameCount: 1))
  }

  @Test(
    "Slots keep the order of use, counts and bytes, and take turns",
    arguments: Stress.seeds(4))
  func slots(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var slots = CacheSlots()
    // The model: slots without an entry, slots with one from oldest to newest, and their costs.
    var empty: Set<Int32> = []
    var order: [Int32] = []
    var costs: [Int32: Int] = [:]
    var watchers: [Int32: RefreshSource] = [:]
    for step in 0..<Stress.rounds(debug: 2_000, release: 20_000) {
      switch Int.random(in: 0..<8, using: &random) {
      case 0, 1:
        let slot = slots.make(for: Self.identity(step))
        #expect(!empty.contains(slot) && costs[slot] == nil, "seed \(seed)")
        empty.insert(slot)
      case 2, 3:
        guard let slot = (Array(empty).sorted() + order).randomElement(using: &random) else {
          break
        }
        let made = Self.entry(String(repeating: "t", count: step % 50))
        slots.setEntry(made, of: slot)
        empty.remove(slot)
        order.removeAll { $0 == slot }
        order.append(slot)
        costs[slot] = made.cost
      case 4:
        guard let slot = order.randomElement(using: &random) else { break }
        slots.touch(slot)
        order.removeAll { $0 == slot }
        order.append(slot)
      case 5:
        guard let slot = order.randomElement(using: &random) else { break }
        #expect(slots.removeEntry(of: slot) != nil)
        #expect(slots.removeEntry(of: slot) == nil)
        order.removeAll { $0 == slot }
        costs[slot] = nil
        empty.insert(slot)
      case 6:
        guard let slot = (Array(empty).sorted() + order).randomElement(using: &random) else {
          break
        }
        if watchers.removeValue(forKey: slot) == nil { watchers[slot] = slots.source(of: slot) }
        #expect(slots.isWatched(slot) == (watchers[slot] != nil), "seed \(seed)")
      default:
        guard let slot = empty.sorted().randomElement(using: &random), watchers[slot] == nil
        else { break }
        empty.remove(slot)
        slots.vacate(slot)
      }
      #expect(slots.entryCount == order.count && slots.bytes == costs.values.reduce(0, +))
      #expect(slots.leastRecentlyUsed == order.first && slots.count == empty.count + order.count)
    }
    #expect(slots.leastRecentlyUsedFirst == order, "seed \(seed)")
    let turns = (0..<slots.capacity).compactMap { _ in slots.next() }
    #expect(turns.count == slots.count && Set(turns) == empty.union(order), "seed \(seed)")
  }

  /// What the index knows, kept in the simplest way.
  private struct NamesModel {
    var members: [Int32: (names: Set<String>, since: LogicalInstant)] = [:]
    var awaited: Set<Int32> = []
    var invalidated: [String: LogicalInstant] = [:]

    func isOutdated(_ slot: Int32) -> Bool {
      guard let member = members[slot] else { return false }
      return member.names.contains { invalidated[$0, default: .distantPast] > member.since }
    }

    func awaited(under name: String) -> Set<Int32> {
      awaited.filter { members[$0]?.names.contains(name) == true }
    }
  }

  @Test(
    "The name index agrees with a naive one after links, invalidations and pruning",
    arguments: Stress.seeds(4))
  func names(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var index = NameIndex()
    var model = NamesModel()
    var oldest = LogicalInstant.next()
    let names = (0..<12).map { "Name\($0)" }
    for _ in 0..<Stress.rounds(debug: 1_000, release: 10_000) {
      let slot = Int32.random(in: 0..<20, using: &random)
      let name = names[Int.random(in: 0..<names.count, using: &random)]
      switch Int.random(in: 0..<8, using: &random) {
      case 0, 1, 2:
        let chosen = Set(names.filter { _ in random.chance(20) })
        let linked = chosen.map { index.id(of: $0) }.sorted()
        let since = random.chance(80) ? LogicalInstant.next() : .distantPast
        index.link(slot, to: linked, since: since)
        #expect(index.names(of: slot) == linked, "seed \(seed)")
        model.members[slot] = (chosen, since)
      case 3:
        index.unlink(slot)
        (model.members[slot], _) = (nil, model.awaited.remove(slot))
      case 4, 5:
        let instant = LogicalInstant.next()
        let id = index.id(of: name)
        let woken = index.invalidate([id], includingUnknown: random.chance(50), at: instant)
        #expect(Set(woken) == model.awaited(under: name), "seed \(seed)")
        #expect(Set(woken).count == woken.count, "seed \(seed)")
        model.invalidated[name] = instant
      case 6:
        guard model.members[slot] != nil else { break }
        if random.chance(60) {
          index.startAwaiting(slot)
          model.awaited.insert(slot)
        } else {
          index.stopAwaiting(slot)
          model.awaited.remove(slot)
        }
      default:
        if random.chance(20) { oldest = .next() }
        index.prune(oldestRequest: random.chance(50) ? oldest : .distantPast)
      }
      for slot in Int32(0)..<20 {
        #expect((index.outdated(slot) != nil) == model.isOutdated(slot), "seed \(seed)")
      }
      for name in names {
        if let id = index.knownID(of: name) {
          let instant = model.invalidated[name] ?? .distantPast
          #expect(index.lastInvalidation(of: [id]) == instant)
        } else {
          // A name may be forgotten only if nothing is listed under it and no request can have
          // missed its invalidation.
          #expect(!model.members.values.contains { $0.names.contains(name) }, "seed \(seed)")
          #expect(model.invalidated[name].map { $0 < oldest } ?? true, "seed \(seed)")
          model.invalidated[name] = nil
        }
      }
    }
  }

  @Test("A slot that is no longer awaited costs the same beside many lists as beside few")
  func awaitedLists() {
    func time(_ count: Int32) -> Duration {
      var index = NameIndex()
      let common = index.id(of: "Post")
      for slot in 0..<count {
        let own = index.id(of: "tag \(slot)")
        index.link(slot, to: [common, own], since: .next())
        index.startAwaiting(slot)
      }
      let time = processorTime { for slot in 0..<count { index.stopAwaiting(slot) } }
      #expect(index.invalidate([common], includingUnknown: false, at: .next()) == [])
      return time
    }
    let few = (0..<3).map { _ in time(200) }.min() ?? .zero
    let many = (0..<3).map { _ in time(6_400) }.min() ?? .zero
    #expect(many < few * 96)
  }

  @Test("A field of unknown type is invalidated by everything, then by the types it has returned")
  func unknownFields() {
    var index = NameIndex()
    let field = index.id(of: "Query.posts", isField: true)
    let tag = index.id(of: "Query.posts")
    let other = index.id(of: "Other")
    func link() { index.link(0, to: [field], since: .next()) }
    link()
    _ = index.invalidate([tag, other], includingUnknown: false, at: .next())
    #expect(index.outdated(0) == nil && index.unknownFields(of: [field]) == ["Query.posts"])
    _ = index.invalidate([], includingUnknown: true, at: .next())
    #expect(index.outdated(0) != nil)
    index.learn(field, returns: "Post")
    index.learn(field, returns: "Draft")
    index.learn(field, returns: "Draft")
    #expect(index.texts(of: [field, tag]) == ["Post", "Draft", "Query.posts"])
    #expect(index.unknownFields(of: [field]).isEmpty)
    link()
    _ = index.invalidate([tag, other], includingUnknown: true, at: .next())
    #expect(index.outdated(0) == nil)
    for type in ["Post", "Draft"] {
      _ = index.invalidate([index.id(of: type)], includingUnknown: false, at: .next())
      #expect(index.outdated(0) != nil)
      link()
    }
    index.unlink(0)
    index.prune(oldestRequest: nil)
    #expect(index.count == 0)
  }

  @Test(
    "The request log knows the oldest request in flight, and their number",
    arguments: Stress.seeds(4))
  func requests(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var log = RequestLog()
    var inFlight: [LogicalInstant] = []
    for _ in 0..<Stress.rounds(debug: 3_000, release: 50_000) {
      if random.chance(inFlight.count > 300 ? 20 : 51) {
        inFlight.append(log.begin())
      } else if let index = inFlight.indices.randomElement(using: &random) {
        // Mostly the younger ones, so that ended requests pile up behind an old one.
        let chosen = max(index, Int.random(in: 0...index, using: &random))
        log.end(inFlight.remove(at: chosen))
      }
      #expect(log.oldest == inFlight.first && log.count == inFlight.count, "seed \(seed)")
      #expect(log.footprint <= 8 * inFlight.count + 400, "seed \(seed)")
    }
  }
}
