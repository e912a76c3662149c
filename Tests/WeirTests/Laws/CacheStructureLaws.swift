import Testing
@testable import Weir
import WeirTesting

@Suite("Laws of the document cache's structures, compared with naive ones")
struct CacheStructureLaws {
  private static func identity(_ number: Int) -> OperationIdentity {
    OperationIdentity(text: "\(number)", variables: [], scope: nil)
  }

  private static func entry(_ title: String) -> CacheEntry {
    let payload = post(title).payload
    return CacheEntry(
      payload: payload, requestedAt: .next(), receivedAt: .zero,
      cost: CacheEntry.cost(of: payload, nameCount: 1))
  }

  @Test(
    "Slots keep the order of use, counts, bytes, and find abandoned slots",
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
        if watchers.removeValue(forKey: slot) == nil { watchers[slot] = slots[slot].source }
        #expect(slots.isWatched(slot) == (watchers[slot] != nil), "seed \(seed)")
      default:
        var limit = Int.random(in: 0..<6, using: &random)
        while let slot = slots.nextAbandoned(lookingAt: &limit) {
          #expect(empty.contains(slot) && watchers[slot] == nil, "seed \(seed)")
          empty.remove(slot)
          slots.vacate(slot)
        }
      }
      #expect(slots.entryCount == order.count && slots.bytes == costs.values.reduce(0, +))
      #expect(slots.leastRecentlyUsed == order.first && slots.count == empty.count + order.count)
      #expect(slots.idleCount <= empty.count + order.count + 64, "seed \(seed)")
    }
    #expect(slots.leastRecentlyUsedFirst == order, "seed \(seed)")
    watchers = [:]
    var limit = Int.max
    while let slot = slots.nextAbandoned(lookingAt: &limit) {
      empty.remove(slot)
      slots.vacate(slot)
    }
    #expect(empty.isEmpty && slots.idleCount == 0, "seed \(seed)")
  }

  @Test(
    "The name index agrees with a naive one after links, invalidations and pruning",
    arguments: Stress.seeds(4))
  func names(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var index = NameIndex()
    var members: [Int32: Set<String>] = [:]
    var invalidated: [String: LogicalInstant] = [:]
    var oldest = LogicalInstant.next()
    let names = (0..<12).map { "Name\($0)" }
    for _ in 0..<Stress.rounds(debug: 1_000, release: 10_000) {
      let slot = Int32.random(in: 0..<20, using: &random)
      let name = names[Int.random(in: 0..<names.count, using: &random)]
      switch Int.random(in: 0..<6, using: &random) {
      case 0, 1, 2:
        let chosen = Set(names.filter { _ in random.chance(20) })
        let linked = chosen.map { index.id(of: $0) }.sorted()
        index.link(slot, to: linked)
        #expect(index.names(of: slot) == linked, "seed \(seed)")
        members[slot] = chosen
      case 3:
        index.unlink(slot)
        members[slot] = nil
      case 4:
        let instant = LogicalInstant.next()
        let id = index.id(of: name)
        let taken = index.takeMembers(of: id, invalidatedAt: instant)
        #expect(Set(taken) == Set(members.filter { $0.value.contains(name) }.keys), "seed \(seed)")
        #expect(Set(taken).count == taken.count, "seed \(seed)")
        invalidated[name] = instant
        for slot in taken {
          if random.chance(50) {
            index.putBack(slot, under: id)
          } else {
            index.unlink(slot)
            members[slot] = nil
          }
        }
      default:
        if random.chance(20) { oldest = .next() }
        index.prune(oldestRequest: random.chance(50) ? oldest : .distantPast)
      }
      for name in names {
        guard let id = index.knownID(of: name) else {
          // A name may be forgotten only if nothing is listed under it and no request can have
          // missed its invalidation.
          #expect(!members.values.contains { $0.contains(name) }, "seed \(seed)")
          #expect(invalidated[name].map { $0 < oldest } ?? true, "seed \(seed)")
          invalidated[name] = nil
          continue
        }
        #expect(
          Set(index.members(of: id)) == Set(members.filter { $0.value.contains(name) }.keys),
          "seed \(seed)")
        #expect(index.lastInvalidation(of: [id]) == invalidated[name] ?? .distantPast)
      }
    }
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
