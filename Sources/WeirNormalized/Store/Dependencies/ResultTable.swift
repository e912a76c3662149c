import Weir

/// The operations that a store knows, and which of them depend on which records.
struct ResultTable {
  private(set) var entries: [OperationIdentity: OperationEntry] = [:]
  private var entriesByNumber: [DependencyIndex.Watcher: OperationEntry] = [:]
  private var lastNumber: DependencyIndex.Watcher = 0
  private var useCount: UInt64 = 0
  /// The count of uses at the last call of ``takeUsed()``.
  private var takenUses: UInt64 = 0
  private let maximumCount: Int
  /// How many more entries are inserted before ``entriesToEvict()`` looks again.
  private var insertionsUntilEviction = 0
  private(set) var dependencies = DependencyIndex()
  /// The entries with dependencies, which ``dropUnwatchedDependencies()`` looks at in turn.
  private var tracked: [DependencyIndex.Watcher] = []
  private var nextToCheck = 0
  /// What prepares waits for the entries' sources.
  weak var store: NormalizedStore?

  init(maximumCount: Int) {
    self.maximumCount = max(0, maximumCount)
  }

  private func makeSource(_ identity: OperationIdentity) -> RefreshSource {
    RefreshSource(announcesData: true) { [weak store] source in
      store?.prepareWait(for: identity, source)
    }
  }

  subscript(identity: OperationIdentity) -> OperationEntry? { entries[identity] }

  subscript(number: DependencyIndex.Watcher) -> OperationEntry? { entriesByNumber[number] }

  mutating func insert(_ target: ReadTarget, _ bindings: Bindings) -> OperationEntry {
    insertionsUntilEviction -= 1
    repeat {
      lastNumber = lastNumber == .max ? 1 : lastNumber + 1
    } while entriesByNumber[lastNumber] != nil
    let entry = OperationEntry(
      target: target, number: lastNumber, bindings: bindings,
      source: makeSource(target.identity))
    entries[target.identity] = entry
    entriesByNumber[lastNumber] = entry
    return entry
  }

  mutating func noteUse(of entry: OperationEntry, version: UInt64) {
    useCount += 1
    entry.lastUse = useCount
    entry.lastUseVersion = version
  }

  /// The entries that were used since the last call, or are awaited.
  mutating func takeUsed() -> [OperationEntry] {
    defer { takenUses = useCount }
    return entries.values.filter { $0.lastUse > takenUses || isAwaited($0) }
  }

  mutating func remove(_ entry: OperationEntry) {
    stopTracking(entry)
    entriesByNumber[entry.number] = nil
    entries[entry.target.identity] = nil
  }

  mutating func removeAll() {
    entries = [:]
    entriesByNumber = [:]
    dependencies = DependencyIndex()
    tracked = []
  }

  /// If the table is full, the least recently used entries that nobody watches: a quarter at once, so
  /// that the cost for each is small, even if more are watched than fit.
  mutating func entriesToEvict() -> ArraySlice<OperationEntry> {
    guard entries.count >= maximumCount, insertionsUntilEviction <= 0 else { return [] }
    let quarter = max(1, maximumCount / 4)
    insertionsUntilEviction = quarter
    return entries.values.filter { !$0.isWatched }.sorted { $0.lastUse < $1.lastUse }
      .prefix(entries.count - maximumCount + quarter)
  }

  /// Puts a new source in the place of one that fires; nil if nobody watches the entry.
  mutating func replaceSource(of entry: OperationEntry) -> RefreshSource? {
    guard entry.isWatched else { return nil }
    defer { entry.source = makeSource(entry.target.identity) }
    // Nobody holds the new source yet.
    entry.lastUse = useCount
    entry.collectionsSinceFiring = 0
    return entry.source
  }
}

// MARK: - Dependencies

extension ResultTable {
  /// Notes what an entry's reading depends on, in the place of what the last one did.
  mutating func track(_ entry: OperationEntry) {
    guard let reading = entry.reading else { return }
    if entry.tracking == .off {
      tracked.append(entry.number)
      entry.tracking = .current
    } else {
      dependencies.remove(entry.number)
    }
    dependencies.add(entry.number, reading.trace, bindings: &entry.bindings)
  }

  /// Calls `body` for each entry that depends on a change, perhaps several times for one entry.
  ///
  /// The closures must not use the state that contains the table, or all of the index would be copied.
  func forEachDependent(
    of changes: ChangeSet, includingAllFields: Bool = false, _ body: (OperationEntry) -> Void
  ) {
    dependencies.forEachWatcher(of: changes, includingAllFields: includingAllFields) {
      if let entry = entriesByNumber[$0] { body(entry) }
    }
  }

  func forEachDependent(awaiting entity: Entity, _ body: (OperationEntry) -> Void) {
    dependencies.forEachWatcher(awaiting: entity) {
      if let entry = entriesByNumber[$0] { body(entry) }
    }
  }

  private mutating func stopTracking(_ entry: OperationEntry) {
    guard entry.tracking != .off else { return }
    dependencies.remove(entry.number)
    entry.tracking = .off
  }

  /// Whether an entry is watched, or was woken by a change a moment ago and is about to be read.
  func isAwaited(_ entry: OperationEntry) -> Bool {
    entry.isWatched || entry.collectionsSinceFiring.map { $0 < 2 } ?? false
  }

  private func wasJustUsed(_ entry: OperationEntry) -> Bool { useCount &- entry.lastUse < 64 }

  /// Checks two entries, because the end of a watch is not reported.
  mutating func dropUnwatchedDependencies() {
    for _ in 0..<2 {
      guard !tracked.isEmpty else { return }
      if nextToCheck >= tracked.count { nextToCheck = 0 }
      let entry = entriesByNumber[tracked[nextToCheck]]
      if let entry, entry.tracking != .off, entry.isWatched || wasJustUsed(entry) {
        nextToCheck += 1
      } else {
        tracked.swapAt(nextToCheck, tracked.count - 1)
        tracked.removeLast()
        if let entry { stopTracking(entry) }
      }
    }
  }
}
