import GraphQLLanguage

/// Checks united selection sets for fields that conflict.
struct SelectionMerging {
  typealias FieldID = SelectionTable.FieldID
  typealias SetID = SelectionTable.SetID

  struct Conflict {
    let responseKey: String
    let reason: String
    let places: [SourcePlace]
  }

  private struct Key: Hashable {
    let sets: [SetID]
    let isExclusive: Bool
  }

  /// How many fields of one response key are compared with each other after two of them differ.
  static let pairLimit = 30
  /// How many conflicts are reported.
  static let conflictLimit = 1_000

  let schema: TypeSystem
  let table: SelectionTable
  private(set) var conflicts: [Conflict] = []
  private var reported: Set<[FieldID]> = []
  /// The steps from conflicts outwards. Many paths lead to the same step.
  private var steps: Set<Step> = []
  private var checked: Set<Key> = []
  /// How many more fields and selection sets to visit in unions of several sets, and how many more
  /// steps to take; at first far more than any real document needs.
  private var remaining: Int
  /// The same for sets alone, of which a project can have many with the same fragments.
  private var remainingAlone: Int
  private var work: [Work] = []

  init(_ context: DocumentContext) {
    schema = context.schema
    table = context.selections
    remaining = 100_000 + 50 * table.fields.count
    remainingAlone = 1_000_000 + 500 * table.fields.count
  }

  /// Checks a selection set and everything in it. Returns false if that takes too long.
  mutating func check(_ set: SetID) -> Bool {
    add([set], isExclusive: false, origin: nil)
    while let next = work.popLast() {
      check(next)
      guard remaining > 0, remainingAlone > 0 else { return false }
    }
    return true
  }

  private mutating func add(
    _ sets: [SetID], isExclusive: Bool, origin: (fields: [Member], work: Work)?
  ) {
    let sorted = Array(Set(sets)).sorted()
    if isExclusive, checked.contains(Key(sets: sorted, isExclusive: false)) { return }
    guard checked.insert(Key(sets: sorted, isExclusive: isExclusive)).inserted else { return }
    // Each union has added a key.
    work.append(Work(checked.count, sets: sets, isExclusive: isExclusive, origin: origin))
  }
}

// MARK: - Collecting

extension SelectionMerging {
  /// Returns the fields of a union and of its fragments by response key.
  private mutating func groups(of work: Work) -> [[Member]] {
    var positions: [String: Int] = [:]
    var groups: [[Member]] = []
    for set in closure(of: work.sets, in: work) {
      let use = table.sets[set]
      charge(use.fields.count, for: work)
      for field in use.fields {
        let key = table.fields[field].field.responseKey
        if let position = positions[key] {
          groups[position].append(Member(field: field, set: set))
        } else {
          positions[key] = groups.count
          groups.append([Member(field: field, set: set)])
        }
      }
    }
    return groups
  }

  private mutating func closure(of sets: [SetID], in work: Work) -> [SetID] {
    let all = table.closure(of: sets)
    charge(all.count, for: work)
    return all
  }

  /// The number of unions can be exponential. A set alone is checked at most twice, and a project can
  /// have thousands of operations with the same fragments, so it counts much less.
  private mutating func charge(_ count: Int, for work: Work) {
    if work.sets.count > 1 { remaining -= count } else { remainingAlone -= count }
  }

  private mutating func check(_ work: Work) {
    for group in groups(of: work) {
      for agreeing in compared(group, work) { descend(agreeing, work) }
    }
  }

  /// Adds the selection sets of fields that agree to the work.
  private mutating func descend(_ group: [Member], _ work: Work) {
    guard !work.isExclusive, group.count > 1 else {
      return unite(group, work, isExclusive: work.isExclusive)
    }
    let parts = ParentPartition(group.map { table.fields[$0.field].parent })
    if parts.objects.count > 1 { unite(group, work, isExclusive: true) }
    for part in parts.unions { unite(part.map { group[$0] }, work, isExclusive: false) }
  }

  private mutating func unite(_ group: [Member], _ work: Work, isExclusive: Bool) {
    let nested = group.filter { table.fields[$0.field].selectionSet != nil }
    if nested.isEmpty { return }
    add(
      nested.compactMap { table.fields[$0.field].selectionSet }, isExclusive: isExclusive,
      origin: (nested, work))
  }
}

// MARK: - Comparing

extension SelectionMerging {
  /// Compares each field of a group with one that stands for all before it. Only if two differ, all
  /// pairs are compared, up to a limit.
  ///
  /// - Returns: The group, divided into fields that agree.
  private mutating func compared(_ group: [Member], _ work: Work) -> [[Member]] {
    guard group.count > 1 else { return [group] }
    guard let (position, peer) = difference(in: group, work) else { return [group] }
    // The two that differ can be beyond the limit.
    let others = Set([peer, position]).filter { $0 >= Self.pairLimit }.sorted()
    return reportPairs(group.prefix(Self.pairLimit) + others.map { group[$0] }, work)
  }

  /// Returns the position of a field that differs from one before it, and the position of the one that
  /// it was compared with. If it agrees with that one, it differs from the first field of the group.
  private func difference(in group: [Member], _ work: Work) -> (position: Int, peer: Int)? {
    let firstOther = group.firstIndex { table.fields[$0.field].parent?.kind != .object }
    var firstOfType: [ObjectIdentifier: Int] = [:]
    for (position, member) in group.enumerated() {
      var peer = firstOther ?? position
      if firstOther == nil, let parent = table.fields[member.field].parent {
        peer = firstOfType[ObjectIdentifier(parent), default: position]
        firstOfType[ObjectIdentifier(parent)] = peer
      }
      let isSame =
        reason(group[0].field, member.field, isExclusive: true) == nil
        && (work.isExclusive || reason(group[peer].field, member.field, isExclusive: false) == nil)
      if !isSame { return (position, peer) }
    }
    return nil
  }

  private mutating func reportPairs(_ group: [Member], _ work: Work) -> [[Member]] {
    var agreeing: [[Member]] = []
    for (index, member) in group.enumerated() {
      for other in group[..<index] {
        if let reason = conflict(other, member, work) { report(other, member, reason, work) }
      }
      let position = agreeing.firstIndex { conflict($0[0], member, work) == nil }
      if let position { agreeing[position].append(member) } else { agreeing.append([member]) }
    }
    return agreeing
  }

  private func conflict(_ left: Member, _ right: Member, _ work: Work) -> String? {
    let (a, b) = (table.fields[left.field].parent, table.fields[right.field].parent)
    let areDifferentObjects = a?.kind == .object && b?.kind == .object && a !== b
    return reason(
      left.field, right.field, isExclusive: work.isExclusive || areDifferentObjects)
  }

  /// Reports a conflict where the selection sets were united: at the outermost fields of the same
  /// response key that lead to the two fields. If they are too far away for a message, reports it at
  /// the outermost fields that fit.
  private mutating func report(
    _ left: Member, _ right: Member, _ reason: String, _ work: Work, inner: [FieldID] = []
  ) {
    let key = table.fields[left.field].field.responseKey
    // A fragment can belong to several of the united selection sets.
    let (owners, others) = (owners(of: left.set, work), owners(of: right.set, work))
    let haveCommonOwner = owners.isEmpty || !Set(owners).isDisjoint(with: others)
    let isEnd = work.origin == nil || inner.count >= Self.pairLimit
    if haveCommonOwner || isEnd {
      guard reported.insert([left.field, right.field].sorted()).inserted else { return }
      conflicts.append(
        Conflict(
          responseKey: key, reason: reason,
          places: ([left.field, right.field] + inner).map { id in
            SourcePlace(file: table.fields[id].file, location: table.fields[id].field.location)
          }))
    }
    guard !isEnd, let origin = work.origin else { return }
    for a in owners.prefix(Self.pairLimit) {
      for b in others.prefix(Self.pairLimit)
      where a != b && conflicts.count < Self.conflictLimit && remaining > 0 {
        let (first, second) = (origin.fields[min(a, b)], origin.fields[max(a, b)])
        let step = Step(work: origin.work.number, left: first.field, right: second.field)
        guard steps.insert(step).inserted else { continue }
        remaining -= 1
        report(
          first, second, "subfields \"\(key)\" conflict because \(reason)", origin.work,
          inner: [left.field, right.field] + inner)
      }
    }
  }

  /// Returns the positions of the united selection sets that contain a set or a spread of its
  /// fragment.
  private mutating func owners(of set: SetID, _ work: Work) -> [Int] {
    if let owners = work.owners { return owners[set] ?? [] }
    var owners: [SetID: [Int]] = [:]
    for (position, united) in work.sets.enumerated() where remaining > 0 {
      for inner in closure(of: [united], in: work) {
        owners[inner, default: []].append(position)
      }
    }
    work.owners = owners
    return owners[set] ?? []
  }
}
