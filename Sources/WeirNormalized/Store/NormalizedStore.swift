import Foundation
import GraphQLLanguage
import Weir

/// Entities by key, as the results of all operations have shown them.
///
/// A store is shared by an exchange and by who reads and writes it directly. All of its methods may
/// be called from any thread. Its lock is held while something is written, never while something
/// is read: readers work on a snapshot, which costs a few reference counts.
public final class NormalizedStore: Sendable {
  let configuration: NormalizedCacheConfiguration
  let catalog: Catalog
  let state: Locked<StoreState>
  /// Held while a large response is merged into a copy of the records. It guards nothing else: the
  /// value is there because the thread sanitizer does not see a lock around nothing.
  let largeMerges = Locked(0)
  let now: @Sendable () -> Duration
  /// Milliseconds since 1970 at the store's zero, by the system's clock when the store was made: so
  /// what is saved and read again becomes stale when it would have, whoever sets the clock meanwhile.
  let epoch: Int64
  /// Wakes who shows what becomes stale.
  let alarm: ExpiryAlarm
  /// The mistakes that have been told.
  let reported = Locked<Set<StoreDiagnostic>>([])
  /// The way to the storage, if there is one.
  let link: StorageLink?

  /// A store in memory: over a storage, from which it has what it had in the last run of the app, or
  /// empty.
  ///
  /// - Parameters:
  ///   - configuration: what there is to know of the API, and how much may be kept.
  ///   - storage: where records outlive the process. It belongs to this store alone; several may be
  ///     on one file. Nothing is read before something is asked for.
  ///   - clock: what times to live are measured with.
  public init(
    _ configuration: NormalizedCacheConfiguration = NormalizedCacheConfiguration(),
    storage: (any RecordStorage)? = nil, clock: some Clock<Duration> = ContinuousClock()
  ) {
    let catalog = Catalog(configuration.policies)
    let start = clock.now
    let now: @Sendable () -> Duration = { start.duration(to: clock.now) }
    alarm = ExpiryAlarm { milliseconds in
      try await clock.sleep(until: start.advanced(by: .milliseconds(milliseconds)), tolerance: nil)
    }
    let epoch = Int64(Date().timeIntervalSince1970 * 1000) - Self.milliseconds(now())
    self.epoch = epoch
    let waiting = WaitingStore()
    let state = Locked(
      StoreState(
        seed: .random(in: .min ... .max), maximumEntries: configuration.maximumResults,
        maximumBytes: configuration.maximumBytes, version: StoreState.firstVersion
      ) { identity in
        RefreshSource { source in waiting.store?.willWait(for: identity, source) }
      })
    link = storage.map { storage in
      StorageLink(
        storage, state, configuration, catalog, epoch: epoch,
        showLayers: { waiting.store?.showLayers() })
    }
    self.configuration = configuration
    self.catalog = catalog
    self.state = state
    self.now = now
    waiting.store = self
  }

  deinit {
    link?.end()
  }

  /// Milliseconds of the store's clock.
  var milliseconds: Int64 { Self.milliseconds(now()) }

  private static func milliseconds(_ duration: Duration) -> Int64 {
    let (seconds, attoseconds) = duration.components
    return seconds * 1000 + attoseconds / 1_000_000_000_000_000
  }
}

/// The way from a source back to its store, which sources must not keep alive.
private final class WaitingStore: Sendable {
  private let reference = Locked(WeakReference())

  private struct WeakReference {
    weak var store: NormalizedStore?
  }

  var store: NormalizedStore? {
    get { reference.withLock { $0.store } }
    set { reference.withLock { $0.store = newValue } }
  }
}

// MARK: - Reading operations

/// What a store has of an operation.
struct StoredResult {
  /// Data and what was decoded from them; nil if something is missing.
  var payload: ResultPayload?
  var missing: [Int] = []
  var isStale = false
  var requestedAt = LogicalInstant.distantPast
  /// How long ago its own data were written, in milliseconds; nil if they came with others.
  var age: Int64?
  /// For how long it has been stale, in milliseconds; nil if it is not, or was made so by hand.
  var overdue: Int64?
  var signal: RefreshSignal?
  /// Whether the storage cannot be read or written.
  var isDegraded = false
  /// Whether the storage may have what it lacks.
  var mayLackStored = false

  var isComplete: Bool { payload?.data != nil && missing.isEmpty }

  /// The data as a value of a type, if they are complete; else nil.
  func decoded<Value: Decodable & Sendable>(
    as type: Value.Type
  ) throws(OperationError) -> Value? {
    isComplete ? try payload?.decoded(as: type) : nil
  }
}

extension NormalizedStore {
  /// What is known of an operation. The last result is given again if nothing that it was made from
  /// has changed; that costs a comparison for each record in it at most, and nothing if no record
  /// at all has changed, or if somebody watches it.
  func result(of operation: GraphQLOperation) -> StoredResult? {
    result(of: ReadTarget(operation))
  }

  func result(of target: ReadTarget) -> StoredResult? {
    while true {
      // Once more if everything was removed meanwhile.
      if let result = attemptedResult(of: target) { return result }
    }
  }

  private func attemptedResult(of target: ReadTarget) -> StoredResult?? {
    let now = milliseconds
    var aftermath = Aftermath()
    defer { aftermath.fire() }
    let (result, work) = state.withLock { state -> (StoredResult?, ReadWork?) in
      guard target.session >= state.session else { return (nil, nil) }
      let entry = state.entry(for: target, catalog: catalog, &aftermath)
      let isCurrent = state.isCurrent(
        entry, now: now, allowsPartial: target.allowsPartial, catalog)
      if isCurrent { return (stored(entry, state, now: now), nil) }
      return (nil, ReadWork(entry, target, state))
    }
    guard let work else { return .some(result) }
    let found = work.read(catalog: catalog)
    return state.withLock { state -> StoredResult?? in
      guard target.session >= state.session else { return .some(nil) }
      guard work.clearedAt == state.clearedAt else { return nil }
      let entry = state.entry(for: target, catalog: catalog, &aftermath)
      if work.version >= entry.version || entry.reading == nil {
        take(found, work: work, into: entry, &state, &aftermath)
      }
      // Its signal makes it count as watched, so it stays itself.
      let result = stored(entry, state, now: now)
      if state.layers.isEmpty {
        state.collectIfNeeded(written: ChangeSet(), catalog: catalog, &aftermath)
      }
      return result
    }
  }

  private func take(
    _ found: ReadResult, work: ReadWork, into entry: OperationEntry, _ state: inout StoreState,
    _ aftermath: inout Aftermath
  ) {
    let old = entry.reading
    var payload = found.document.map { document in
      ResultPayload(
        data: document.root, missingPaths: found.missing.map { document.path(to: $0) },
        elements: found.elements(after: work.previous?.payload?.elements))
    }
    if let shown = old?.payload, let data = shown.data, let document = found.document,
      data.document.hasSameText(as: document), old?.missing == found.missing
    {
      payload = shown
    } else if let shown = old?.payload {
      aftermath.payloads.append(shown)
    }
    let reading = OperationEntry.Reading(
      found, payload: payload, allowsPartial: work.target.allowsPartial)
    entry.reading = reading
    // A collection in between may have forgotten names that nobody had used yet.
    if state.writeCount == work.writeCount, let bindings = found.bindings {
      entry.bindings = bindings
    }
    entry.keepIfRepaired(old, isComplete: found.isComplete)
    state.size.results += reading.bytes - (old?.bytes ?? 0)
    entry.version = work.version
    entry.isDirty =
      state.lastVersion != work.version && !found.trace.isCurrent(in: state.visible, catalog)
    let isKnown = found.hasSameDependencies && old?.payload === work.previous?.payload
    if entry.isRegistered, !isKnown { state.register(entry) }
    if entry.requestedAt == .distantPast, payload != nil { entry.requestedAt = .next() }
    // Who shows what was read before, and is yet to wait, could not find that out any more.
    if let old, !entry.isRegistered,
      old.payload !== payload || reading.freshUntil < old.freshUntil
    {
      state.fire(entry, &aftermath)
    }
  }

  private func stored(
    _ entry: OperationEntry, _ state: borrowing StoreState, now: Int64
  ) -> StoredResult {
    let freshUntil = entry.reading?.freshUntil ?? RowAges.never
    if freshUntil != RowAges.never, freshUntil > now { entry.shownFreshUntil = freshUntil }
    return StoredResult(
      payload: entry.reading?.payload, missing: entry.reading?.missing ?? [],
      isStale: freshUntil <= now, requestedAt: entry.requestedAt,
      age: entry.writtenAt.map { now - $0 },
      overdue: freshUntil > 0 && freshUntil <= now ? now - freshUntil : nil,
      signal: RefreshSignal(source: entry.source, since: .distantPast),
      isDegraded: isDegraded(state), mayLackStored: link != nil && entry.mayLackStored)
  }

  /// Whether the storage cannot be read or written.
  func isDegraded(_ state: borrowing StoreState) -> Bool {
    link.map { state.storage?.failure != nil || $0.isUnreadable } ?? false
  }

  /// Somebody is about to wait for a change of an operation's result: from now on its dependencies
  /// are noted. What has changed before is told at once.
  func willWait(for identity: OperationIdentity, _ source: RefreshSource) {
    let now = milliseconds
    var freshUntil = RowAges.never
    let overtakenAt = state.withLock { state -> LogicalInstant? in
      // Fired already, in nearly all cases: the source was replaced when it was.
      guard let entry = state.entries[identity], entry.source === source else {
        return LogicalInstant(ticks: 1)
      }
      freshUntil = entry.reading?.freshUntil ?? freshUntil
      var instant: LogicalInstant?
      if hasChangedUnseen(entry, &state) {
        instant = LogicalInstant(ticks: 1)
      } else if entry.noteExpiry(at: now) {
        instant = .next()
      }
      // A source that has fired must not be that of the next result: its watch would never wait.
      if instant != nil { entry.source = state.makeSource(identity) }
      return instant
    }
    if let overtakenAt { source.fire(at: overtakenAt) } else { setAlarm(freshUntil) }
  }

  /// Whether something has changed that an entry shows; it is noted from now on.
  private func hasChangedUnseen(_ entry: OperationEntry, _ state: inout StoreState) -> Bool {
    if entry.isRegistered { return entry.isDirty }
    guard let reading = entry.reading else { return false }
    state.register(entry)
    entry.isDirty = false
    if reading.trace.isCurrent(in: state.visible, catalog) { return false }
    entry.noteUnseenChange()
    return true
  }
}
