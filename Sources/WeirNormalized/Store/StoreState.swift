import Foundation
import Weir

/// Everything that a store knows, without its lock.
struct StoreState {
  private(set) var session = Session(number: 0)
  /// What servers and writes by hand have said.
  var records: RecordState
  /// How often ``records`` have been written to.
  var writeCount: UInt64 = 0
  /// Which lists there are to put new entities into.
  var listFields = ListFields()
  /// The same with the layers on top; nil if there are none.
  var layered: RecordState?
  var layers = Layers()
  /// Of the batches of changes, layers included; no two have the same.
  private(set) var lastVersion: UInt64

  var entries: [OperationIdentity: OperationEntry] = [:]
  var entriesByNumber: [DependencyIndex.Watcher: OperationEntry] = [:]
  private var lastNumber: DependencyIndex.Watcher = 0
  private var uses: UInt64 = 0
  var dependencies = DependencyIndex()
  /// Those whose dependencies are noted, to be looked at in turn whether anybody waits.
  private var registered: [DependencyIndex.Watcher] = []
  private var nextToSweep = 0

  var requests = RequestLog()
  /// What later requests have written while earlier ones are under way.
  var journal = WriteJournal()
  var newcomers = Newcomers()
  var invalidations = InvalidationLog()
  /// What servers could not resolve.
  var errors = KnownErrors()
  var clearedAt = LogicalInstant.distantPast

  /// What is known of the storage; nil if there is none.
  var storage: StorageState?

  /// How much there is, and what must not be let go.
  var size: StoreSize
  /// Who reads the log of changes.
  var listeners: [UInt64: AsyncStream<StoreChanges>.Continuation] = [:]

  let maximumEntries: Int
  let makeSource: @Sendable (OperationIdentity) -> RefreshSource

  init(
    seed: UInt64, maximumEntries: Int, maximumBytes: Int = .max, version: UInt64 = 1,
    makeSource: @escaping @Sendable (OperationIdentity) -> RefreshSource
  ) {
    records = RecordState(seed: seed)
    lastVersion = version
    self.maximumEntries = maximumEntries
    size = StoreSize(limit: max(0, maximumBytes))
    self.makeSource = makeSource
  }

  /// Milliseconds since 1970: more than a store has counted that was made before, unless it was
  /// written to a thousand times a second all its life.
  static var firstVersion: UInt64 { UInt64(max(1, Date().timeIntervalSince1970 * 1000)) }

  /// What reads see.
  var visible: RecordState { layered ?? records }

  /// Sees to it that later versions are larger than one that another store has given.
  mutating func passVersion(_ version: UInt64) {
    lastVersion = max(lastVersion, version)
  }

  mutating func nextVersion() -> UInt64 {
    lastVersion += 1
    return lastVersion
  }
}

// MARK: - Entries

extension StoreState {
  mutating func entry(
    for target: ReadTarget, catalog: Catalog, _ aftermath: inout Aftermath
  ) -> OperationEntry {
    let identity = target.identity
    if let known = entries[identity] {
      noteUse(of: known)
      return known
    }
    evictEntries(&aftermath)
    lastNumber += 1
    let entry = OperationEntry(
      target: target, number: lastNumber, bindings: target.bindings(catalog),
      source: makeSource(identity))
    noteUse(of: entry)
    entries[identity] = entry
    entriesByNumber[lastNumber] = entry
    return entry
  }

  mutating func noteUse(of entry: OperationEntry) {
    uses += 1
    entry.lastUse = uses
    entry.lastUseVersion = lastVersion
  }

  /// Lets the results go that were not used for the longest time, a quarter at once, so that it
  /// costs little for each. Those that somebody waits for stay.
  private mutating func evictEntries(_ aftermath: inout Aftermath) {
    guard entries.count >= maximumEntries else { return }
    let candidates = entries.values.filter { !$0.isWatched }.sorted { $0.lastUse < $1.lastUse }
    for entry in candidates.prefix(max(1, maximumEntries / 4)) { remove(entry, &aftermath) }
  }

  mutating func remove(_ entry: OperationEntry, _ aftermath: inout Aftermath) {
    if let payload = entry.reading?.payload { aftermath.payloads.append(payload) }
    if let failure = entry.failure { aftermath.payloads.append(failure.payload) }
    size.results -= entry.reading?.bytes ?? 0
    unregister(entry)
    entriesByNumber[entry.number] = nil
    entries[entry.target.identity] = nil
  }

  /// Whether what was read last is right still.
  func isCurrent(_ entry: OperationEntry, now: Int64, allowsPartial: Bool, _ catalog: Catalog)
    -> Bool
  {
    guard let reading = entry.reading, reading.freshUntil > now else { return false }
    if allowsPartial, reading.payload == nil, !reading.allowsPartial { return false }
    if entry.isKnownToBeCurrent(at: lastVersion) { return true }
    guard !entry.isRegistered, reading.trace.isCurrent(in: visible, catalog) else { return false }
    entry.version = lastVersion
    return true
  }
}

// MARK: - Dependencies

extension StoreState {
  mutating func register(_ entry: OperationEntry) {
    guard let reading = entry.reading else { return }
    if entry.isRegistered {
      dependencies.remove(entry.number)
    } else {
      registered.append(entry.number)
      entry.isRegistered = true
    }
    dependencies.add(entry.number, reading.trace, bindings: &entry.bindings)
  }

  mutating func unregister(_ entry: OperationEntry) {
    guard entry.isRegistered else { return }
    dependencies.remove(entry.number)
    entry.isRegistered = false
  }

  /// Whether somebody waits for a change of what an entry shows, or has just been woken by one and is
  /// about to read it.
  func isAwaited(_ entry: OperationEntry) -> Bool {
    entry.isWatched || entry.isRegistered && entry.isDirty && wasJustUsed(entry)
  }

  private func wasJustUsed(_ entry: OperationEntry) -> Bool { uses &- entry.lastUse < 64 }

  /// Nobody tells the store when a watch ends, so each batch looks at two.
  mutating func sweep() {
    for _ in 0..<2 {
      guard !registered.isEmpty else { return }
      if nextToSweep >= registered.count { nextToSweep = 0 }
      let entry = entriesByNumber[registered[nextToSweep]]
      // One that has just been woken is read again in a moment; it is given some time.
      if let entry, entry.isRegistered, entry.isWatched || wasJustUsed(entry) {
        nextToSweep += 1
      } else {
        registered.swapAt(nextToSweep, registered.count - 1)
        registered.removeLast()
        if let entry { unregister(entry) }
      }
    }
  }

  /// Wakes who shows what has changed.
  mutating func noteChanges(
    _ changes: ChangeSet, isRepair: Bool = false, isLoad: Bool = false, catalog: Catalog,
    _ aftermath: inout Aftermath
  ) {
    var woken: [OperationEntry] = []
    func wake(_ number: DependencyIndex.Watcher) {
      guard let entry = entriesByNumber[number] else { return }
      if !entry.isDirty { woken.append(entry) }
      entry.noteChange(isRepair: isRepair)
    }
    dependencies.forEachWatcher(of: changes, wake)
    if dependencies.awaitsEntities {
      for change in changes.changes where change.isNew {
        guard let entity = visible.entity(change.record, catalog) else { continue }
        dependencies.forEachWatcher(awaiting: entity, wake)
      }
    }
    if !listeners.isEmpty, !changes.isEmpty, !isLoad {
      aftermath.notices.append(
        (StoreChanges(changes, visible, catalog), listeners.values.map(\.self)))
    }
    for entry in woken { fire(entry, &aftermath) }
    sweep()
  }

  /// What an entry shows has been overtaken, but not by a newer request: whoever executes it again
  /// gets it from here.
  mutating func fire(_ entry: OperationEntry, _ aftermath: inout Aftermath) {
    fire(entry, at: max(entry.requestedAt, LogicalInstant(ticks: 1)), &aftermath)
  }

  mutating func fire(
    _ entry: OperationEntry, at instant: LogicalInstant, _ aftermath: inout Aftermath
  ) {
    guard entry.isWatched else { return }
    aftermath.firings.append((entry.source, instant))
    entry.source = makeSource(entry.target.identity)
    // Nobody holds the new source yet.
    entry.lastUse = uses
  }
}

// MARK: - Everything

extension StoreState {
  /// Forgets all records. What was requested before is not written any more.
  mutating func clear(_ catalog: Catalog, _ aftermath: inout Aftermath) {
    if !listeners.isEmpty {
      aftermath.notices.append(
        (StoreChanges(gone: visible, catalog), listeners.values.map(\.self)))
    }
    clearedAt = .next()
    writeCount += 1
    records = RecordState(seed: records.seed)
    records.version = nextVersion()
    size.clear()
    storage?.clear()
    aftermath.storage = storage?.thread
    layered = nil
    layers = Layers()
    journal = WriteJournal()
    newcomers.forgetAll()
    invalidations = InvalidationLog()
    errors = KnownErrors()
    dependencies.removeAll()
    registered = []
    for entry in entries.values {
      if let payload = entry.reading?.payload { aftermath.payloads.append(payload) }
      if let failure = entry.failure { aftermath.payloads.append(failure.payload) }
      fire(entry, at: clearedAt, &aftermath)
    }
    entries = [:]
    entriesByNumber = [:]
  }

  mutating func switchSession(
    to session: Session, _ catalog: Catalog, _ aftermath: inout Aftermath
  ) {
    guard session > self.session else { return }
    self.session = session
    clear(catalog, &aftermath)
  }
}

/// Which fields were written by requests later than the oldest one that is under way.
struct WriteJournal {
  private var writes: ContiguousArray<Write> = []

  private struct Write {
    let record: RecordReference
    let fields: WrittenFields
    let sentAt: LogicalInstant
    /// When a mutation ended; it counts as newer than every query that was sent before.
    let completedAt: LogicalInstant?
    /// Whether a request has brought it.
    let isResult: Bool
  }

  var isEmpty: Bool { writes.isEmpty }

  mutating func note(
    _ written: ContiguousArray<(record: RecordReference, fields: WrittenFields)>,
    sentAt: LogicalInstant?, completedAt: LogicalInstant?
  ) {
    let order = sentAt ?? .next()
    for (record, fields) in written {
      writes.append(
        Write(
          record: record, fields: fields, sentAt: order, completedAt: completedAt,
          isResult: sentAt != nil))
    }
  }

  /// The fields that mutations have brought that were sent later than another one.
  func newerMutations(than sentAt: LogicalInstant) -> [RecordReference: WrittenFields] {
    var newer: [RecordReference: WrittenFields] = [:]
    for write in writes where write.isResult && write.completedAt != nil && write.sentAt > sentAt {
      newer[write.record, default: WrittenFields()].formUnion(write.fields)
    }
    return newer
  }

  /// The fields that a response must leave alone. Costs a look at everything in the journal, if
  /// anything in it is newer at all.
  func newer(
    than sentAt: LogicalInstant, isMutation: Bool
  ) -> [RecordReference: WrittenFields] {
    var newer: [RecordReference: WrittenFields] = [:]
    for write in writes {
      let order = isMutation ? write.sentAt : write.completedAt ?? write.sentAt
      if order > sentAt, !isMutation || write.completedAt != nil {
        newer[write.record, default: WrittenFields()].formUnion(write.fields)
      }
    }
    return newer
  }

  /// Forgets records whose rows are free, before they are given to others.
  mutating func forget(_ changes: ChangeSet, freeIn records: RecordState) {
    guard !writes.isEmpty else { return }
    let free = Set(changes.changes.filter(\.isRemoved).map(\.record))
      .filter { records.header($0).isFree }
    if !free.isEmpty { writes.removeAll { free.contains($0.record) } }
  }

  /// Forgets what no request under way can be older than.
  mutating func prune(oldest: LogicalInstant?) {
    guard !writes.isEmpty else { return }
    guard let oldest else { return writes.removeAll(keepingCapacity: writes.count < 10_000) }
    if let first = writes.first, (first.completedAt ?? first.sentAt) < oldest {
      writes.removeAll { ($0.completedAt ?? $0.sentAt) < oldest }
    }
  }
}
