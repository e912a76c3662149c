import Weir

/// What one write has changed, for who follows along.
public struct StoreChanges: Sendable {
  /// The entities, and roots, of which something is different, with the storage keys of the fields
  /// that are; an empty set of fields for an entity that is new or gone. When a store forgets
  /// everything, what it had in memory is gone.
  public let fields: [Entity: Set<String>]

  init(_ changes: ChangeSet, _ records: RecordState, _ catalog: Catalog) {
    var fields: [Entity: Set<String>] = [:]
    for change in changes.changes {
      guard let entity = records.entity(change.record, catalog) else { continue }
      var names: Set<String> = []
      let isGone = change.isRemoved || records.header(change.record).type == .removed
      if !change.isNew, !isGone {
        for (slot, field) in catalog.slotFields(change.record.table).enumerated()
        where change.slots & 1 << UInt64(min(slot, 63)) != 0 {
          names.insert(catalog.info(field).storageKey)
        }
        names.formUnion(change.fields.map { catalog.info($0).storageKey })
      }
      fields[entity, default: []].formUnion(names)
    }
    self.fields = fields
  }

  /// Everything is gone.
  init(gone records: RecordState, _ catalog: Catalog) {
    var fields: [Entity: Set<String>] = [:]
    let results = [RootType.mutation.rawValue, RootType.subscription.rawValue]
    for table in records.tables.indices where !results.contains(table) {
      for row in 0..<records.tables[table].rowCount {
        let record = RecordReference(table: table, row: row)
        guard records.header(record).type != .removed else { continue }
        if let entity = records.entity(record, catalog) { fields[entity] = [] }
      }
    }
    self.fields = fields
  }
}

extension NormalizedStore {
  /// What each write changes, from now on, whoever makes it; optimistic results included. Each
  /// iteration gets all of it; one that is 10,000 writes behind loses the oldest.
  public var changes: AsyncStream<StoreChanges> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: StoreChanges.self, bufferingPolicy: .bufferingNewest(10_000))
    let id = state.withLock { state in
      let id = state.nextVersion()
      state.listeners[id] = continuation
      return id
    }
    continuation.onTermination = { [weak self] _ in
      _ = self?.state.withLock { $0.listeners.removeValue(forKey: id) }
    }
    return stream
  }
}
