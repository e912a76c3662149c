internal import WeirSupport

/// The names that invalidate each slot (types, tags, and fields of unknown type), and when each name
/// was invalidated last.
///
/// Invalidating a name only notes the instant. A slot is outdated if one of its names was
/// invalidated after the slot was linked to them, which is compared when the slot is used. So an
/// invalidation costs the names and the watches that wait, not the slots.
///
/// Slots with the same names share one list: results of one document nearly always have the same
/// names.
struct NameIndex {
  typealias ID = Int32

  struct Name {
    var text = ""
    /// Whether the name is a field of unknown type.
    var isField = false
    var lastInvalidation = LogicalInstant.distantPast
    /// How many lists contain the name.
    var users = 0
    /// Those of the lists that have awaited slots.
    var awaited: [ID] = []
    /// The fields that have turned out to return this type; they are invalidated with it.
    var fields: [ID] = []
    /// The types that this field has turned out to return.
    var types: [ID] = []
  }

  /// Names that slots share.
  struct List {
    var names: [ID] = []
    /// While any slot is awaited, the list's position among the awaited lists of each name.
    var positions: [Int32] = []
    /// How many slots have the list.
    var users = 0
    /// The slots that a watch waits for.
    var awaited: [Int32] = []
    /// The last invalidation of any of the names, as of a version of the index.
    var lastInvalidation = LogicalInstant.distantPast
    var version = -1
  }

  struct Membership {
    var list = NameIndex.noNames
    /// The position among the list's awaited slots.
    var position: Int32 = -1
    /// Earlier invalidations do not concern the slot.
    var since = LogicalInstant.distantPast
  }

  /// The list without names, which always exists.
  static let noNames: ID = 0

  var names: [Name] = []
  private var ids: [String: ID] = [:]
  /// Separate, because a tag may be spelled like a field.
  var fieldIDs: [String: ID] = [:]
  private var vacantNames: [ID] = []
  var lists = [List(users: 1)]
  private var listIDs: [[ID]: ID] = [[]: noNames]
  private var vacantLists: [ID] = []
  var memberships: [Membership] = []
  /// Counts invalidations.
  var version = 0
  /// When the fields of unknown type were invalidated last, those included that no response has had
  /// so far.
  var unknownInvalidatedAt = LogicalInstant.distantPast
  private var countAtLastPruning = 0
  /// The names that were asked for last, which are nearly always the next ones, too.
  private var last: (texts: Set<String>, ids: [ID]) = ([], [])

  /// The number of names.
  var count: Int { ids.count + fieldIDs.count }
}

// MARK: - Names

extension NameIndex {
  /// Returns the number of a name, which it registers if necessary.
  mutating func id(of name: String, isField: Bool = false) -> ID {
    if let id = knownID(of: name, isField: isField) { return id }
    let id = vacantNames.popLast() ?? ID(names.count)
    if Int(id) == names.count { names.append(Name()) }
    names[Int(id)] = Name(
      text: name, isField: isField,
      lastInvalidation: isField ? unknownInvalidatedAt : .distantPast)
    if isField { fieldIDs[name] = id } else { ids[name] = id }
    return id
  }

  /// Returns the numbers of names, in order.
  mutating func ids(of texts: Set<String>) -> [ID] {
    if last.texts != texts { last = (texts, texts.map { id(of: $0) }.sorted()) }
    return last.ids
  }

  /// Whether a field of unknown type is in use.
  var hasFields: Bool { !fieldIDs.isEmpty }

  /// Returns the number of a name that is in use.
  func knownID(of name: String, isField: Bool = false) -> ID? {
    isField ? fieldIDs[name] : ids[name]
  }

  /// Returns the types and tags among these names, with the types of fields that are known by now.
  func texts(of ids: [ID]) -> Set<String> {
    Set(ids.flatMap { isField($0) ? names[Int($0)].types : [$0] }.map { names[Int($0)].text })
  }

  /// Returns the fields among these names whose types are still unknown.
  func unknownFields(of ids: [ID]) -> Set<String> {
    Set(ids.filter { isField($0) && names[Int($0)].types.isEmpty }.map { names[Int($0)].text })
  }

  func isField(_ id: ID) -> Bool {
    names[Int(id)].isField
  }

  /// Notes that a field returns a type: from now on that type invalidates the slots of the field.
  mutating func learn(_ field: ID, returns type: String) {
    let type = id(of: type)
    guard !names[Int(type)].fields.contains(field) else { return }
    names[Int(type)].fields.append(field)
    names[Int(field)].types.append(type)
  }

  /// Drops unused names, if their number has doubled: this checks all of them.
  mutating func pruneIfGrown(oldestRequest: LogicalInstant?) {
    guard count > 2 * countAtLastPruning + 64 else { return }
    prune(oldestRequest: oldestRequest)
  }

  /// Drops the names that have no slots and were invalidated before the oldest request in flight
  /// was sent.
  mutating func prune(oldestRequest: LogicalInstant?) {
    for (name, id) in fieldIDs where isForgettable(id, oldestRequest: oldestRequest) {
      fieldIDs[name] = nil
      for type in names[Int(id)].types { names[Int(type)].fields.removeAll { $0 == id } }
      forget(id)
    }
    for (name, id) in ids where isForgettable(id, oldestRequest: oldestRequest) {
      ids[name] = nil
      forget(id)
    }
    countAtLastPruning = count
  }

  private func isForgettable(_ id: ID, oldestRequest: LogicalInstant?) -> Bool {
    let name = names[Int(id)]
    guard name.users == 0, name.fields.isEmpty else { return false }
    return oldestRequest.map { name.lastInvalidation < $0 } ?? true
  }

  private mutating func forget(_ id: ID) {
    names[Int(id)] = Name()
    last = ([], [])
    vacantNames.append(id)
  }
}

// MARK: - Slots

extension NameIndex {
  /// Returns the names of a slot, in order.
  func names(of slot: Int32) -> [ID] { lists[Int(membership(of: slot).list)].names }

  /// Returns the instant since which invalidations concern a slot.
  func since(_ slot: Int32) -> LogicalInstant { membership(of: slot).since }

  private func membership(of slot: Int32) -> Membership {
    Int(slot) < memberships.count ? memberships[Int(slot)] : Membership()
  }

  /// Makes these the names of a slot, in place of its others. Earlier invalidations do not concern
  /// it.
  mutating func link(_ slot: Int32, to names: [ID], since instant: LogicalInstant) {
    while memberships.count <= Int(slot) { memberships.appendSparingly(Membership()) }
    if lists[Int(memberships[Int(slot)].list)].names != names {
      let isAwaited = isAwaited(slot)
      unlink(slot)
      memberships[Int(slot)].list = retain(names)
      if isAwaited { startAwaiting(slot) }
    }
    memberships[Int(slot)].since = instant
  }

  /// Ignores earlier invalidations of a slot's names from now on.
  mutating func settle(_ slot: Int32, at instant: LogicalInstant) {
    guard Int(slot) < memberships.count else { return }
    memberships[Int(slot)].since = max(memberships[Int(slot)].since, instant)
  }

  /// Removes a slot from its names.
  mutating func unlink(_ slot: Int32) {
    guard Int(slot) < memberships.count else { return }
    stopAwaiting(slot)
    release(memberships[Int(slot)].list)
    memberships[Int(slot)] = Membership()
  }

  private mutating func retain(_ ids: [ID]) -> ID {
    if let known = listIDs[ids] {
      lists[Int(known)].users += 1
      return known
    }
    let list = vacantLists.popLast() ?? ID(lists.count)
    if Int(list) == lists.count { lists.append(List()) }
    lists[Int(list)] = List(names: ids, users: 1)
    listIDs[ids] = list
    for name in ids { names[Int(name)].users += 1 }
    return list
  }

  private mutating func release(_ list: ID) {
    guard list != Self.noNames else { return }
    lists[Int(list)].users -= 1
    guard lists[Int(list)].users == 0 else { return }
    listIDs[lists[Int(list)].names] = nil
    for name in lists[Int(list)].names { names[Int(name)].users -= 1 }
    lists[Int(list)] = List()
    vacantLists.append(list)
  }
}
