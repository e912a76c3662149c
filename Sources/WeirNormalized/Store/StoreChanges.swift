/// The changes that one write has made; see ``NormalizedStore/changes``.
public struct StoreChanges: Sendable {
  /// The changed entities and roots, each with the storage keys of its changed fields.
  ///
  /// The set of fields is empty for an entity that was added or removed. A store that is cleared removes
  /// the entities that it had in memory.
  public let fields: [Entity: Set<String>]

  init(
    _ changes: ChangeSet, _ records: RecordState, _ before: RecordState?, _ catalog: Catalog
  ) {
    var fields: [Entity: Set<String>] = [:]
    for change in changes.changes {
      let entity =
        records.entity(change.record, catalog) ?? before?.entity(change.record, catalog)
      guard let entity else { continue }
      var names: Set<String> = []
      let isGone = change.isRemoved || records.header(change.record).type == .removed
      if !change.isNew, !isGone {
        let places = change.places(in: change.record.table, catalog)
        names = Set(places.map { catalog.info($0.field).storageKey })
      }
      fields[entity, default: []].formUnion(names)
    }
    self.fields = fields
  }

  /// All records were removed.
  init(removed records: RecordState, _ catalog: Catalog) {
    var fields: [Entity: Set<String>] = [.query: []]
    for record in records.entities() where records.header(record).type != .removed {
      if let entity = records.entity(record, catalog) { fields[entity] = [] }
    }
    self.fields = fields
  }
}

extension NormalizedStore {
  /// The changes of each write from now on, whatever its source; optimistic results included. Those of
  /// the default partition, unless you call it on another one (``partition(of:)``).
  ///
  /// Each iteration gets all changes; one that is 10,000 writes behind loses the oldest.
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
