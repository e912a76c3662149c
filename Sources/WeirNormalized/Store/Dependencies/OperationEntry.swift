import Weir

/// A store's knowledge of one operation with its variables: the outcome of the last read, and the
/// records that it depends on.
///
/// It belongs to the store's state and is only accessed under its lock.
final class OperationEntry {
  let target: ReadTarget
  /// Identifies it in the dependency index.
  let number: DependencyIndex.Watcher
  /// The meaning of the variables, as far as a read has found out.
  var bindings: Bindings
  /// The source that the signals of its results refer to. A change that a watch must be notified of fires
  /// it, and a new source takes its place.
  var source: RefreshSource

  /// The outcome of the last read.
  var reading: Reading? {
    didSet {
      storageHasNoMore = false
      freshUntil = reading?.freshUntil ?? RowAges.never
    }
  }
  /// When something in the reading becomes stale, as far as that is known by now.
  private(set) var freshUntil = RowAges.never
  /// Whether the reading lacks something that an earlier one had.
  var hasLostData = false
  /// Whether the storage is known to have nothing that the reading lacks.
  var storageHasNoMore = false
  /// The version of the records for which the reading is known to be right.
  var version: UInt64 = 0
  var tracking = Tracking.off
  var freshness = Freshness()
  /// When the entry was last used, by the table's count of uses.
  var lastUse: UInt64 = 0
  /// When the entry was last used, by the version of the records.
  var lastUseVersion: UInt64 = 0
  /// How many collections have run since the watches were woken; nil if they have read since.
  var collectionsSinceFiring: Int?
  var repairs = Repairs()
  /// Whether it was reported that a response lacks something.
  var isReportedIncomplete = false
  /// The error of the last request, if it failed; see ``StoreState/setFailure(_:of:)``.
  fileprivate(set) var failure: Failure?

  typealias Failure = (payload: ResultPayload, sentAt: LogicalInstant)

  /// The outcome of a read.
  final class Reading: Sendable {
    /// The data, if there is any; shared by the results that show it.
    let payload: ResultPayload?
    let trace: ReadTrace
    let missing: [TapeIndex]
    /// Whether the read was allowed to miss something.
    let allowsPartial: Bool
    /// Whether a storage may have what is missing, or elements that were left out of lists because
    /// they are not in memory.
    let mayLackStored: Bool
    /// When something in it becomes stale, in milliseconds of the store's clock.
    let freshUntil: Int64

    init(_ found: consuming ReadResult, payload: ResultPayload?, allowsPartial: Bool) {
      self.payload = payload
      missing = found.missing
      mayLackStored = !found.missing.isEmpty || found.trace.hasDangling
      self.allowsPartial = allowsPartial
      freshUntil = found.freshUntil
      trace = found.takeTrace()
    }

    var isComplete: Bool { payload?.data != nil && missing.isEmpty }
  }

  init(
    target: ReadTarget, number: DependencyIndex.Watcher, bindings: Bindings, source: RefreshSource
  ) {
    self.target = target
    self.number = number
    self.bindings = bindings
    self.source = source
  }

  /// The data of the reading, if nothing is missing and nothing in it becomes stale with time.
  var lastingPayload: ResultPayload? {
    guard freshUntil == RowAges.never, let reading, reading.missing.isEmpty else { return nil }
    return reading.payload
  }

  /// Something that the reading shows becomes stale at a time, perhaps earlier than when it was read.
  func shorten(to expiry: Int64) { freshUntil = min(freshUntil, expiry) }

  /// The same data has been written again since the reading.
  func renew(until expiry: Int64) { freshUntil = expiry }

  /// Whether the storage, if there is one, may have what the reading lacks.
  var mayLackStored: Bool { !storageHasNoMore && reading?.mayLackStored ?? true }

  /// Whether the reading is incomplete, and more is known by now of a type condition in it.
  func isOutdated(_ catalog: Catalog) -> Bool {
    guard let reading, !reading.isComplete else { return false }
    return reading.trace.isOutdated(catalog)
  }

  /// Whether the last request has failed and something is missing, or nothing can be shown at all: not
  /// even a part that the operation accepts.
  var isUnanswered: Bool {
    guard let reading else { return failure != nil }
    guard !reading.isComplete else { return false }
    guard failure == nil, let document = reading.payload?.data?.document else { return true }
    return document.isAllMissing(reading.missing)
  }

  /// Whether the reading shows a list of the query's root of which memory has evicted pages.
  func lacksPages(_ loaded: LoadedRecords) -> Bool {
    guard !loaded.evictedLists.isEmpty, loaded.coverage != .all, let reading else { return false }
    return reading.trace.others.lists.contains {
      $0.record == RootType.query.reference && loaded.evictedLists.contains($0.list)
    }
  }

  /// Whether the reading is known to be right without a look at any record.
  func isKnownToBeCurrent(at version: UInt64) -> Bool {
    switch tracking {
    case .off: self.version == version
    case .current: true
    case .changed: false
    }
  }

  /// Fires with the next change that a watch must be notified of.
  var signal: RefreshSignal { RefreshSignal(source: source, since: .distantPast) }

  /// When its source fires because of a change, which is not newer than the request.
  var changeInstant: LogicalInstant { max(freshness.requestedAt, .anyRequest) }

  /// Whether somebody holds a signal that refers to its source.
  var isWatched: Bool { !isKnownUniquelyReferenced(&source) }
}

// MARK: - Changes

extension OperationEntry {
  /// Whether changes of what the reading depends on are noted.
  enum Tracking {
    /// No: nobody waits. Each use compares the versions of the records.
    case off
    /// Yes, and nothing has changed.
    case current
    /// Yes, and something has changed.
    case changed
  }

  /// Something that the reading depends on has changed. The entry is added to `woken`, unless it was
  /// before.
  func noteChange(_ cause: ChangeCause, in woken: inout [OperationEntry]) {
    if tracking != .changed { woken.append(self) }
    repairs.noteChange(cause, isFirst: tracking != .changed)
    tracking = .changed
  }

  /// Something has changed while nobody waited, for an unknown reason.
  func noteUnseenChange() {
    tracking = .changed
    repairs.noteUnseenChange()
  }

  /// Whether watches have only refetched what other watches' refetches had changed.
  ///
  /// Two operations that overwrite each other's data would otherwise refetch for ever: one that loses
  /// something to a repair goes on showing the data from before instead. So does one whose own response
  /// leaves it incomplete, because the server contradicts itself.
  struct Repairs {
    /// Whether all changes since the last complete read are repairs.
    private(set) var areOnlyChanges = false
    private var unseenChanges = 0
    /// The data from before the repairs.
    private(set) var shownBefore: ResultPayload?

    /// The operation's own response has come, and cannot be read from the store.
    ///
    /// - Returns: The data that was kept so far, to be released without the lock.
    mutating func noteUnreadable(_ payload: ResultPayload) -> ResultPayload? {
      defer { shownBefore = payload }
      return shownBefore
    }

    fileprivate mutating func noteChange(_ cause: ChangeCause, isFirst: Bool) {
      areOnlyChanges = cause == .repair && (areOnlyChanges || isFirst)
      if cause != .repair { unseenChanges = 0 }
    }

    /// Repeated unseen changes are probably repairs.
    fileprivate mutating func noteUnseenChange() {
      unseenChanges += 1
      if unseenChanges > 3 { areOnlyChanges = true }
    }

    /// - Returns: The data that was kept so far, to be released without the lock.
    mutating func noteRead(isComplete: Bool, after old: Reading?) -> ResultPayload? {
      let kept = shownBefore
      if isComplete { areOnlyChanges = false }
      if !areOnlyChanges {
        shownBefore = nil
      } else if let old, old.missing.isEmpty, let payload = old.payload {
        shownBefore = payload
      }
      return kept
    }
  }
}

extension StoreState {
  /// Notes how the last request of an entry has failed; nil if it has not.
  mutating func setFailure(_ failure: OperationEntry.Failure?, of entry: OperationEntry) {
    release(entry.failure?.payload)
    entry.failure = failure
  }

  /// The lock is open when the payload is released: a decoded value's deinitializer is the app's code.
  mutating func release(_ payload: ResultPayload?) {
    if let payload { effects.payloads.append(payload) }
  }
}

// MARK: - Time

extension OperationEntry {
  /// When the data was requested, written and shown.
  struct Freshness {
    /// When the last request was sent that brought the data, or when it was first shown.
    var requestedAt = LogicalInstant.distantPast
    /// When the operation's own data was last written, in milliseconds of the store's clock; nil if it
    /// came with other operations.
    private(set) var writtenAt: Int64?
    /// When the request was sent that brought that data; for a direct write, when it was made.
    private var writeSentAt = LogicalInstant.distantPast
    /// When the data that was last shown as fresh becomes stale; nil if never.
    private var shownUntil: Int64?
    /// Whether data was shown as fresh that becomes stale.
    var wasFresh: Bool { shownUntil != nil }
    /// The expiry that the watches have been notified of.
    private var reportedExpiry: Int64?

    /// Notes that the operation's own data was written. A response that is older than the data changes
    /// nothing of it, so it does not make it younger.
    mutating func noteWritten(sentAt: LogicalInstant, now: Int64) {
      guard sentAt >= writeSentAt else { return }
      (writeSentAt, writtenAt) = (sentAt, now)
    }

    mutating func noteShown(freshUntil: Int64, now: Int64) {
      if freshUntil != RowAges.never, freshUntil > now { shownUntil = freshUntil }
    }

    /// Notes that the watches are notified of an expiry.
    ///
    /// - Returns: whether they were not notified of it before. If newer data cannot be fetched, the old
    ///   data remains, and they must not wake again.
    mutating func noteReported(expiry freshUntil: Int64) -> Bool {
      defer { reportedExpiry = freshUntil }
      return reportedExpiry != freshUntil
    }

    /// Notes that the watches are notified, if data shown as fresh has become stale before anybody waited
    /// for that.
    ///
    /// - Returns: whether it has, and they were not notified before.
    mutating func noteUnseenExpiry(_ freshUntil: Int64, now: Int64) -> Bool {
      guard let shownUntil, shownUntil <= now, freshUntil == shownUntil else {
        return false
      }
      return noteReported(expiry: shownUntil)
    }
  }
}
