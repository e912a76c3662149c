import Foundation
import Weir

/// Connects a store with its storage, by the one thread that touches the storage.
///
/// The thread does one thing after the other, so nothing is committed between a request and what it leads
/// to. Requests come before what is to be saved, but never twice in a row.
final class StorageLink: RecordSource {
  let storage: any RecordStorage
  let state: GuardedState
  let configuration: NormalizedCacheConfiguration
  /// Milliseconds since 1970 at the store's zero.
  let epoch: Int64
  /// Follows the changes that others make to the storage.
  let listening = Locked<Task<Void, Never>?>(nil)
  private let reported = Locked<StorageError.Code?>(nil)

  typealias Work = @Sendable (inout StorageWorker) -> Void

  private struct Queue {
    var work: [Work] = []
    var mustSave = false
    var isRunning = false
    var hasEnded = false
  }

  // Proof: `queue` is read and written only while `condition` is locked.
  private nonisolated(unsafe) var queue = Queue()
  private let condition = NSCondition()

  init(
    _ storage: any RecordStorage, _ state: GuardedState,
    _ configuration: NormalizedCacheConfiguration, epoch: Int64
  ) {
    self.storage = storage
    self.state = state
    self.configuration = configuration
    self.epoch = epoch
    let sync = StorageSync { [weak self] in self?.requestSave() }
    state.withLock { $0.storage = sync }
  }

  /// Reports a failure once, until another one follows or it has passed.
  func report(_ error: StorageError?) {
    let isNew = reported.withLock { reported in
      defer { reported = error?.code }
      return reported != error?.code
    }
    if let error, isNew { configuration.onStorageError?(error) }
  }
}

// MARK: - From any thread

extension StorageLink {
  /// Asks the thread to save changes soon. Never waits.
  private func requestSave() {
    resume { $0.mustSave = true }
  }

  func perform(_ work: @escaping Work) {
    resume { $0.work.append(work) }
  }

  /// The store is gone: pending work is still done and changes are saved, then the thread ends.
  func end() {
    listening.withLock { $0?.cancel() }
    resume { $0.hasEnded = true }
  }

  /// Waits until the thread has done something. A failure is reported, and the store goes on in memory.
  func carryOut(
    _ body: @escaping @Sendable (inout StorageWorker) throws(StorageError) -> Void
  ) async {
    await withCheckedContinuation { continuation in
      perform { worker in
        var failure: StorageError?
        do throws(StorageError) { try body(&worker) } catch { failure = error }
        let isUnreadable = failure != nil
        worker.state.withLock { $0.storage?.isUnreadable = isUnreadable }
        if let failure { worker.link.report(failure) }
        continuation.resume()
      }
    }
  }

  func load(_ target: ReadTarget) async {
    await carryOut { worker throws(StorageError) in try worker.load(target) }
  }

  func load(_ entities: Set<Entity>) async {
    await carryOut { worker throws(StorageError) in try worker.load(entities) }
  }

  func loadLists() async {
    await carryOut { worker throws(StorageError) in try worker.loadLists() }
  }

  func flush() async throws(StorageError) {
    let failure = await withCheckedContinuation { continuation in
      perform { continuation.resume(returning: $0.flush()) }
    }
    if let failure { throw failure }
  }

  func mayComplete(_ target: ReadTarget) -> Bool { missing(target) != nil }

  func mayAddPages(to target: ReadTarget) -> Bool { missing(target)?.lists.isEmpty == false }

  private func missing(_ target: ReadTarget) -> LoadRound? {
    let bindings = target.bindings(state.catalog)
    return LoadRound(LoadWalk.Places(target, bindings.plan), of: target, bindings, state)
  }
}

// MARK: - On the thread

extension StorageLink {
  private func resume(_ change: (inout Queue) -> Void) {
    condition.lock()
    change(&queue)
    condition.signal()
    let starts = !queue.isRunning && (queue.mustSave || !queue.work.isEmpty)
    if starts { queue.isRunning = true }
    condition.unlock()
    guard starts else { return }
    let thread = Thread { [self] in run() }
    thread.name = "weir.storage"
    thread.start()
  }

  private func run() {
    var worker = StorageWorker(self)
    while let (work, mustSave) = next() {
      for body in work { body(&worker) }
      if mustSave { try? worker.save() }
    }
  }

  /// Waits for something to do; nil at the end, when everything is done.
  private func next() -> (work: [Work], mustSave: Bool)? {
    condition.lock()
    defer { condition.unlock() }
    while queue.work.isEmpty, !queue.mustSave {
      if queue.hasEnded {
        queue.isRunning = false
        return nil
      }
      condition.wait()
    }
    defer {
      queue.work = []
      queue.mustSave = false
    }
    return (queue.work, queue.mustSave)
  }
}

/// The state and the work of the storage's thread; it never leaves that thread.
struct StorageWorker {
  let link: StorageLink
  /// The names that the storage has; nil until they are read.
  private var knownNames: RecordNames?
  /// The knowledge about the API that the storage has; nil until it is read.
  var learned: LearnedNames?
  private var isListening = false

  fileprivate init(_ link: StorageLink) {
    self.link = link
  }

  var storage: any RecordStorage { link.storage }
  var state: GuardedState { link.state }
  var catalog: Catalog { link.state.catalog }

  mutating func names() throws(StorageError) -> RecordNames {
    if let knownNames { return knownNames }
    let names = RecordNames(try storage.names())
    knownNames = names
    return names
  }

  mutating func setNames(_ names: RecordNames) { knownNames = names }

  /// Another store may have registered names since they were read.
  mutating func forgetNames() { knownNames = nil }

  var hasNames: Bool { knownNames != nil }

  func decoder(version: UInt64, names: RecordNames) -> RecordDecoder {
    RecordDecoder(catalog: catalog, epoch: link.epoch, version: version, names: names)
  }

  /// Gets ready to read: follows what others do to the storage, and removes from it what is not to be
  /// found any more.
  mutating func prepareRead() throws(StorageError) {
    listen()
    try learn()
    try saveRemovals()
  }

  /// Follows what another store or process does to the storage. From the first use on, because before that
  /// there is nothing in memory that could be out of date.
  mutating func listen() {
    guard !isListening else { return }
    isListening = true
    let changes = storage.externalChanges()
    let task = Task { [weak link] in
      for await keys in changes {
        guard let link else { return }
        await link.carryOut { worker throws(StorageError) in try worker.reload(keys) }
      }
    }
    link.listening.withLock { $0 = task }
  }
}
