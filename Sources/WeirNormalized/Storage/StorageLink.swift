import Weir

/// What connects a store with its storage: the work of the storage's thread.
final class StorageLink: Sendable {
  let thread: StorageThread
  let state: Locked<StoreState>
  let configuration: NormalizedCacheConfiguration
  let catalog: Catalog
  /// Milliseconds since 1970 at the store's zero.
  let epoch: Int64
  let showLayers: @Sendable () -> Void
  /// What follows the changes that others make.
  let listening = Locked<Task<Void, Never>?>(nil)
  private let told = Locked<StorageError.Code?>(nil)
  /// Whether the last look-up has failed.
  private let failed = Locked(false)

  init(
    _ storage: any RecordStorage, _ state: Locked<StoreState>,
    _ configuration: NormalizedCacheConfiguration, _ catalog: Catalog, epoch: Int64,
    showLayers: @escaping @Sendable () -> Void
  ) {
    thread = StorageThread(storage)
    self.state = state
    self.configuration = configuration
    self.catalog = catalog
    self.epoch = epoch
    self.showLayers = showLayers
    let thread = thread
    state.withLock { $0.storage = StorageState(thread: thread) }
    thread.setSave { [self] access in try? save(&access) }
  }

  /// The store is gone; what it has not saved yet is saved.
  func end() {
    listening.withLock { $0?.cancel() }
    thread.end()
  }

  /// Waits until the thread has done something, then does what follows from it.
  func carryOut(
    _ body:
      @escaping @Sendable (
        inout StorageThread.Access, inout Aftermath
      ) throws(StorageError) -> Void
  ) async {
    let answer = OneShot<Aftermath>()
    thread.perform { [self] access in
      var aftermath = Aftermath()
      do throws(StorageError) {
        try body(&access, &aftermath)
        failed.withLock { $0 = false }
      } catch {
        failed.withLock { $0 = true }
        report(error)
      }
      answer.deliver(aftermath)
    }
    if let aftermath = await answer.wait(leavesOnCancellation: false) { settle(aftermath) }
  }

  /// Whether the last look-up has failed: what is saved is not known.
  var isUnreadable: Bool { failed.withLock { $0 } }

  /// Does what has to be done when the lock is open.
  func settle(_ aftermath: Aftermath) {
    if aftermath.isBelowLayers { showLayers() }
    aftermath.fire()
  }

  /// Tells a failure once, until it is another or has passed.
  func report(_ error: StorageError?) {
    if error == nil { failed.withLock { $0 = false } }
    let isNew = told.withLock { told in
      defer { told = error?.code }
      return told != error?.code
    }
    if let error, isNew { configuration.onStorageError?(error) }
  }

  /// The names that the storage has, as far as they were read.
  func names(_ access: inout StorageThread.Access) throws(StorageError) -> RecordNames {
    if let known = access.names { return known }
    let names = RecordNames(try access.storage.names())
    access.names = names
    return names
  }
}
