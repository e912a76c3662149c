import Weir

extension StoreTransaction {
  /// Data that has a key must be that of the entity it is written to.
  func checkKey(
    of data: JSON, _ type: TypeID, _ target: ReadTarget, _ bindings: Bindings
  ) throws(StoreError) {
    guard case .entity(let entity) = target.origin,
      let key = ComputedKeys.key(of: data, type, node: bindings.plan.root, bindings),
      key != Array(entity.id.utf8)
    else { return }
    throw StoreError(
      .wrongKey,
      "\(target) was not written: the data has the key \(String(decoding: key, as: UTF8.self)).")
  }

  mutating func makeRecord(
    at origin: ReadTarget.Origin, _ type: TypeID
  ) -> RecordReference {
    switch origin {
    case .root(let root): return root.reference
    case .entity(let entity):
      return records.findOrMake(table: catalog.table(of: type), id: entity.id, version: version)
    }
  }

  /// Takes over what a writer has done.
  mutating func take(_ writer: RecordWriter, isUpdate: Bool) {
    outcome.changes.changes.take(writer.changes.changes)
    outcome.refreshed.changes.take(writer.refreshed.changes)
    outcome.shortened.changes.take(writer.shortened.changes)
    if !outcome.staleFields.isEmpty {
      freshen(isUpdate ? writer.changedWrites : writer.writes)
    }
    outcome.writes.take(writer.writes)
    outcome.diagnostics += writer.diagnostics
    outcome.listFields.formUnion(writer.listFields)
    if !catalog.policies.memberships.isEmpty {
      // Data that is the same as before may be new to a list: a query can have brought it first.
      outcome.touched += writer.writes.map(\.record)
    }
  }

  /// Keeps written fields fresh, even if the transaction has invalidated them before.
  private mutating func freshen(
    _ writes: ContiguousArray<(record: RecordReference, fields: WrittenFields)>
  ) {
    let written = writes.reduce(into: [RecordReference: WrittenFields]()) {
      $0[$1.record, default: WrittenFields()].formUnion($1.fields)
    }
    for (record, fields) in written {
      for place in outcome.staleFields.remove(fields, of: record) {
        // A storage carries out the invalidation first.
        var change = ChangeSet.Change(record: record, slots: 0, fields: [])
        change.add(place)
        outcome.refreshed.changes.append(change)
      }
    }
  }
}

extension ContiguousArray {
  /// Appends elements, which are not copied if the array is empty.
  fileprivate mutating func take(_ elements: ContiguousArray) {
    if isEmpty { self = elements } else { self += elements }
  }
}
