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

  /// A union of selection sets to check.
  private struct Work {
    let sets: [SetID]
    /// Whether the sets belong to different object types, so that only one of them applies to an
    /// object: then names and arguments may differ, but not the shapes of the values.
    let isExclusive: Bool
    let origin: Origin?
  }

  /// The fields whose selection sets were united, for messages.
  final class Origin {
    let fields: [FieldID]
    /// For each field, its position among the `owners` of the outer origin.
    let owners: [Int]
    let outer: Origin?

    init(fields: [FieldID], owners: [Int], outer: Origin?) {
      self.fields = fields
      self.owners = owners
      self.outer = outer
    }
  }

  private struct Key: Hashable {
    let sets: [SetID]
    let isExclusive: Bool
  }

  /// Far above the fields that any real document visits.
  static let limit = 2_000_000

  let schema: TypeSystem
  let table: SelectionTable
  private(set) var conflicts: [Conflict] = []
  private var reported: Set<[FieldID]> = []
  private var checked: Set<Key> = []
  private var remaining = SelectionMerging.limit
  private var work: [Work] = []

  init(_ context: DocumentContext) {
    schema = context.schema
    table = context.selections
  }

  /// Checks a selection set and everything in it. Returns false if that takes too long.
  mutating func check(_ set: SetID) -> Bool {
    add([set], isExclusive: false, origin: nil)
    while let next = work.popLast() {
      check(next)
      guard remaining > 0 else { return false }
    }
    return true
  }

  private mutating func add(_ sets: [SetID], isExclusive: Bool, origin: Origin?) {
    let sorted = Array(Set(sets)).sorted()
    if isExclusive, checked.contains(Key(sets: sorted, isExclusive: false)) { return }
    guard checked.insert(Key(sets: sorted, isExclusive: isExclusive)).inserted else { return }
    work.append(Work(sets: sets, isExclusive: isExclusive, origin: origin))
  }
}

// MARK: - Collecting

extension SelectionMerging {
  /// The fields of one response key in a union of selection sets.
  struct Group {
    var fields: [FieldID] = []
    /// For each field, the position of the selection set that it was found through.
    var owners: [Int] = []
  }

  /// Returns the fields of selection sets and their fragments by response key.
  private mutating func groups(of sets: [SetID]) -> [Group] {
    var positions: [String: Int] = [:]
    var groups: [Group] = []
    var visited: Set<SetID> = []
    for (owner, set) in sets.enumerated() {
      var stack = [set]
      while let set = stack.popLast() {
        guard visited.insert(set).inserted else { continue }
        let use = table.sets[set]
        remaining -= use.fields.count + 1
        for field in use.fields {
          let key = table.fields[field].field.responseKey
          let position = positions[key] ?? groups.count
          if position == groups.count {
            positions[key] = position
            groups.append(Group())
          }
          groups[position].fields.append(field)
          groups[position].owners.append(owner)
        }
        stack += use.spreads.reversed().compactMap { table.fragmentSets[$0] }
      }
    }
    return groups
  }

  private mutating func check(_ work: Work) {
    for group in groups(of: work.sets) {
      if group.fields.count > 1 { compare(group, work) }
      descend(group, work)
    }
  }

  /// Adds the selection sets of the fields of a group to the work.
  private mutating func descend(_ group: Group, _ work: Work) {
    guard !work.isExclusive, group.fields.count > 1 else {
      return unite(group.fields.indices.map(\.self), group, work, isExclusive: work.isExclusive)
    }
    let parts = Partition(group.fields.map { table.fields[$0].parent })
    if parts.objects.count > 1 {
      unite(Array(group.fields.indices), group, work, isExclusive: true)
    }
    for part in parts.unions { unite(part, group, work, isExclusive: false) }
  }

  private mutating func unite(
    _ members: [Int], _ group: Group, _ work: Work, isExclusive: Bool
  ) {
    let nested = members.filter { table.fields[group.fields[$0]].selectionSet != nil }
    let sets = nested.compactMap { table.fields[group.fields[$0]].selectionSet }
    if sets.isEmpty { return }
    let origin = Origin(
      fields: nested.map { group.fields[$0] }, owners: nested.map { group.owners[$0] },
      outer: work.origin)
    add(sets, isExclusive: isExclusive, origin: origin)
  }
}

/// Fields by the types that they are selected from. Fields of two object types never apply to the
/// same object; any other two may.
private struct Partition {
  /// For each object type, the positions of its fields.
  private(set) var objects: [[Int]] = []
  /// The positions of the fields of interfaces, unions and unknown types.
  private(set) var others: [Int] = []

  init(_ parents: [SchemaType?]) {
    var positions: [ObjectIdentifier: Int] = [:]
    for (index, parent) in parents.enumerated() {
      guard let parent, parent.kind == .object else {
        others.append(index)
        continue
      }
      if let position = positions[ObjectIdentifier(parent)] {
        objects[position].append(index)
      } else {
        positions[ObjectIdentifier(parent)] = objects.count
        objects.append([index])
      }
    }
  }

  /// The sets of fields that may apply to the same object.
  var unions: [[Int]] {
    if objects.isEmpty { return [others] }
    return others.isEmpty ? objects : objects.map { ($0 + others).sorted() }
  }
}

// MARK: - Comparing

extension SelectionMerging {
  /// Compares each field of a group with one that stands for all before it. Only if two differ, all
  /// pairs are compared, up to a limit.
  private mutating func compare(_ group: Group, _ work: Work) {
    let first = group.fields[0]
    let firstOther = group.fields.first { table.fields[$0].parent?.kind != .object }
    var firstOfType: [ObjectIdentifier: FieldID] = [:]
    let agree = group.fields.allSatisfy { field in
      var peer = firstOther ?? field
      if firstOther == nil, let parent = table.fields[field].parent {
        peer = firstOfType[ObjectIdentifier(parent), default: field]
        firstOfType[ObjectIdentifier(parent)] = peer
      }
      return reason(first, field, isExclusive: true) == nil
        && (work.isExclusive || reason(peer, field, isExclusive: false) == nil)
    }
    if !agree { reportPairs(group, work) }
  }

  private mutating func reportPairs(_ group: Group, _ work: Work) {
    let count = min(group.fields.count, 30)
    for i in 0..<count {
      for j in (i + 1)..<max(count, i + 1) {
        let (a, b) = (table.fields[group.fields[i]], table.fields[group.fields[j]])
        let areDifferentObjects =
          a.parent?.kind == .object && b.parent?.kind == .object && a.parent !== b.parent
        let isExclusive = work.isExclusive || areDifferentObjects
        if let reason = reason(group.fields[i], group.fields[j], isExclusive: isExclusive) {
          report(group, i, j, reason, work)
        }
      }
    }
  }

  /// Reports a conflict where the selection sets were united: at the outermost fields of the same
  /// response key that lead to the two fields.
  private mutating func report(
    _ group: Group, _ i: Int, _ j: Int, _ reason: String, _ work: Work
  ) {
    var (left, right) = ([group.fields[i]], [group.fields[j]])
    var (a, b) = (group.owners[i], group.owners[j])
    var reason = reason
    var origin = work.origin
    while let place = origin, a != b {
      let key = table.fields[left[0]].field.responseKey
      reason = "subfields \"\(key)\" conflict because \(reason)"
      left.insert(place.fields[a], at: 0)
      right.insert(place.fields[b], at: 0)
      (a, b) = (place.owners[a], place.owners[b])
      origin = place.outer
    }
    guard reported.insert([left[0], right[0]]).inserted else { return }
    conflicts.append(
      Conflict(
        responseKey: table.fields[left[0]].field.responseKey, reason: reason,
        places: (left + right).map { id in
          SourcePlace(file: table.fields[id].file, location: table.fields[id].field.location)
        }))
  }
}
