import Weir

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
    let payload = payload(of: found, work, after: old)
    takeBindings(found.bindings, of: work, into: entry)
    // The index has the dependencies of the old reading, which is not always the one that was read again.
    let isKnown = found.hasSameDependencies && old === work.previous
    let reading = OperationEntry.Reading(
      found, payload: payload, allowsPartial: work.allowsPartial)
    entry.reading = reading
    noteCompleteness(of: entry, after: old)
    size.results += entry.bytes - oldBytes
    entry.version = work.version
    if entry.tracking != .off {
      track(entry, isKnown: isKnown)
    } else if let old, old.payload !== payload || reading.freshUntil < old.freshUntil {
      // A watch that still shows the old reading, and does not wait yet, would miss the change.
      fire(entry)
    }
    if entry.freshness.requestedAt == .distantPast, payload != nil {
      entry.freshness.requestedAt = .next()
    }
  }

  /// The data that was read; that of the old reading, if it is the same.
  private mutating func payload(
    of found: borrowing ReadResult, _ work: ReadWork, after old: OperationEntry.Reading?
  ) -> ResultPayload? {
    let shown = old?.payload
    // The keys of copied objects are where the shapes of the document's own trace say.
    if let shown, let document = found.document, old?.missing == found.missing,
      old?.trace.hasSameShapes(as: found.trace) == true,
      shown.data?.document.hasSameText(as: document) == true
    {
      return shown
    }
    if let shown, old !== work.previous { effects.payloads.append(shown) }
    return found.payload(after: work.previous?.payload?.elements)
  }

  private func takeBindings(_ found: Bindings?, of work: ReadWork, into entry: OperationEntry) {
    // A collection in between may have forgotten names that nobody had used yet.
    if writeCount == work.writeCount, let found {
      entry.bindings = found
    } else if entry.bindings.plan !== work.bindings.plan {
      // The reading's shapes belong to the new plan.
      entry.bindings = work.bindings
    }
  }

  private mutating func noteCompleteness(
    of entry: OperationEntry, after old: OperationEntry.Reading?
  ) {
    let isComplete = entry.reading?.isComplete == true
    let losesData = !isComplete && old?.isComplete == true
    entry.hasLostData = losesData || !isComplete && entry.hasLostData
    // A request that failed before has not asked for what is missing now.
    if losesData { setFailure(nil, of: entry) }
    release(entry.repairs.noteRead(isComplete: isComplete, after: old))
  }

  /// Tracks what a new reading depends on; `isKnown` says whether the index has that already.
  private mutating func track(_ entry: OperationEntry, isKnown: Bool) {
    let isCurrent =
      (lastVersion == entry.version || entry.reading?.trace.isCurrent(in: visible, catalog) == true)
      && !entry.isOutdated(catalog)
    entry.tracking = isCurrent ? .current : .changed
    // Perhaps by a field that it does not show, for which its watches were not woken. They have to be now:
    // another change would not wake them.
    if !isCurrent { fire(entry) }
    if !isKnown { results.track(entry) }
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
      signal: entry.signal,
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

  /// Notes each further change of something that an entry shows.
  ///
  /// - Returns: whether something has changed already.
  mutating func track(_ entry: OperationEntry) -> Bool {
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
