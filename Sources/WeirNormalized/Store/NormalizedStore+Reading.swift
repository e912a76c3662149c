import Weir

/// An operation's result as the store has it, perhaps with missing fields.
struct StoredResult {
  /// The data and the values decoded from it; nil if something is missing.
  var payload: ResultPayload?
  var missing: [TapeIndex] = []
  var isStale = false
  var requestedAt = LogicalInstant.distantPast
  /// How long ago the operation's own data was written, in milliseconds; nil if it came with other
  /// operations.
  var age: Int64?
  /// For how long it has been stale, in milliseconds; nil if it is not, or was invalidated.
  var overdue: Int64?
  /// Whether the data, or earlier data of the operation, was fresh for some time.
  var wasFresh = false
  /// Whether it is stale only because its time to live is zero.
  var isStaleOnArrival: Bool { overdue != nil && overdue == age }
  /// Whether something is missing that an earlier result had.
  var hasLostData = false
  var signal: RefreshSignal?
  /// Whether the storage cannot be read or written.
  var isDegraded = false
  /// Whether the storage may have what is missing.
  var mayLackStored = false

  var isComplete: Bool { payload?.data != nil && missing.isEmpty }

  /// The data, if it is complete; otherwise nil.
  var completeData: JSON? { missing.isEmpty ? payload?.data : nil }

  /// The data as a value of a type, if it is complete; otherwise nil.
  func decoded<Value: Decodable & Sendable>(
    as type: Value.Type
  ) throws(OperationError) -> Value? {
    isComplete ? try payload?.decoded(as: type) : nil
  }
}

/// A step on the way to a result, which alternates between the state's lock and no lock.
enum ReadProgress {
  case work(ReadWork)
  /// The result; nil if the session is over.
  case done(StoredResult?)
}

extension NormalizedStore {
  /// Returns what the store has of an operation.
  ///
  /// The last result is used again if nothing that it was made from has changed. That costs at most a
  /// comparison for each of its records, and nothing if no record has changed or if it is watched.
  func result(of operation: GraphQLOperation) -> StoredResult? {
    result(of: ReadTarget(operation))
  }

  /// The same for a read that does not wait: reports, once, that the storage may have more. An operation
  /// with a defect is nothing to read.
  func resultAtOnce(of target: ReadTarget) -> StoredResult? {
    guard target.defect == nil else { return nil }
    let stored = result(of: target)
    if stored?.isComplete == false { noteMiss(of: target) }
    return stored
  }

  func noteMiss(of target: ReadTarget) {
    guard let link, StoreDiagnostic.isRead(by: configuration), link.mayComplete(target) else {
      return
    }
    report([.notLoaded])
  }

  func result(of target: ReadTarget) -> StoredResult? {
    let now = milliseconds
    return finish(state.withLock { $0.beginRead(of: target, now: now) }, now: now)
  }

  /// Reads until there is a result. `completion` is called with it within the lock, unless there was
  /// nothing left to do.
  func finish(
    _ step: ReadProgress, now: Int64,
    completion: (inout StoreState, StoredResult?) -> Void = { _, _ in }
  ) -> StoredResult? {
    var step = step
    while true {
      switch step {
      case .done(let result): return result
      case .work(let work):
        var found = Optional(work.read(catalog: catalog))
        // The previous reading is released without the lock.
        step = withExtendedLifetime(work) {
          state.withLock { state in
            let next = state.endRead(&found, of: work, now: now)
            if case .done(let result) = next { completion(&state, result) }
            return next
          }
        }
      }
    }
  }

  /// A watch is about to wait for a change of an operation's result: from now on its dependencies are
  /// noted. Earlier changes fire the source at once.
  func prepareWait(for identity: OperationIdentity, _ source: RefreshSource) {
    let now = milliseconds
    var freshUntil = RowAges.never
    let firesAt = state.withLock { state -> LogicalInstant? in
      // It has nearly always fired already: the source was replaced then.
      guard let entry = state.results[identity], entry.source === source else {
        return .anyRequest
      }
      state.noteRefreshed(entry, now: now)
      freshUntil = entry.freshUntil
      var instant: LogicalInstant?
      if state.hasChangedUnseen(entry) {
        instant = .anyRequest
        // An invalidation asks for a request, which the failure of an earlier one does not answer.
        if let failure = entry.failure, failure.sentAt < state.lastInvalidation {
          state.setFailure(nil, of: entry)
        }
      } else if entry.freshness.hasExpiredUnseen(freshUntil, now: now) {
        instant = .next()
      }
      // The next result needs a source that has not fired, or its watch would never wait.
      if instant != nil { _ = state.results.replaceSource(of: entry) }
      return instant
    }
    if let firesAt { source.fire(at: firesAt) } else { setAlarm(freshUntil, after: now) }
  }
}

extension StoreState {
  mutating func beginRead(of target: ReadTarget, now: Int64) -> ReadProgress {
    guard target.session >= session else { return .done(nil) }
    // This operation may be the first of a new session.
    switchSession(to: target.session)
    let entry = entry(for: target)
    return isCurrent(entry, now: now, allowsPartial: target.allowsPartial)
      ? .done(result(of: entry, now: now)) : .work(ReadWork(entry, target, self))
  }

  /// Takes over what was read; begins again if everything was removed meanwhile, or if the plan lacks
  /// fields of a type condition that holds after all.
  mutating func endRead(
    _ found: inout ReadResult?, of work: ReadWork, now: Int64
  ) -> ReadProgress {
    guard work.target.session >= session else { return .done(nil) }
    guard work.clearedAt == clearedAt, !work.bindings.plan.mayLackFields(catalog) else {
      return beginRead(of: work.target, now: now)
    }
    let entry = entry(for: work.target)
    if work.version >= entry.version || entry.reading == nil, let found = found.take() {
      take(found, of: work, into: entry)
    }
    // The signal makes the entry count as watched, so the collection spares it.
    let result = result(of: entry, now: now)
    if layers.isEmpty { collectIfNeeded() }
    return .done(result)
  }

  private mutating func take(
    _ found: consuming ReadResult, of work: ReadWork, into entry: OperationEntry
  ) {
    let old = entry.reading
    let oldBytes = entry.bytes
    let shown = old?.payload
    let payload: ResultPayload?
    if let shown, let document = found.document, old?.missing == found.missing,
      shown.data?.document.hasSameText(as: document) == true
    {
      payload = shown
    } else {
      payload = found.payload(after: work.previous?.payload?.elements)
      if let shown, old !== work.previous { effects.payloads.append(shown) }
    }
    // A collection in between may have forgotten names that nobody had used yet.
    if writeCount == work.writeCount, let bindings = found.bindings {
      entry.bindings = bindings
    } else if entry.bindings.plan !== work.bindings.plan {
      // The reading's shapes belong to the new plan.
      entry.bindings = work.bindings
    }
    // The index has the dependencies of the old reading, which is not always the one that was read again.
    let isKnown = found.hasSameDependencies && old === work.previous
    let reading = OperationEntry.Reading(
      found, payload: payload, allowsPartial: work.target.allowsPartial)
    entry.reading = reading
    let losesData = !reading.isComplete && old?.isComplete == true
    entry.hasLostData = losesData || !reading.isComplete && entry.hasLostData
    // A request that failed before has not asked for what is missing now.
    if losesData { setFailure(nil, of: entry) }
    release(entry.repairs.noteRead(isComplete: reading.isComplete, after: old))
    size.results += entry.bytes - oldBytes
    entry.version = work.version
    if entry.tracking != .off {
      let isCurrent =
        (lastVersion == work.version || reading.trace.isCurrent(in: visible, catalog))
        && !entry.isOutdated(catalog)
      entry.tracking = isCurrent ? .current : .changed
      // Perhaps by a field that it does not show, for which its watches were not woken. They have to be now:
      // another change would not wake them.
      if !isCurrent { fire(entry) }
      if !isKnown { results.track(entry) }
    }
    if entry.freshness.requestedAt == .distantPast, payload != nil {
      entry.freshness.requestedAt = .next()
    }
    // A watch that still shows the old reading, and does not wait yet, would miss the change.
    if let old, entry.tracking == .off,
      old.payload !== payload || reading.freshUntil < old.freshUntil
    {
      fire(entry)
    }
  }

  func result(of entry: OperationEntry, now: Int64) -> StoredResult {
    let freshUntil = entry.freshUntil
    entry.collectionsSinceFiring = nil
    entry.freshness.noteShown(freshUntil: freshUntil, now: now)
    return StoredResult(
      payload: entry.reading?.payload, missing: entry.reading?.missing ?? [],
      isStale: freshUntil <= now, requestedAt: entry.freshness.requestedAt,
      age: entry.freshness.writtenAt.map { now - $0 },
      overdue: freshUntil > 0 && freshUntil <= now ? now - freshUntil : nil,
      wasFresh: entry.freshness.wasFresh,
      hasLostData: entry.hasLostData,
      signal: RefreshSignal(source: entry.source, since: .distantPast),
      isDegraded: isDegraded, mayLackStored: mayLackStored(entry))
  }

  /// Whether there is a storage, which may have what the reading of an entry lacks. As long as it cannot
  /// be read, memory's pages have to do.
  func mayLackStored(_ entry: OperationEntry) -> Bool {
    guard let storage else { return false }
    return entry.mayLackStored || !storage.isUnreadable && entry.lacksPages(storage.loaded)
  }

  /// Whether the storage cannot be read or written.
  var isDegraded: Bool { storage?.failure != nil || storage?.isUnreadable == true }

  /// Whether something that an entry shows has changed; further changes are noted.
  fileprivate mutating func hasChangedUnseen(_ entry: OperationEntry) -> Bool {
    guard entry.tracking == .off else { return entry.tracking == .changed }
    guard let reading = entry.reading else { return false }
    results.track(entry)
    if reading.trace.isCurrent(in: visible, catalog), !entry.isOutdated(catalog) { return false }
    entry.noteUnseenChange()
    return true
  }
}

extension ReadResult {
  /// The data as a result shows it; nil if there is none.
  fileprivate func payload(after elements: DecodedElements?) -> ResultPayload? {
    guard let document else { return nil }
    return ResultPayload(
      data: document.root, missingPaths: document.paths(to: missing),
      elements: self.elements(after: elements))
  }
}
