import Foundation
import Weir

/// Everything that a store knows, without its lock.
struct StoreState {
  let catalog: Catalog
  private(set) var session = Session(number: 0)
  private(set) var clearedAt = LogicalInstant.distantPast

  /// The data from servers and direct writes.
  var records: RecordState
  /// Counts the changes of ``records``.
  var writeCount: UInt64 = 0
  /// The lists that may have to hold new entities.
  var listFields = ListFields()
  /// Optimistic results, which lie on top of ``records``.
  var layers = Layers()
  /// Identifies the last batch of changes, layers included; no two have the same version.
  private(set) var lastVersion: UInt64

  var results: ResultTable
  var history = RequestHistory()
  /// When something was last marked as stale.
  var lastInvalidation = LogicalInstant.distantPast
  /// The errors of fields that servers could not resolve.
  var errors = KnownErrors()
  /// How memory and the storage differ; nil without a storage.
  var storage: StorageSync?
  var size: MemoryUse
  /// The consumers of ``NormalizedStore/changes(bufferingNewest:)``.
  var listeners: [UInt64: AsyncStream<StoreChanges>.Continuation] = [:]
  /// The catalog's count at the last change of records; see `Catalog.retractionCount`.
  private var retractionCount: UInt64 = 0
  /// The same for `Catalog.lessonCount`.
  private var lessonCount: UInt64 = 0
  /// The actions for the time when the lock is open.
  var effects = Effects()
  #if DEBUG
    /// How often the lock was taken, for tests.
    var sectionCount = 0
  #endif

  init(_ configuration: NormalizedCacheConfiguration) {
    catalog = Catalog(configuration.policies)
    records = RecordState(seed: .random(in: .min ... .max))
    // Milliseconds since 1970: more than an earlier store has counted, unless it was written to a
    // thousand times a second all its life.
    lastVersion = UInt64(max(1, Date().timeIntervalSince1970 * 1000))
    results = ResultTable(maximumCount: configuration.maximumResults)
    size = MemoryUse(limit: max(0, configuration.maximumBytes))
  }

  /// The records that reads see.
  var visible: RecordState { layers.shown ?? records }

  /// Makes later versions larger than one that another store has given.
  mutating func passVersion(_ version: UInt64) {
    lastVersion = max(lastVersion, version)
  }

  mutating func nextVersion() -> UInt64 {
    lastVersion += 1
    return lastVersion
  }

  /// Forgets all records. Responses to earlier requests will not be written.
  mutating func clear() {
    if !listeners.isEmpty {
      effects.notices.append(
        (StoreChanges(removed: visible, catalog), listeners.values.map(\.self)))
    }
    clearedAt = .next()
    writeCount += 1
    records = RecordState(seed: records.seed)
    _ = nextVersion()
    size.clear()
    storage?.clear()
    effects.save = storage?.requestSave
    layers = Layers()
    history.removeAll()
    errors = KnownErrors()
    for entry in results.entries.values {
      release(entry)
      fire(entry, at: clearedAt)
    }
    results.removeAll()
  }

  /// Sets the session of a store that has not been used.
  mutating func begin(_ session: Session) { self.session = session }

  mutating func switchSession(to session: Session) {
    guard session > self.session, session != .any else { return }
    self.session = session
    clear()
    // It names tables by their numbers.
    if catalog.beginSession() { listFields = ListFields() }
  }
}

// MARK: - Entries

extension StoreState {
  mutating func entry(for target: ReadTarget) -> OperationEntry {
    let known = results[target.identity]
    if known == nil { for entry in results.entriesToEvict() { remove(entry) } }
    let entry = known ?? results.insert(target, target.bindings(catalog))
    noteUse(of: entry)
    return entry
  }

  mutating func noteUse(of entry: OperationEntry) {
    results.noteUse(of: entry, version: lastVersion)
  }

  mutating func remove(_ entry: OperationEntry) {
    release(entry)
    size.results -= entry.bytes
    results.remove(entry)
  }

  private mutating func release(_ entry: OperationEntry) {
    release(entry.reading?.payload)
    release(entry.failure?.payload)
    release(entry.repairs.shownBefore)
  }

  /// Whether the reading of an entry is still right.
  func isCurrent(_ entry: OperationEntry, now: Int64, allowsPartial: Bool) -> Bool {
    guard let reading = entry.reading, entry.freshUntil > now else { return false }
    if allowsPartial, reading.payload == nil, !reading.allowsPartial { return false }
    if entry.isOutdated(catalog) { return false }
    if entry.isKnownToBeCurrent(at: lastVersion) { return true }
    guard entry.tracking == .off, reading.trace.isCurrent(in: visible, catalog) else {
      return false
    }
    entry.version = lastVersion
    return true
  }
}

// MARK: - Changes

extension StoreState {
  /// Records have changed: wakes the watches that show them, at once or, if layers lie on top, when
  /// these have been applied again.
  mutating func publish(_ changes: ChangeSet, cause: ChangeCause = .write) {
    heedLessons()
    if layers.isEmpty {
      wakeWatches(of: changes, cause: cause)
    } else {
      layers.note(changes, cause: cause)
      effects.appliesLayers = true
    }
  }

  /// The writes, or optimistic results, may have shown more of type conditions.
  mutating func heedLessons() {
    if retractionCount != catalog.retractionCount.load() { removeOutdatedEntries() }
    if lessonCount != catalog.lessonCount.load() { wakeOutdatedEntries() }
  }

  /// A type condition holds that seemed not to: results that have left out its fields are forgotten, and
  /// their watches are woken.
  private mutating func removeOutdatedEntries() {
    retractionCount = catalog.retractionCount.load()
    for entry in results.entries.values where entry.bindings.plan.mayLackFields(catalog) {
      fire(entry)
      remove(entry)
    }
  }

  /// More is known of a type condition: watches of incomplete results are woken whose data may be complete.
  private mutating func wakeOutdatedEntries() {
    lessonCount = catalog.lessonCount.load()
    var woken: [OperationEntry] = []
    for entry in results.entries.values
    where entry.tracking == .current && entry.isOutdated(catalog) {
      entry.noteChange(.write, in: &woken)
    }
    for entry in woken { fire(entry) }
  }

  /// Wakes the watches that show what has changed. Only an older state may name what was removed.
  mutating func wakeWatches(
    of changes: ChangeSet, since before: RecordState? = nil, cause: ChangeCause
  ) {
    var woken: [OperationEntry] = []
    results.forEachDependent(of: changes) { $0.noteChange(cause, in: &woken) }
    if results.dependencies.awaitsEntities {
      for change in changes.changes where change.isNew {
        guard let entity = visible.entity(change.record, catalog) else { continue }
        results.forEachDependent(awaiting: entity) { $0.noteChange(cause, in: &woken) }
      }
    }
    if !listeners.isEmpty, !changes.isEmpty, cause != .load {
      effects.notices.append(
        (StoreChanges(changes, visible, before, catalog), listeners.values.map(\.self)))
    }
    for entry in woken { fire(entry) }
    results.dropUnwatchedDependencies()
  }

  /// Wakes the watches of a result that was superseded, but not by a newer request: executing the
  /// operation again reads it from the store.
  mutating func fire(_ entry: OperationEntry) {
    fire(entry, at: entry.changeInstant)
  }

  mutating func fire(_ entry: OperationEntry, at instant: LogicalInstant) {
    if let source = results.replaceSource(of: entry) { effects.firings.append((source, instant)) }
  }
}
