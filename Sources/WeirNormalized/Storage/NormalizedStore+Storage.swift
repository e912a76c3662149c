import Weir

extension NormalizedStore {
  /// Creates a store.
  ///
  /// With a storage, the store has what was saved in earlier runs of the app; without one it begins empty
  /// and is lost when the process ends.
  ///
  /// - Parameters:
  ///   - configuration: describes the API, and limits how much is kept.
  ///   - storage: saves the records beyond the life of the process. Several stores may share it, and
  ///     several storages may use one file. Nothing is read before it is needed.
  ///   - clock: measures times to live.
  public convenience init(
    _ configuration: NormalizedCacheConfiguration = NormalizedCacheConfiguration(),
    storage: (any RecordStorage)? = nil, clock: some Clock<Duration> = ContinuousClock()
  ) {
    self.init(configuration, clock: clock) { state, now in
      storage.map { StorageLink($0, state, configuration, now: now) }
    }
  }

  /// Waits until all earlier writes are in the storage. Returns at once without a storage.
  ///
  /// Changes are saved automatically, soon after they are made: a process that is killed can lose the
  /// changes made during one commit.
  ///
  /// - Throws: why changes could not be saved, or were lost since the last call.
  public func flush() async throws(StorageError) {
    for store in withPartitions { try await store.link?.flush() }
  }

  /// Waits while there are too many unsaved changes that can be saved.
  func waitForRoom() async {
    let isFull = state.withLock { state in
      guard let storage = state.storage, storage.failure == nil else { return false }
      return storage.unsaved.count > configuration.maximumUnsavedRecords
    }
    // A flush would hide a loss from the app's next one.
    if isFull { await link?.save() }
  }

  /// Brings everything into memory that the storage has, as long as
  /// ``NormalizedCacheConfiguration/maximumBytes`` leaves room. Returns at once without a storage.
  ///
  /// Synchronous reads see only what is in memory: `client.peek`, ``read(_:)-(GraphQLOperation)`` and
  /// transactions. Call this before the first frame of your app, so that it shows what the last run
  /// has left; for a large storage, load what the first view shows by ``load(_:)-(GraphQLOperation)`` instead. The cost is
  /// proportional to the size of the storage. Also loads the partitions for other endpoints and headers
  /// that are in use.
  public func load() async {
    for store in withPartitions { await store.link?.loadAll() }
  }

  /// Whether the storage has to be asked although memory has a result: one that lacks fields, or elements
  /// of lists.
  func lacksStored(_ operation: GraphQLOperation) -> Bool {
    guard let link else { return false }
    let target = ReadTarget(executing: operation)
    guard let stored = result(of: target), stored.mayLackStored else { return false }
    if link.mayComplete(target) { return true }
    state.withLock { state in
      guard let entry = state.results[target.identity],
        entry.isKnownToBeCurrent(at: state.lastVersion)
      else { return }
      entry.storageHasNoMore = true
    }
    return false
  }

  /// Whether the storage may have other pages of a list that a response brings.
  func lacksPages(_ operation: GraphQLOperation) -> Bool {
    guard let link, selectsPages(operation) else { return false }
    return link.mayComplete(ReadTarget(executing: operation))
  }

  private func selectsPages(_ operation: GraphQLOperation) -> Bool {
    let plan = catalog.plan(for: operation.prepared)
    return plan.declaresPages
      || configuration.fields.contains { path, policy in
        policy.pages != nil
          && path.firstIndex(of: ".").map { plan.selects(path[path.index(after: $0)...]) } ?? false
      }
  }

  /// Brings the lists of the query's root into memory, which the result of a mutation may affect.
  func loadLists() async {
    if state.withLock({ $0.storage?.hasLists == false }) { await link?.loadLists() }
  }
}
