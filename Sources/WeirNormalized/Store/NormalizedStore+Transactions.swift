import Weir

extension NormalizedStore {
  /// Reads and writes in one step: others see all of it or nothing, and if `body` throws, nothing is
  /// written.
  ///
  /// ```swift
  /// try store.update { transaction in
  ///   try transaction.update(card, of: Entity("Author", id: "7")) { $0["name"] = "Beth" }
  ///   transaction.remove(.entity(Entity("Todo", id: "1")))
  /// }
  /// ```
  ///
  /// `body` runs without a lock, on a copy. It runs again if something else was written meanwhile, so it
  /// must do nothing but read and write the transaction. Another transaction on the same store within
  /// it is an error, and so is ``write(_:for:)-(JSON,_)``, which then writes nothing; what
  /// `client.invalidate` names within it becomes stale when the transaction is over.
  ///
  /// A transaction sees what is in memory: call ``load()`` or ``load(_:)-(GraphQLOperation)`` before, if
  /// it needs what only the storage has. If it has missed such data, that is reported as
  /// ``StoreDiagnostic/Code/notLoaded``.
  ///
  /// - Parameter body: reads and writes the transaction.
  /// - Returns: the result of `body`.
  /// - Throws: the error of `body`; ``StoreError`` with the code `nested` if `body` has written to the
  ///   store directly, with `contention` if others have written during each of a hundred attempts.
  @discardableResult
  public func update<Result>(
    _ body: (inout StoreTransaction) throws -> Result
  ) throws -> Result {
    try update(in: .any, body)
  }

  /// The same for changes that belong to a session: if that has ended, they are dropped.
  func update<Result>(
    in session: Session, _ body: (inout StoreTransaction) throws -> Result
  ) throws -> Result {
    try commit(removing: nil, origin: WriteOrigin(), session: session) { transaction, _ in
      transaction.outcome.isByHand = true
      let result = try body(&transaction)
      transaction.updateLists()
      return result
    }
  }

  /// Reads several things at one moment, as they are shown: optimistic results included.
  ///
  /// ```swift
  /// let (todos, author) = store.read { ($0.read(todos), $0.read(card, of: ada)) }
  /// ```
  ///
  /// `body` runs without a lock, so it may take long without delaying anyone. It sees what is in memory;
  /// see ``load()``.
  public func read<Result>(
    _ body: (borrowing StoreTransaction) throws -> Result
  ) rethrows -> Result {
    let start = state.withLock { state in
      TransactionStart(
        catalog: catalog, records: state.visible, writeCount: state.writeCount,
        version: state.lastVersion, listFields: state.listFields,
        hasStorage: state.storage != nil)
    }
    // It writes nothing.
    return try body(StoreTransaction(start, .apart, scope: state.scope))
  }

  private static let maximumAttempts = 100

  /// Runs a transaction until nothing else was written meanwhile. A layer is removed in the same step.
  func commit<Result>(
    removing layer: UInt64?, origin: WriteOrigin, session: Session = .any,
    _ body: (inout StoreTransaction, TransactionStart) throws -> Result
  ) throws -> Result {
    guard RunningTransaction.calling(state) == nil else { throw StoreError.nestedTransaction }
    let running = RunningTransaction(on: state)
    defer { for invalidation in running.end() { invalidate(invalidation) } }
    for _ in 0..<Self.maximumAttempts {
      let start = state.withLock { TransactionStart(&$0, origin) }
      let now = milliseconds
      var transaction = StoreTransaction(
        start, .transaction(origin, now: now), scope: state.scope)
      running.forgetPostponed()
      let result = try running.run { try body(&transaction, start) }
      if running.takeRefusal() { throw StoreError.writeWithinTransaction }
      let (records, outcome) = (transaction.records, transaction.outcome)
      if outcome.isByHand { running.missed.forEach(noteMiss) }
      if outcome.isEmpty, layer == nil {
        report(outcome.diagnostics)
        return result
      }
      let isDone = state.withLock { state in
        guard state.writeCount == start.writeCount else { return false }
        if let layer { state.removeLayer(layer) }
        if session < state.session { return true }
        if let sentAt = origin.sentAt, sentAt < state.clearedAt {
          state.takeStale(outcome, written: records)
        } else {
          state.take(records, outcome, origin, now: now)
        }
        return true
      }
      guard isDone else { continue }
      report(outcome.diagnostics)
      return result
    }
    throw StoreError(
      .contention,
      "The transaction was not written: during each of \(Self.maximumAttempts) attempts, something "
        + "else was written to the store. Do less work in its body.")
  }
}

extension StoreState {
  /// Takes over what a transaction has done to the records.
  fileprivate mutating func take(
    _ records: RecordState, _ outcome: TransactionOutcome, _ origin: WriteOrigin, now: Int64
  ) {
    self.records = records
    passVersion(outcome.latestOrder)
    // The transaction's own version is as old as its beginning; later readers must look again.
    _ = nextVersion()
    listFields = outcome.listFields
    if history.oldest != nil {
      history.note(outcome.superseded)
      history.note(outcome.writes, sentAt: origin.sentAt, completedAt: .next())
    }
    if !outcome.isByHand { history.newEntities.note(outcome.changes) }
    noteWritten(outcome.changes, refreshed: outcome.refreshed)
    forgetErrors(of: outcome.superseded)
    noteShortened(outcome.shortened, now: now)
    noteUnsaved(outcome.storageChanges)
    publish(outcome.changes)
    if !outcome.staleFields.isEmpty {
      invalidate(fields: outcome.staleFields.all.map { ($0.record, $0.place, isRedirected: false) })
    }
    if outcome.invalidatesType { fireUnanswered() }
    noteSize(of: outcome.changes)
  }
}

extension StoreState {
  /// Marks as stale what the result of a mutation would have changed that was sent before the records were
  /// removed. The queries that have been answered since may have been older, and so may those in flight.
  fileprivate mutating func takeStale(_ outcome: TransactionOutcome, written: RecordState) {
    var stale = outcome.staleFields.all.filter { records.hasRow(of: $0.record) }
    for change in outcome.changes.changes {
      let record = change.record
      guard records.hasRow(of: record), records.header(record).hasRecord else { continue }
      for place in records.places(of: record, catalog)
      where change.isRemoved || change.contains(place) { stale.append((record, place)) }
    }
    forgetErrors(of: outcome.superseded)
    if history.oldest != nil {
      var superseded = outcome.superseded
      for change in outcome.changes.changes {
        let owner = written.ownerIfPresent(of: change.record)?.record ?? change.record
        if !owner.isRoot, let entity = written.entity(owner, catalog) {
          superseded.entities.insert(entity)
        }
      }
      history.note(superseded)
    }
    noteUnsaved(
      outcome.storageChanges.map { StorageChange(content: $0.content, isInvalidation: true) })
    if outcome.invalidatesType { fireUnanswered() }
    guard !stale.isEmpty else { return }
    invalidate(fields: stale.map { ($0.record, $0.place, isRedirected: false) })
  }
}

extension TransactionStart {
  /// The start of a transaction that writes.
  init(_ state: inout StoreState, _ origin: WriteOrigin = WriteOrigin()) {
    self.init(
      catalog: state.catalog, records: state.records, writeCount: state.writeCount,
      version: state.nextVersion(), listFields: state.listFields, hasStorage: state.storage != nil)
    hasOtherRequests = state.history.hasRequests(exceptOf: origin.sentAt)
    guard let sentAt = origin.sentAt else { return }
    newer = state.history.journal.newer(than: sentAt, isMutation: origin.isMutation)
    newEntities = state.history.newEntities.records(since: sentAt)
  }
}
