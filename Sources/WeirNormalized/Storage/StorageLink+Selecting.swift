import Weir

/// The keys that a transaction's removals and invalidations name.
struct SelectedKeys {
  var removed: Set<ExactString> = []
  var stale: Set<ExactString> = []
}

extension StorageLink {
  func select(
    _ selections: [StoredSelection], _ access: inout StorageThread.Access
  ) throws(StorageError) -> SelectedKeys {
    var selected = SelectedKeys()
    for selection in selections {
      let keys = Set(try self.keys(selection.content, &access).map(ExactString.init))
      if selection.isInvalidation {
        selected.stale.formUnion(keys.subtracting(selected.removed))
      } else {
        selected.removed.formUnion(keys)
        selected.stale.subtract(keys)
      }
    }
    return selected
  }

  func keys(
    _ selection: StoreSelection.Content, _ access: inout StorageThread.Access
  ) throws(StorageError) -> [String] {
    switch selection {
    case .entity(let entity):
      return [StoredKey.text(of: entity)]
    case .field(let name, let entity, let arguments):
      guard entity == .query else { return [StoredKey.text(of: entity)] }
      let prefix = StoredKey.text(ofRootField: name)
      return try access.storage.keys(in: .prefix(prefix)).filter { key in
        guard case .rootField(let storageKey) = StoredKey.meaning(of: key) else { return false }
        return FieldArguments.isVariant(storageKey, of: name, arguments: arguments)
      }
    case .type(let name):
      let number = try access.storage.register([name])
      return try number.first.map { number throws(StorageError) in
        try access.storage.keys(in: .type(number))
      } ?? []
    case .prefix(let prefix):
      return try access.storage.keys(in: .prefix(prefix)).filter { key in
        if case .entity = StoredKey.meaning(of: key) { true } else { false }
      }
    }
  }
}

// MARK: - The budget

extension StorageLink {
  /// Removes what was not used for the longest time, if there is too much, in small steps.
  func collect(_ access: inout StorageThread.Access) throws(StorageError) {
    guard let limit = catalog.configuration.maximumStoredBytes,
      try access.storage.size().bytes > limit
    else { return }
    var aftermath = Aftermath()
    let keys = state.withLock { state in
      RecordCollection(&state, catalog: catalog, written: ChangeSet(), &aftermath)
        .storedKeys(state.records)
    }
    aftermath.fire()
    while try access.storage.size().bytes > limit {
      let removed = try access.storage.collect(
        toBytes: limit - limit / 8, keeping: keys, atMost: 500)
      if removed.isEmpty { return }
    }
  }
}
