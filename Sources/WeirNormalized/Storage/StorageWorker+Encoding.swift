import Weir

extension StorageWorker {
  /// - Returns: the fields that hold embedded objects.
  mutating func encode(
    _ work: Work, into batch: inout RecordBatch
  ) throws(StorageError) -> Set<LearnedNames.List> {
    let start = batch
    // Most names occur here, so that the encoding hardly ever runs twice.
    try encoding(work.records) { encoder in
      var types: Set<TypeID> = [.removed]
      for record in work.changes.records {
        let type = work.records.header(record).type
        if types.insert(type).inserted { encoder.meetNames(of: record) }
      }
      if !work.changes.fields.isEmpty { encoder.meetNames(of: RootType.query.reference) }
    }
    let catalog = catalog
    return try encoding(work.records) { encoder in
      batch = start
      work.encode(into: &batch, &encoder, catalog)
      return encoder.holders
    }
  }

  /// Runs `body`, and runs it again if it has met names without numbers.
  mutating func encoding<Result>(
    _ records: RecordState, _ body: (inout RecordEncoder) -> Result
  ) throws(StorageError) -> Result {
    while true {
      var encoder = RecordEncoder(records, catalog, names: try names())
      let result = body(&encoder)
      if encoder.names.unnumbered.isEmpty { return result }
      var names = encoder.names
      let storage = storage
      try names.number { (unnumbered) throws(StorageError) in try storage.register(unnumbered) }
      knownNames = names
    }
  }
}

extension StorageWorker.Work {
  fileprivate func encode(
    into batch: inout RecordBatch, _ encoder: inout RecordEncoder, _ catalog: Catalog
  ) {
    for record in changes.records {
      let type = records.header(record).type
      let key = records.storedKey(of: record, catalog)
      if type == .removed {
        // Otherwise only a field was removed, and the storage has nothing of the record.
        guard loaded.records.contains(record) else { continue }
        batch.removedKeys.append(key)
      } else {
        let value = encoder.value { $0.append(record) }
        let type = encoder.names.number(catalog.typename(type))
        batch.records.append(StoredRecord(key: key, type: type, value: value))
      }
    }
    let root = RootType.query.reference
    // Whatever the schema calls it, which may be known in the next run only.
    let typename = GraphQLOperation.Kind.query.typename
    for field in changes.fields {
      let key = catalog.storedKey(ofRootField: field)
      let place = catalog.rootPlace(field)
      if records.cell(root, place).isAbsent {
        batch.removedKeys.append(key)
      } else {
        let value = encoder.value { $0.append(root, only: place) }
        let type = encoder.names.number(typename)
        batch.records.append(StoredRecord(key: key, type: type, value: value))
      }
    }
  }
}

extension RecordEncoder {
  /// The bytes of a stored value.
  mutating func value(_ append: (inout RecordEncoder) -> Void) -> [UInt8] {
    self.append(byte: StoredValue.version)
    self.append(byte: 0)
    append(&self)
    return take()
  }
}
