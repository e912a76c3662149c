import Weir

/// A record, or a field of the query's root, to be requested from a storage.
struct RecordRequest {
  let key: String
  let content: Content

  enum Content {
    case record(RecordReference)
    /// An entity that memory has no row for.
    indirect case entity(Entity)
    case field(FieldID)
  }
}

extension RecordRequest {
  init(_ entity: Entity) {
    self.init(key: StoredKey.text(of: entity), content: .entity(entity))
  }

  /// A request for a key of the storage; nil for a key that is neither an entity's nor a root field's.
  init?(key: String, _ catalog: Catalog) {
    switch StoredKey.meaning(of: key) {
    case .rootField(let storageKey):
      self.init(key: key, content: .field(catalog.rootField(storedAs: storageKey)))
    case .entity(let entity): self.init(key: key, content: .entity(entity))
    case nil: return nil
    }
  }

  init(_ field: FieldID, _ catalog: Catalog) {
    self.init(key: catalog.storedKey(ofRootField: field), content: .field(field))
  }

  /// A request for an entity to which an optimistic result leads; nil if it was requested already.
  init?(
    _ entity: Entity, beside records: RecordState, _ loaded: LoadedRecords, _ catalog: Catalog
  ) {
    if let record = records.record(of: entity, catalog) {
      guard !loaded.records.contains(record) else { return nil }
      self.init(record, records, catalog)
    } else {
      guard !loaded.absentEntities.contains(entity) else { return nil }
      self.init(entity)
    }
  }

  init(_ record: RecordReference, _ records: RecordState, _ catalog: Catalog) {
    self.init(
      key: records.storedKey(of: record, catalog),
      content: .record(record))
  }
}

extension LoadedRecords {
  /// Memory does not have it any more, and requests it again.
  mutating func remove(_ content: RecordRequest.Content) {
    switch content {
    case .record(let record): records.remove(record)
    case .field(let field): fields.remove(field)
    case .entity(let entity): remove(absent: entity)
    }
  }
}
