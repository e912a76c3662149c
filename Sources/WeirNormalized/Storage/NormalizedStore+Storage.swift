public import Weir

extension NormalizedStore {
  /// Waits until all that was written before is in the storage. Without a storage there is nothing
  /// to wait for.
  ///
  /// Changes are saved by themselves, soon after they are made: what a process that is killed can
  /// lose is what came during one commit.
  ///
  /// - Throws: why something could not be saved, or had to be given up since the last call.
  public func flush() async throws(StorageError) {
    guard let link else { return }
    let answer = OneShot<StorageError?>()
    link.thread.perform { access in answer.deliver(link.flush(&access)) }
    if let error = await answer.wait(leavesOnCancellation: false) ?? nil { throw error }
  }

  /// Waits as long as too much is to be saved that can be.
  func waitForRoom() async {
    let isFull = state.withLock { state in
      guard let storage = state.storage, storage.failure == nil else { return false }
      return storage.unsaved.count > configuration.maximumUnsavedRecords
    }
    // Why it could not be saved has been told.
    if isFull { try? await flush() }
  }

  /// The data of an operation, if memory or the storage has everything that it selects; else nil.
  ///
  /// What ``read(_:)-(GraphQLOperation)`` and transactions work with is what is in memory. Where they
  /// need what was written in an earlier run of the app, load it before.
  @discardableResult
  public func load(_ operation: GraphQLOperation) async -> JSON? {
    if let data = read(operation) { return data }
    await load(ReadTarget(operation.ofAnySession))
    return read(operation)
  }

  /// What a fragment selects of an entity, if memory or the storage has everything; else nil.
  @discardableResult
  public func load(_ fragment: GraphQLFragment, of entity: Entity) async -> JSON? {
    if let data = read(fragment, of: entity) { return data }
    await load(ReadTarget(fragment, of: entity, catalog))
    return read(fragment, of: entity)
  }

  /// Whether the storage has to be asked although memory has an answer: that lacks elements of lists,
  /// or some of the fields.
  func lacksStored(_ operation: GraphQLOperation) -> Bool {
    let target = ReadTarget(operation)
    guard let link, let stored = result(of: target), stored.mayLackStored else { return false }
    if link.lacking(target) != nil { return true }
    state.withLock { state in
      guard let entry = state.entries[target.identity],
        entry.isKnownToBeCurrent(at: state.lastVersion)
      else { return }
      entry.hasAllStored = true
    }
    return false
  }

  /// Whether the storage may have other pages of a list that is answered just now.
  func lacksPages(_ operation: GraphQLOperation) -> Bool {
    guard let link, configuration.fields.values.contains(where: { $0.pages != nil }) else {
      return false
    }
    return link.lacking(ReadTarget(operation))?.lists.isEmpty == false
  }

  /// Brings into memory what a read needs and the storage has.
  func load(_ target: ReadTarget) async {
    await load { link, access, aftermath throws(StorageError) in
      try link.load(target, &access, &aftermath)
    }
  }

  /// Brings into memory the lists of the query's root, which the result of a mutation may concern.
  func loadLists() async {
    guard link != nil, state.withLock({ $0.storage?.hasLists == false }) else { return }
    await load { link, access, aftermath throws(StorageError) in
      try link.loadLists(&access, &aftermath)
    }
  }

  /// Brings entities into memory that the storage has.
  func load(_ entities: Set<Entity>) async {
    await load { link, access, aftermath throws(StorageError) in
      try link.load(entities, &access, &aftermath)
    }
  }

  private func load(
    _ body:
      @escaping @Sendable (
        StorageLink, inout StorageThread.Access, inout Aftermath
      ) throws(StorageError) -> Void
  ) async {
    guard let link else { return }
    await link.carryOut { access, aftermath throws(StorageError) in
      try body(link, &access, &aftermath)
    }
  }
}

extension StorageLink {
  fileprivate func flush(_ access: inout StorageThread.Access) -> StorageError? {
    do throws(StorageError) {
      try save(&access)
    } catch {
      return error
    }
    return state.withLock { state in
      defer { state.storage?.loss = nil }
      return state.storage?.loss
    }
  }
}
