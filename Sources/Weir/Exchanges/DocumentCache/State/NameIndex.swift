/// The slots that each name (a type, a tag, or a field of unknown type) invalidates, and when each
/// name was invalidated last.
///
/// A member is a slot and its generation. Removing a slot from all its names is one increment of
/// the generation, and a bucket drops its outdated members when they are more than half of it.
/// Slots with the same names share one list: results of one document nearly always have the same
/// names, and one mutation may drop thousands of results.
struct NameIndex {
  typealias ID = Int32

  /// The name of all slots with a field of unknown type.
  static let unknown: ID = 0

  private struct Member {
    let slot: Int32
    let generation: UInt32
  }

  /// The names of a slot.
  private struct Membership {
    var generation: UInt32 = 0
    var list = NameLists.empty
  }

  private struct Bucket {
    var name: String
    var lastInvalidation = LogicalInstant.distantPast
    var members: [Member] = []
    /// How many of the members are not outdated.
    var live = 0
    /// Whether the name is a field of unknown type.
    var isField = false
  }

  private var buckets = [Bucket(name: "")]
  private var ids: [String: ID] = [:]
  /// Separate, because a tag may be spelled like a field.
  private var fieldIDs: [String: ID] = [:]
  private var vacant: [ID] = []
  private var memberships: [Membership] = []
  private var lists = NameLists()
  private var countAtLastPruning = 0

  /// The number of names.
  var count: Int { ids.count + fieldIDs.count }

  // MARK: Names

  /// Returns the number of a name, which it registers if necessary.
  mutating func id(of name: String, isField: Bool = false) -> ID {
    if let id = knownID(of: name, isField: isField) { return id }
    let id: ID
    if let reused = vacant.popLast() {
      id = reused
      buckets[Int(id)] = Bucket(name: name, isField: isField)
    } else {
      id = ID(buckets.count)
      buckets.append(Bucket(name: name, isField: isField))
    }
    if isField { fieldIDs[name] = id } else { ids[name] = id }
    return id
  }

  /// Returns the number of a name that is in use.
  func knownID(of name: String, isField: Bool = false) -> ID? {
    isField ? fieldIDs[name] : ids[name]
  }

  func names(of ids: [ID]) -> Set<String> {
    Set(ids.lazy.filter { $0 != Self.unknown }.map { buckets[Int($0)].name })
  }

  func isField(_ id: ID) -> Bool {
    buckets[Int(id)].isField
  }

  // MARK: Members

  /// Returns the names of a slot.
  func names(of slot: Int32) -> [ID] {
    memberships.indices.contains(Int(slot)) ? lists[memberships[Int(slot)].list] : []
  }

  /// Makes a slot a member of these names and of no others.
  mutating func link(_ slot: Int32, to names: [ID]) {
    while memberships.count <= Int(slot) { memberships.append(Membership()) }
    guard lists[memberships[Int(slot)].list] != names else { return }
    unlink(slot)
    memberships[Int(slot)].list = lists.retain(names)
    let member = Member(slot: slot, generation: memberships[Int(slot)].generation)
    for name in names {
      buckets[Int(name)].live += 1
      buckets[Int(name)].members.append(member)
      compactIfHalfOutdated(name)
    }
  }

  /// Removes a slot from its names.
  mutating func unlink(_ slot: Int32) {
    guard memberships.indices.contains(Int(slot)) else { return }
    let list = memberships[Int(slot)].list
    guard list != NameLists.empty else { return }
    memberships[Int(slot)].list = NameLists.empty
    memberships[Int(slot)].generation &+= 1
    for name in lists[list] { buckets[Int(name)].live -= 1 }
    lists.release(list)
  }

  /// Removes and returns the slots that a name invalidates.
  mutating func takeMembers(of name: ID, invalidatedAt instant: LogicalInstant) -> [Int32] {
    buckets[Int(name)].lastInvalidation = instant
    let members = buckets[Int(name)].members
    buckets[Int(name)].members = []
    return members.compactMap { isCurrent($0) ? $0.slot : nil }
  }

  /// Adds a slot again that `takeMembers` has removed.
  mutating func putBack(_ slot: Int32, under name: ID) {
    let member = Member(slot: slot, generation: memberships[Int(slot)].generation)
    buckets[Int(name)].members.append(member)
  }

  /// Returns the slots that a name invalidates.
  func members(of name: ID) -> [Int32] {
    buckets[Int(name)].members.compactMap { isCurrent($0) ? $0.slot : nil }
  }

  /// Returns the last invalidation of any of these names.
  func lastInvalidation(of names: [ID]) -> LogicalInstant {
    names.reduce(.distantPast) { max($0, buckets[Int($1)].lastInvalidation) }
  }

  private func isCurrent(_ member: Member) -> Bool {
    memberships[Int(member.slot)].generation == member.generation
  }

  private mutating func compactIfHalfOutdated(_ name: ID) {
    guard buckets[Int(name)].members.count > 2 * buckets[Int(name)].live + 16 else { return }
    var members: [Member] = []
    swap(&members, &buckets[Int(name)].members)
    members.removeAll { !isCurrent($0) }
    swap(&members, &buckets[Int(name)].members)
  }

  // MARK: Pruning

  /// Drops the names that have no slots and were invalidated before the oldest request in flight
  /// was sent. This checks all names, so it runs only when their number has doubled.
  mutating func pruneIfGrown(oldestRequest: LogicalInstant?) {
    guard count > 2 * countAtLastPruning + 64 else { return }
    prune(oldestRequest: oldestRequest)
  }

  mutating func prune(oldestRequest: LogicalInstant?) {
    for (name, id) in ids where isForgettable(id, oldestRequest: oldestRequest) {
      ids[name] = nil
      forget(id)
    }
    for (name, id) in fieldIDs where isForgettable(id, oldestRequest: oldestRequest) {
      fieldIDs[name] = nil
      forget(id)
    }
    countAtLastPruning = count
  }

  private func isForgettable(_ id: ID, oldestRequest: LogicalInstant?) -> Bool {
    let bucket = buckets[Int(id)]
    guard bucket.live == 0 else { return false }
    return oldestRequest.map { bucket.lastInvalidation < $0 } ?? true
  }

  private mutating func forget(_ id: ID) {
    buckets[Int(id)] = Bucket(name: "")
    vacant.append(id)
  }
}

/// Lists of names, each stored once while at least one slot uses it.
private struct NameLists {
  typealias ID = Int32

  /// The empty list, which always exists.
  static let empty: ID = 0

  private var lists: [(names: [NameIndex.ID], users: Int)] = [([], 0)]
  private var ids: [[NameIndex.ID]: ID] = [[]: empty]
  private var vacant: [ID] = []

  subscript(list: ID) -> [NameIndex.ID] { lists[Int(list)].names }

  mutating func retain(_ names: [NameIndex.ID]) -> ID {
    if let known = ids[names] {
      lists[Int(known)].users += 1
      return known
    }
    let id: ID
    if let reused = vacant.popLast() {
      id = reused
      lists[Int(id)] = (names, 1)
    } else {
      id = ID(lists.count)
      lists.append((names, 1))
    }
    ids[names] = id
    return id
  }

  mutating func release(_ list: ID) {
    guard list != Self.empty else { return }
    lists[Int(list)].users -= 1
    guard lists[Int(list)].users == 0 else { return }
    ids[lists[Int(list)].names] = nil
    lists[Int(list)].names = []
    vacant.append(list)
  }
}
