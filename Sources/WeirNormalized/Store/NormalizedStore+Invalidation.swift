import Weir

extension NormalizedStore {
  /// Marks records as stale and wakes who shows them; the data stay. Within a transaction it waits
  /// for its end.
  func invalidate(_ invalidation: Invalidation) {
    if let running = RunningTransaction.calling(self) { return running.postpone(invalidation) }
    var aftermath = Aftermath()
    let catalog = catalog
    let hasLayers = state.withLock { state -> Bool in
      switch invalidation {
      case .types(let names):
        // Also of types that a response under way is the first to bring.
        let types = Set(names.compactMap(catalog.type))
        state.invalidate(types: types, catalog: catalog, &aftermath)
        state.noteUnsaved(
          names.map { StoredSelection(.type($0), isInvalidation: true) }, catalog: catalog,
          &aftermath)
      case .operation(let operation):
        let entry = state.entry(for: ReadTarget(operation), catalog: catalog, &aftermath)
        let fields = entry.rootFields(catalog: catalog)
        state.invalidate(fields: fields, catalog: catalog, &aftermath)
        state.noteUnsaved(
          fields.map { _, place in
            let info = catalog.info(place.field)
            let arguments = FieldArguments.arguments(in: info.storageKey, name: info.name)
            return StoredSelection(
              .field(info.name, .query, arguments: arguments), isInvalidation: true)
          }, catalog: catalog, &aftermath)
      case .all:
        state.clear(catalog, &aftermath)
      }
      return !state.layers.isEmpty
    }
    if hasLayers { showLayers() }
    aftermath.fire()
  }

  func switchSession(to session: Session) {
    var aftermath = Aftermath()
    state.withLock { $0.switchSession(to: session, catalog, &aftermath) }
    aftermath.fire()
  }
}

extension OperationEntry {
  /// Where the operation begins: its fields of the root.
  func rootFields(catalog: Catalog) -> [(record: RecordReference, place: FieldPlace)] {
    guard case .root(let root) = target.origin else { return [] }
    let shape = bindings.shape(bindings.plan.root, root.type, isRoot: true)
    return shape.fields.compactMap { field in
      bindings.place(field.place, table: root.reference.table).map { (root.reference, $0) }
    }
  }
}
