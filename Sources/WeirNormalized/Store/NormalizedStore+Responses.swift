import Weir

/// Where data comes from, as far as that decides what it may overwrite.
struct WriteOrigin {
  /// When the request was sent; nil for direct writes, which count as the newest.
  var sentAt: LogicalInstant?
  var isMutation = false
  /// Whether it is a part of a response, and more follows.
  var hasMoreParts = false
  /// Whether the response has errors, and may end early.
  var hasErrors = false
  /// Whether a list that came in parts may lack its last items.
  var mayLackItems = false
  /// Whether members may be missing that the server has.
  var mayLackMembers: Bool { hasMoreParts || hasErrors }
  /// How long the response may be used, by its own account.
  var maximumAge: Duration?
  /// How long an exchange allows to keep it, whatever is configured.
  var retention: Duration?
  /// Whether the operation's result is read afterwards.
  var isReadBack = false

  /// Whether the data becomes stale by itself, whatever is configured.
  var limitsAge: Bool { maximumAge != nil || retention != nil }

  /// When the data becomes stale at the latest, in milliseconds of the store's clock.
  func latestExpiry(now: Int64) -> Int64 {
    retention.flatMap { RowAges.expiry($0.milliseconds, now: now) } ?? RowAges.never
  }
}

extension WriteOrigin {
  /// A response, or an event of a subscription, which is as new as its arrival.
  ///
  /// The headers of a mutation's response are about the mutation, which is never the same twice: servers
  /// forbid to keep it, and data that it has just changed would be stale at once. Those of a subscription are
  /// about the connection.
  init(
    _ result: OperationResult, of kind: GraphQLOperation.Kind, _ sentAt: LogicalInstant,
    isInParts: Bool, heedsCacheControl: Bool
  ) {
    hasErrors = result.error != nil
    retention = result.retention
    guard kind != .subscription else { return }
    self.sentAt = sentAt
    isMutation = kind == .mutation
    hasMoreParts = result.hasNext
    mayLackItems = result.mayLackItems(isInParts: isInParts)
    isReadBack = kind == .query
    maximumAge = heedsCacheControl && kind == .query ? result.timing?.maximumAge : nil
  }
}

extension OperationResult {
  /// Whether a list that comes in parts may lack its last items: more parts follow, the response has broken
  /// off, or it has come in parts and an error is not just the reason why a value is null.
  fileprivate func mayLackItems(isInParts: Bool) -> Bool {
    if hasNext { return true }
    guard let error, let data else { return false }
    return error.code != .graphQL || isInParts && !data.isNulled(byEach: error.graphQLErrors)
  }
}

/// The result of writing a response.
struct WriteOutcome {
  var changes = ChangeSet()
  var diagnostics: [StoreDiagnostic] = []
  /// Whether some of its data was invalidated after the request had been sent, or is stale and was not
  /// written because it had changed meanwhile.
  var isSuperseded = false
  /// Whether the store has newer values of some of its fields.
  var isOvertaken = false
  /// Whether the operation is pinned, because its result is to be read back.
  var isPinned = false
  /// The first step of that; nil if layers have to be applied before.
  var readBack: ReadProgress?
}

extension NormalizedStore {
  /// A request leaves. Its response is compared with other writes by this instant, and with the
  /// result that was read last, if nothing in that becomes stale.
  ///
  /// A subscription has no such instant: an event is as new as its arrival, and one that stays open for
  /// hours must not make the store note all that is written meanwhile.
  func beginRequest(
    for operation: GraphQLOperation
  ) -> (sentAt: LogicalInstant, former: ResultPayload?) {
    state.withLock { state in
      state.switchSession(to: operation.context.session)
      guard operation.kind != .subscription else { return (.distantPast, nil) }
      return (
        state.history.begin(isMutation: operation.kind == .mutation),
        state.results[operation.identity]?.lastingPayload
      )
    }
  }

  /// A request is over, with or without a response.
  func endRequest(_ sentAt: LogicalInstant) {
    if sentAt != .distantPast { state.withLock { $0.history.end(sentAt) } }
  }

  /// Merges the data of a response. Fields that an error made null stay as they were.
  func write(
    _ data: JSON, errors: [GraphQLError], of operation: GraphQLOperation, origin: WriteOrigin
  ) -> WriteOutcome {
    guard data.kind == .object else { return WriteOutcome() }
    var effects = Effects()
    let merge = ResponseMerge(data, errors, operation, origin, self)
    // One large merge after the other: of two at once, one would be in vain. After a failed attempt
    // the names of fields may have changed, so a new merge begins.
    let outcome =
      merge.isLarge
      ? largeMerges.withLock { merge.runOutsideLock(&effects) }
        ?? ResponseMerge(data, errors, operation, origin, self).run(&effects)
      : merge.run(&effects)
    if !effects.isEmpty { state.perform(effects) }
    report(outcome.diagnostics)
    return outcome
  }

  /// Reads what the store shows of an operation whose response was written.
  func readBack(
    _ outcome: WriteOutcome, of operation: GraphQLOperation, sentAt: LogicalInstant
  ) -> StoredResult? {
    let now = milliseconds
    let step =
      outcome.readBack
      ?? state.withLock { state in
        if !outcome.isPinned {
          state.size.pin(operation)
          state.noteResponse(to: operation, sentAt: sentAt, now: now)
        }
        return state.beginReadBack(of: operation, now: now)
      }
    return finish(step, now: now) { $0.endReadBack(of: operation, $1) }
  }
}

extension StoreState {
  /// Whether a refetch is not for newer data, but for data that a change has taken away.
  func isRepair(_ operation: GraphQLOperation) -> Bool {
    guard operation.isCacheFirstRefetch, let entry = results[operation.identity] else {
      return false
    }
    return entry.freshness.requestedAt >= operation.context.notBefore
  }

  mutating func noteResponse(to operation: GraphQLOperation, sentAt: LogicalInstant, now: Int64) {
    guard operation.context.session >= session else { return }
    switchSession(to: operation.context.session)
    let entry = entry(for: ReadTarget(executing: operation))
    // That of the data before, as for each change that asks for no request.
    let instant = entry.changeInstant
    entry.freshness.requestedAt = max(entry.freshness.requestedAt, sentAt)
    entry.freshness.noteWritten(sentAt: sentAt, now: now)
    guard let failure = entry.failure, failure.sentAt <= sentAt else { return }
    setFailure(nil, of: entry)
    // Otherwise watches that show the failure would wait for other data.
    fire(entry, at: instant)
  }

  /// Notes a response with the data that was read last, if to write it would change nothing: the
  /// operation has written it before, no record has changed since, no other request and no
  /// invalidation has to know of it, and nothing gets an age.
  mutating func renew(
    by data: JSON, of operation: GraphQLOperation, _ origin: WriteOrigin, now: Int64
  ) -> StoredResult? {
    guard let sentAt = origin.sentAt, sentAt >= clearedAt, operation.context.session == session,
      let entry = results[operation.identity], entry.freshness.writtenAt != nil,
      let reading = entry.reading, entry.lastingPayload?.data?.isIdentical(to: data) == true,
      reading.trace.isPlain, layers.isEmpty, history.journal.isEmpty, !notesWrites(of: origin),
      !origin.limitsAge, isCurrent(entry, now: now, allowsPartial: false)
    else { return nil }
    noteUse(of: entry)
    noteResponse(to: operation, sentAt: sentAt, now: now)
    return result(of: entry, now: now)
  }

  /// Begins to read the result of an operation that is pinned until the end.
  mutating func beginReadBack(of operation: GraphQLOperation, now: Int64) -> ReadProgress {
    var target = ReadTarget(executing: operation)
    // A watch depends on all that the response has shown, also behind a field that is missing.
    target.allowsPartial = true
    let step = beginRead(of: target, now: now)
    if case .done(let result) = step { endReadBack(of: operation, result) }
    return step
  }

  fileprivate mutating func endReadBack(of operation: GraphQLOperation, _ result: StoredResult?) {
    size.unpin(operation.identity)
    // If an optimistic result hides something, the operation is read again when it is removed.
    if result?.isComplete == false { layers.noteHidden(operation.identity) }
  }
}

extension StoreState {
  /// Whether the write must be noted, because a request in flight or a noted invalidation will be
  /// compared with it.
  func notesWrites(of origin: WriteOrigin) -> Bool {
    if !history.invalidations.isEmpty { return true }
    guard let oldest = history.oldest else { return false }
    guard let sentAt = origin.sentAt, !origin.isMutation else { return true }
    return oldest < sentAt
  }

  /// Takes over what a writer has done to the records.
  mutating func finish(
    _ writer: RecordWriter, origin: WriteOrigin, cause: ChangeCause
  ) -> WriteOutcome {
    var outcome = WriteOutcome(
      changes: writer.changes, diagnostics: writer.diagnostics, isSuperseded: writer.hasLeftStale,
      isOvertaken: writer.hasLeftNewer)
    listFields.formUnion(writer.listFields)
    if let sentAt = origin.sentAt, !origin.isMutation, !history.invalidations.isEmpty,
      invalidateSuperseded(writer.writes, sentAt: sentAt)
    {
      outcome.isSuperseded = true
    }
    if writer.rules.notesWrites {
      let isQuery = origin.sentAt != nil && !origin.isMutation
      history.note(
        writer.writes, sentAt: origin.sentAt, completedAt: isQuery ? nil : .next())
    }
    if origin.sentAt != nil { history.newEntities.note(writer.changes) }
    noteWritten(writer.changes, refreshed: writer.refreshed)
    noteShortened(writer.shortened, now: writer.rules.now)
    publish(writer.changes, cause: cause)
    noteSize(of: writer.changes)
    return outcome
  }

  /// The records were written: what is known of their old contents is forgotten, and the new contents
  /// are to be saved. `refreshed` was written with a new age, and may otherwise be the same as before.
  mutating func noteWritten(_ changes: ChangeSet, refreshed: ChangeSet) {
    writeCount += 1
    history.journal.forget(changes, freeIn: records)
    errors.forget(changes)
    noteUnsaved(changes)
    noteUnsaved(refreshed)
  }
}
