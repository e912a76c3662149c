/// Which watched operations depend on which fields of which records.
///
/// A write looks up the records that it has changed, so its cost is proportional to its changes and to
/// the operations that depend on them, however many others are watched.
struct DependencyIndex {
  /// The number of a watched operation.
  typealias Watcher = Int32

  private struct Node {
    var watcher: Watcher
    /// A bit for each slot that is read.
    var slots: UInt64
    var record: RecordReference
    var next: Int32
    var previous: Int32
  }

  private struct FieldKey: Hashable {
    let record: RecordReference
    let field: FieldID
  }

  /// The first node of each record, by table and row; -1 for none.
  private var heads: ContiguousArray<ContiguousArray<Int32>> = []
  private var nodes: ContiguousArray<Node> = []
  private var freeNodes: ContiguousArray<Int32> = []
  private var nodesByWatcher: [Watcher: ContiguousArray<Int32>] = [:]
  /// Records of which an operation depends on all fields, or did so.
  private var readWhole: Set<RecordReference> = []
  /// Fields without slot.
  private var fields: [FieldKey: Set<Watcher>] = [:]
  private var fieldsByWatcher: [Watcher: [FieldKey]] = [:]
  /// Entities that were read but do not exist.
  private var absent: [Entity: Set<Watcher>] = [:]
  private var absentByWatcher: [Watcher: [Entity]] = [:]

  /// Knows which fields are pages of which lists; nil while nothing depends on a list.
  private var catalog: Catalog?

  /// Whether an operation depends on an entity that does not exist.
  var awaitsEntities: Bool { !absent.isEmpty }

  /// How many dependencies are noted.
  var count: Int {
    nodes.count - freeNodes.count + fieldsByWatcher.values.reduce(0) { $0 + $1.count }
  }
}

extension DependencyIndex {
  /// Notes everything that a read has visited.
  mutating func add(
    _ watcher: Watcher, _ trace: borrowing ReadTrace, bindings: inout Bindings
  ) {
    var mine: ContiguousArray<Int32> = []
    for entry in trace.entries {
      let shape = trace.shapes[Int(entry.shape)]
      link(watcher, entry.record, slots: shape.slotMask, &mine)
      for field in shape.overflowFields { add(watcher, entry.record, field) }
      for template in shape.templates {
        let place = bindings.place(template, table: entry.record.table)
        add(watcher, entry.record, place, &mine)
      }
    }
    for (record, _) in trace.others.unseen {
      link(watcher, record, slots: .max, &mine)
      readWhole.insert(record)
    }
    for (record, place) in trace.others.computedFields { add(watcher, record, place, &mine) }
    for entity in trace.others.absentEntities {
      absent[entity, default: []].insert(watcher)
      absentByWatcher[watcher, default: []].append(entity)
    }
    for (record, list) in trace.others.lists {
      catalog = bindings.catalog
      add(watcher, record, list)
    }
    nodesByWatcher[watcher] = mine
  }

  mutating func remove(_ watcher: Watcher) {
    for node in nodesByWatcher.removeValue(forKey: watcher) ?? [] { unlink(node) }
    if nodesByWatcher.isEmpty { readWhole = [] }
    for key in fieldsByWatcher.removeValue(forKey: watcher) ?? [] {
      fields[key]?.remove(watcher)
      if fields[key]?.isEmpty == true { fields[key] = nil }
    }
    for entity in absentByWatcher.removeValue(forKey: watcher) ?? [] {
      absent[entity]?.remove(watcher)
      if absent[entity]?.isEmpty == true { absent[entity] = nil }
    }
  }

  func forEachWatcher(awaiting entity: Entity, _ body: (Watcher) -> Void) {
    for watcher in absent[entity] ?? [] { body(watcher) }
  }

  /// Calls `body` for each operation that depends on a change, perhaps several times for one operation.
  func forEachWatcher(
    of changes: ChangeSet, includingAllFields: Bool = false, _ body: (Watcher) -> Void
  ) {
    guard !nodesByWatcher.isEmpty else { return }
    for change in changes.changes {
      let affectsAll =
        change.isRemoved || change.isNew || change.changesType
        || includingAllFields && change.slots == .max
      // All watches read the query's root, but few depend on one of its fields with arguments.
      let concernsNodes = affectsAll || change.slots != 0 || readWhole.contains(change.record)
      var node = concernsNodes ? head(change.record) : -1
      while node >= 0 {
        let slots = nodes[Int(node)].slots
        // A watcher of all slots depends on the fields without one, too.
        if affectsAll || slots & change.slots != 0 || slots == .max && !change.fields.isEmpty {
          body(nodes[Int(node)].watcher)
        }
        node = nodes[Int(node)].next
      }
      for field in change.fields {
        for watcher in fields[FieldKey(record: change.record, field: field)] ?? [] {
          body(watcher)
        }
        guard let list = catalog?.info(field).list else { continue }
        for watcher in fields[FieldKey(record: change.record, field: list)] ?? [] {
          body(watcher)
        }
      }
    }
  }

  /// The fields without slot that operations depend on.
  var fieldNumbers: Set<FieldID> { Set(fields.keys.map(\.field)) }

  /// Whether a watched operation has read the record.
  func isRead(_ record: RecordReference) -> Bool { head(record) >= 0 }

  private func head(_ record: RecordReference) -> Int32 {
    let (table, row) = (record.table.index, record.row.index)
    return table < heads.count && row < heads[table].count ? heads[table][row] : -1
  }

  /// Adds a node and notes its number in `mine`, unless the watcher has one for the record.
  private mutating func link(
    _ watcher: Watcher, _ record: RecordReference, slots: UInt64,
    _ mine: inout ContiguousArray<Int32>
  ) {
    let (table, row) = (record.table.index, record.row.index)
    while heads.count <= table { heads.append([]) }
    if heads[table].count <= row {
      heads[table].append(contentsOf: repeatElement(-1, count: row + 1 - heads[table].count))
    }
    let next = heads[table][row]
    // Nobody else adds nodes meanwhile, so it would be the first one.
    if next >= 0, nodes[Int(next)].watcher == watcher {
      nodes[Int(next)].slots |= slots
      return
    }
    let node = Node(watcher: watcher, slots: slots, record: record, next: next, previous: -1)
    let index: Int32
    if let free = freeNodes.popLast() {
      index = free
      nodes[Int(free)] = node
    } else {
      index = Int32(nodes.count)
      nodes.append(node)
    }
    if next >= 0 { nodes[Int(next)].previous = index }
    heads[table][row] = index
    mine.append(index)
  }

  private mutating func unlink(_ index: Int32) {
    let node = nodes[Int(index)]
    if node.previous >= 0 {
      nodes[Int(node.previous)].next = node.next
    } else {
      heads[node.record.table.index][node.record.row.index] = node.next
    }
    if node.next >= 0 { nodes[Int(node.next)].previous = node.previous }
    freeNodes.append(index)
  }

  private mutating func add(
    _ watcher: Watcher, _ record: RecordReference, _ place: FieldPlace,
    _ mine: inout ContiguousArray<Int32>
  ) {
    if let slot = place.slot {
      link(watcher, record, slots: slot.bit, &mine)
    } else {
      add(watcher, record, place.field)
    }
  }

  private mutating func add(_ watcher: Watcher, _ record: RecordReference, _ field: FieldID) {
    let key = FieldKey(record: record, field: field)
    if fields[key, default: []].insert(watcher).inserted {
      fieldsByWatcher[watcher, default: []].append(key)
    }
  }
}
