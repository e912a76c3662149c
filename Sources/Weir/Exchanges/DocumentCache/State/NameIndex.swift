/// Which slots are invalidated by which name (a type, a tag, or a field whose type is unknown), and
/// when each name was invalidated last.
///
/// Membership is noted as (slot, generation): taking a slot out of all its names is one increment,
/// and buckets drop what is outdated when that is more than half of them. Slots with the same names
/// share the list of them: results of one document nearly always have the same, and one mutation
/// drops thousands.
struct NameIndex {
  typealias ID = Int32

  /// The name that every slot with a field of unknown type has.
  static let unknown: ID = 0

  private struct Member {
    let slot: Int32
    let generation: UInt32
  }

  /// What is known of a slot.
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
    /// Whether it stands for a field whose type is unknown.
    var isField = false
  }

  private var buckets = [Bucket(name: "")]
  private var ids: [String: ID] = [:]
  /// Apart, for a tag may be spelled like a field.
  private var fieldIDs: [String: ID] = [:]
  private var vacant: [ID] = []
  private var memberships: [Membership] = []
  private var lists = NameLists()
  private var countAtLastPruning = 0

  /// How many names there are.
  var count: Int { ids.count + fieldIDs.count }

  // MARK: Names

  /// The number of a name.
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

  /// The number of a name that is in use.
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

  /// The names that a slot is listed under.
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

  /// Takes a slot out of its names.
  mutating func unlink(_ slot: Int32) {
    guard memberships.indices.contains(Int(slot)) else { return }
    let list = memberships[Int(slot)].list
    guard list != NameLists.empty else { return }
    memberships[Int(slot)].list = NameLists.empty
    memberships[Int(slot)].generation &+= 1
    for name in lists[list] { buckets[Int(name)].live -= 1 }
    lists.release(list)
  }

  /// The slots that a name invalidates; they are no longer listed under it.
  mutating func takeMembers(of name: ID, invalidatedAt instant: LogicalInstant) -> [Int32] {
    buckets[Int(name)].lastInvalidation = instant
    let members = buckets[Int(name)].members
    buckets[Int(name)].members = []
    return members.compactMap { isCurrent($0) ? $0.slot : nil }
  }

  /// Lists a slot again that `takeMembers` has taken out.
  mutating func putBack(_ slot: Int32, under name: ID) {
    let member = Member(slot: slot, generation: memberships[Int(slot)].generation)
    buckets[Int(name)].members.append(member)
  }

  /// The slots listed under a name.
  func members(of name: ID) -> [Int32] {
    buckets[Int(name)].members.compactMap { isCurrent($0) ? $0.slot : nil }
  }

  /// The last invalidation of any of these names.
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

  /// Forgets names that nothing is listed under and whose last invalidation no request in flight
  /// can have missed. It looks at all names, so only when they have doubled since the last time.
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

/// Lists of names, each kept once for as long as somebody has it.
private struct NameLists {
  typealias ID = Int32

  /// The list without names, which is always there.
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
