/// The changes that one write has made; see ``NormalizedStore/changes(bufferingNewest:)``.
public struct StoreChanges: Sendable {
  /// The changed entities and roots, each with the storage keys of its changed fields.
  ///
  /// The set of fields is empty for an entity that was added or removed. An object without a key is part of
  /// the field that has it. A store that is cleared removes the entities that it had in memory.
  public let fields: [Entity: Set<String>]

  init(
    _ changes: ChangeSet, _ records: RecordState, _ before: RecordState?, _ catalog: Catalog
  ) {
    var fields: [Entity: Set<String>] = [:]
    var whole: Set<Entity> = []
    for change in changes.changes {
      let entity =
        records.entity(change.record, catalog) ?? before?.entity(change.record, catalog)
      guard let entity else {
        let owner =
          records.ownerIfPresent(of: change.record) ?? before?.ownerIfPresent(of: change.record)
        if let owner, let field = owner.field,
          let entity = records.entity(owner.record, catalog)
            ?? before?.entity(owner.record, catalog)
        {
          fields[entity, default: []].insert(catalog.info(field).storageKey)
        }
        continue
      }
      if change.isNew, change.isRemoved, let former = before?.entity(change.record, catalog) {
        // The row was another entity's, which only an optimistic result had made.
        whole.insert(former)
      }
      var names: Set<String> = []
      let isGone = change.isRemoved || records.header(change.record).type == .removed
      if !change.isNew, !isGone {
        let places = change.places(in: change.record.table, catalog)
        names = Set(places.map { catalog.info($0.field).storageKey })
      } else if !change.record.isRoot {
        whole.insert(entity)
      }
      fields[entity, default: []].formUnion(names)
    }
    for entity in whole { fields[entity] = [] }
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
  /// Returns the changes of each write from now on, whatever its source; optimistic results included.
  /// Those of the default partition, unless you call it on another one (``partition(of:)``).
  ///
  /// ```swift
  /// for await changes in store.changes() { index.update(changes.fields.keys) }
  /// ```
  ///
  /// Each call makes a stream for one loop: two loops over one stream would share its elements. The
  /// store collects changes as long as the stream exists, whether or not a loop reads them.
  ///
  /// - Parameter count: The maximum number of writes that a slow loop may be behind. Beyond it, the
  ///   oldest are lost. The default is 10,000.
  /// - Returns: The stream, which ends with the store.
  public func changes(bufferingNewest count: Int = 10_000) -> AsyncStream<StoreChanges> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: StoreChanges.self, bufferingPolicy: .bufferingNewest(max(count, 1)))
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
