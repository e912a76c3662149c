import Foundation
import Weir

/// Connects a store with its storage, by the one thread that touches the storage.
final class StorageLink: RecordSource {
  let storage: any RecordStorage
  let state: GuardedState
  let configuration: NormalizedCacheConfiguration
  /// The longest time to live; nil if there is none.
  private let longestTimeToLive: Duration?
  /// The time of the store's clock, since 1970.
  private let now: @Sendable () -> Duration
  /// The link of the main store; nil for its own.
  let parent: StorageLink?
  /// The links of the partitions that exist.
  let partitionLinks = Locked<[WeakLink]>([])
  /// Follows the changes that others make to the storage.
  let listening = Locked<(task: Task<Void, Never>?, hasEnded: Bool)>((nil, false))
  /// The kinds of failures since the storage has last worked; the main store's are those of all partitions.
  private let reported = Locked<Set<StorageError.Code>>([])
  /// The stores that could not read something for which a watch may wait, by their links. The main store's are
  /// those of all partitions, because another one may be the first to find that the storage works again.
  private let missed = Locked<[ObjectIdentifier: WeakLink]>([:])
  private let thread: StorageThread
  // Proof: only the storage's thread reads and writes it.
  private nonisolated(unsafe) var worker: StorageWorker?
  /// How often everything was removed from the storage. Proof: as `worker`.
  nonisolated(unsafe) var removalCount = 0

  typealias Work = @Sendable (inout StorageWorker) -> Void

  struct WeakLink {
    weak var link: StorageLink?
  }

  init(
    _ storage: any RecordStorage, _ state: GuardedState,
    _ configuration: NormalizedCacheConfiguration, now: @escaping @Sendable () -> Duration,
    parent: StorageLink? = nil
  ) {
    self.storage = storage
    self.state = state
    self.configuration = configuration
    self.now = now
    longestTimeToLive = configuration.longestTimeToLive
    self.parent = parent
    thread = parent?.thread ?? StorageThread()
    let sync = StorageSync(
      hasBudget: configuration.maximumStoredBytes != nil,
      maximumUnsaved: configuration.maximumUnsavedRecords
    ) { [weak self] in
      self.map { $0.thread.save($0) }
    }
    state.withLock { $0.storage = sync }
    if parent == nil { SharedStorages.shared.add(self) }
    thread.resume { $0.users += 1 }
    parent?.partitionLinks.withLock { parts in
      parts.removeAll { $0.link == nil }
      parts.append(WeakLink(link: self))
    }
  }

  deinit {
    // Not before: the store's last changes, and partitions that the app holds, need to be told.
    if parent == nil { SharedStorages.shared.remove(self) }
  }

  /// The same storage for a partition.
  func partition(of context: OperationContext, _ state: GuardedState) -> any RecordSource {
    StorageLink(
      PartitionStorage(context, in: storage, of: self), state, configuration, now: now,
      parent: self)
  }

  /// No time to live leads to a later expiry, in milliseconds of the store's clock. Twice the longest,
  /// because the clocks of two processes may differ; and a month, because another version of the app, or
  /// another process, may have a longer one.
  var latestExpiry: Int64 {
    guard let longest = longestTimeToLive?.milliseconds else { return RowAges.never }
    let (twice, isTooLong) = longest.multipliedReportingOverflow(by: 2)
    let (limit, isTooLate) = twice.addingReportingOverflow(30 * 86_400_000)
    return isTooLong || isTooLate
      ? RowAges.never : RowAges.expiry(limit, now: now().milliseconds) ?? RowAges.never
  }

  /// Reports each kind of failure once, until the storage works again, for which nil stands. A
  /// failure of one partition while others work is not new either.
  func report(_ error: StorageError?) {
    func isNew(_ link: StorageLink) -> Bool {
      link.reported.withLock { reported in
        if let error { return reported.insert(error.code).inserted }
        reported = []
        return false
      }
    }
    let isNewHere = isNew(self)
    guard parent.map(isNew) ?? true, isNewHere, let error else { return }
    if let onStorageError = configuration.onStorageError {
      onStorageError(error)
    } else {
      printInDebugBuilds("The storage of a normalized cache has failed: \(error)")
    }
  }
}

// MARK: - From any thread

extension StorageLink {
  func perform(_ work: @escaping Work) {
    thread.perform { [self] in withWorker(work) }
  }

  /// The store is gone: pending work is still done and changes are saved. Changes that could not be saved
  /// before are tried once more, because no later change will do that.
  func end() {
    let task = listening.withLock { listening in
      listening.hasEnded = true
      return listening.task
    }
    // Without the lock: cancelling runs the storage's own code.
    task?.cancel()
    if state.withLock({ $0.storage?.hasUnsavedChanges == true }) { thread.save(self) }
    thread.resume { $0.users -= 1 }
  }

  /// Waits until the thread has done something. A failure is reported, and the store goes on in memory.
  func carryOut(
    _ body: @escaping @Sendable (inout StorageWorker) throws(StorageError) -> Void
  ) async {
    await withReturningContinuation { continuation in
      carryOut(body) { continuation.resume() }
    }
  }

  /// The same without waiting.
  func carryOut(
    _ body: @escaping @Sendable (inout StorageWorker) throws(StorageError) -> Void,
    then finish: @escaping @Sendable () -> Void
  ) {
    perform { worker in
      var failure: StorageError?
      do throws(StorageError) { try body(&worker) } catch { failure = error }
      let isUnreadable = failure != nil
      worker.state.withLock { $0.storage?.isUnreadable = isUnreadable }
      if let failure { worker.link.report(failure) }
      finish()
      if failure == nil { worker.link.loadMissed() }
    }
  }

  func load(_ target: ReadTarget) async {
    await carryOut { worker throws(StorageError) in try worker.load(target) }
  }

  func loadLater(_ target: ReadTarget) {
    carryOut({ worker throws(StorageError) in try worker.load(target) }, then: {})
  }

  func load(_ entities: Set<Entity>) async {
    await carryOut { worker throws(StorageError) in try worker.load(entities) }
  }

  func loadAll() async {
    await carryOut { worker throws(StorageError) in try worker.loadAll() }
  }

  func loadLists() async {
    await carryOut { worker throws(StorageError) in try worker.loadLists() }
  }

  func save() async {
    await withReturningContinuation { continuation in
      perform { worker in
        try? worker.save()
        continuation.resume()
      }
    }
  }

  func flush() async throws(StorageError) {
    let failure = await withReturningContinuation { continuation in
      perform { continuation.resume(returning: $0.flush()) }
    }
    if let failure { throw failure }
  }

  func mayComplete(_ target: ReadTarget) -> Bool {
    let bindings = target.bindings(state.catalog)
    return LoadRound(LoadWalk.Places(target, bindings.plan), of: target, bindings, state) != nil
  }
}

// MARK: - On the thread

extension StorageLink {
  func noteMissed() {
    (parent ?? self).missed.withLock { missed in
      missed = missed.filter { $0.value.link != nil }
      missed[ObjectIdentifier(self)] = WeakLink(link: self)
    }
  }

  /// The storage works: watches that began while it could not be read show its data from now on, in all
  /// partitions. The thread loads it next, because a partition's worker may be waiting for the main store's.
  ///
  /// - Returns: whether there are any.
  @discardableResult
  func loadMissed() -> Bool {
    let missed = (parent ?? self).missed.withLock { missed in
      defer { missed = [:] }
      return missed.values.compactMap(\.link)
    }
    for link in missed { link.perform { $0.loadMissed() } }
    return !missed.isEmpty
  }

  func withWorker<Result, Failure: Error>(
    _ body: (inout StorageWorker) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var worker = self.worker.take() ?? StorageWorker(self)
    defer { self.worker = worker }
    return try body(&worker)
  }

  /// Removes what a main store's removals and invalidations concern, before a partition is used.
  func finishRemovals() throws(StorageError) {
    guard state.withLock({ $0.storage?.unsaved.removesWhatIsStored == true }) else { return }
    try withWorker { (worker) throws(StorageError) in try worker.save() }
  }
}
