extension StoreState {
  /// Records have changed, which the storage has to save.
  mutating func noteUnsaved(_ changes: ChangeSet) {
    guard let requestSave = storage?.requestSave, !changes.isEmpty else { return }
    for change in changes.changes {
      guard let owner = records.owner(of: change.record) else { continue }
      if owner.record == RootType.query.reference {
        noteUnsaved(rootFields: change, embeddedIn: owner.field)
      } else if !owner.record.isRoot {
        storage?.unsaved.records.insert(owner.record)
        noteRemovals(change, from: owner.record)
        if change.isNew, storage?.loaded.absentEntities.isEmpty == false,
          let entity = records.entity(owner.record, catalog)
        {
          storage?.loaded.remove(absent: entity)
        }
      }
    }
    effects.save = requestSave
  }

  /// Records were removed or invalidated by name, which the storage has to do, too.
  mutating func noteUnsaved(_ selections: [StorageChange]) {
    guard let requestSave = storage?.requestSave, !selections.isEmpty else { return }
    let isFailing = isDegraded
    for selection in selections {
      if case .selection(.field(_, let entity, _)) = selection.content, entity != .query,
        let record = records.record(of: entity, catalog), records.header(record).type != .removed
      {
        // Memory has all of it, and has changed.
        if storage?.loaded.records.contains(record) == true { continue }
        storage?.unsaved.records.insert(record)
      }
      if case .stored(let field) = selection.content,
        storage?.staleFields.insert(field).inserted == false
      {
        continue
      }
      storage?.unsaved.append(selection, replacesEqual: isFailing)
    }
    effects.save = requestSave
  }

  private mutating func noteUnsaved(
    rootFields change: ChangeSet.Change, embeddedIn field: FieldID?
  ) {
    let root = RootType.query.reference
    let changed =
      field.map { [FieldPlace(besideRow: $0)] }
      ?? (change.slots == .max
        ? records.places(of: root, catalog) : change.places(in: root.table, catalog))
    let isRemoval =
      change.places(in: change.record.table, catalog)
      .contains { records.cell(change.record, $0).isAbsent }
      && !records.isWithinList(change.record, catalog)
    for place in changed {
      storage?.unsaved.fields.insert(place.field)
      if isRemoval { storage?.loaded.insert(place.field) }
    }
  }

  /// Removed fields must not return when the storage is read. That may happen to a record that is loaded,
  /// too: another store's change makes it be merged with what is stored.
  private mutating func noteRemovals(_ change: ChangeSet.Change, from owner: RecordReference) {
    if records.header(owner).type == .removed {
      storage?.loaded.records.insert(owner)
      storage?.unsaved.removedFields[owner] = nil
      return
    }
    if change.isNew || change.slots == .max || !records.mayLackField(of: change) { return }
    let removed = change.places(in: change.record.table, catalog)
      .filter { records.cell(change.record, $0).isAbsent }
    if removed.isEmpty { return }
    if owner == change.record {
      storage?.unsaved.removedFields[owner, default: []].formUnion(removed.map(\.field))
    } else if !records.isWithinList(change.record, catalog) {
      // Part of an embedded object: what only the storage has of its owner is lost with it.
      storage?.loaded.records.insert(owner)
    }
  }
}
