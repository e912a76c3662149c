import Weir

extension NormalizedStore {
  /// Reads and writes in one step: others see all of it or nothing, and if `body` throws, nothing
  /// was written.
  ///
  /// ```swift
  /// try store.update { transaction in
  ///   try transaction.update(card, of: Entity("Author", id: "7")) { $0["name"] = "Beth" }
  ///   transaction.remove(.entity(Entity("Todo", id: "1")))
  /// }
  /// ```
  ///
  /// `body` runs without a lock, on a copy. If somebody else has written meanwhile it runs again, so
  /// it must do nothing but read and write the transaction. Another transaction on the same store
  /// within it is an error, and so is ``write(_:for:)-(JSON,_)``, which writes nothing then; what
  /// `client.invalidate` names within it becomes stale when the transaction is over.
  ///
  /// - Parameter body: what is to be read and written.
  /// - Returns: what `body` returns.
  /// - Throws: what `body` throws; ``StoreError`` with the code `nested` if it has written to the
  ///   store in another way, with `contention` if others have at each of a hundred attempts.
  @discardableResult
  public func update<Result>(
    _ body: (inout StoreTransaction) throws -> Result
  ) throws -> Result {
    try commit(removing: nil, origin: WriteOrigin()) { transaction, _ in
      transaction.isByHand = true
      let result = try body(&transaction)
      transaction.updateLists()
      return result
    }
  }

  /// Several reads of one moment, of what is shown: optimistic results included.
  ///
  /// ```swift
  /// let (todos, author) = store.read { ($0.read(todos), $0.read(card, of: ada)) }
  /// ```
  ///
  /// `body` runs without a lock, and may take its time: it delays nobody.
  public func read<Result>(
    _ body: (borrowing StoreTransaction) throws -> Result
  ) rethrows -> Result {
    let (records, version, listFields) = state.withLock { state in
      (state.visible, state.lastVersion, state.listFields)
    }
    return try body(
      StoreTransaction(
        catalog: catalog, records: records, version: version, listFields: listFields))
  }

  private static let maximumAttempts = 100

  /// Runs a transaction until it meets nobody else's writes. With it goes a layer.
  func commit<Result>(
    removing layer: UInt64?, origin: WriteOrigin, session: Session = Session(number: .max),
    _ body: (inout StoreTransaction, TransactionStart) throws -> Result
  ) throws -> Result {
    guard RunningTransaction.calling(self) == nil else { throw StoreError.nestedTransaction }
    let running = RunningTransaction(on: self)
    defer { for invalidation in running.end() { invalidate(invalidation) } }
    for _ in 0..<Self.maximumAttempts {
      let start = state.withLock { state in
        TransactionStart(
          records: state.records, writeCount: state.writeCount, version: state.nextVersion(),
          listFields: state.listFields,
          newer: origin.sentAt.map {
            state.journal.newer(than: $0, isMutation: origin.isMutation)
          } ?? [:],
          newcomers: origin.sentAt.map { state.newcomers.records(since: $0) } ?? [])
      }
      var transaction = StoreTransaction(
        catalog: catalog, records: start.records, version: start.version,
        listFields: start.listFields)
      transaction.now = milliseconds
      running.forgetPostponed()
      let result = try running.run { try body(&transaction, start) }
      if running.takeRefusal() { throw StoreError.writeWithinTransaction }
      if finish(&transaction, start, origin: origin, session: session, removing: layer) {
        return result
      }
    }
    throw StoreError(.contention, "Others kept writing to the store.")
  }

  private func finish(
    _ transaction: inout StoreTransaction, _ start: TransactionStart, origin: WriteOrigin,
    session: Session, removing layer: UInt64?
  ) -> Bool {
    let needsNothing =
      transaction.changes.isEmpty && transaction.staleFields.isEmpty && layer == nil
      && transaction.writes.isEmpty && transaction.selections.isEmpty
      && transaction.overtaken.isEmpty
    if needsNothing { return true }
    let staleFields = transaction.staleFields
    let changes = transaction.changes
    let writes = transaction.writes
    let listFields = transaction.listFields
    let diagnostics = transaction.diagnostics
    let selections = transaction.selections
    let overtaken = transaction.overtaken
    let refreshed = transaction.refreshed
    let isByHand = transaction.isByHand
    let records = transaction.records
    var aftermath = Aftermath()
    let (isDone, hasLayers) = state.withLock { state -> (Bool, Bool) in
      guard state.writeCount == start.writeCount else { return (false, false) }
      let hadLayers = !state.layers.isEmpty
      if let layer { state.layers.remove(layer) }
      // Of a session that is over nothing is written; its layer is gone all the same.
      guard session >= state.session else { return (true, hadLayers) }
      state.writeCount += 1
      state.records = records
      // The transaction's own version is as old as its beginning; who has read since must look again.
      _ = state.nextVersion()
      state.listFields = listFields
      state.noteUnsaved(changes, catalog: catalog, &aftermath)
      state.noteUnsaved(refreshed, catalog: catalog, &aftermath)
      state.noteUnsaved(selections, catalog: catalog, &aftermath)
      if state.requests.oldest != nil {
        state.invalidations.note(overtaken, at: .next())
        state.journal.note(writes, sentAt: origin.sentAt, completedAt: .next())
      }
      defer { state.noteSize(of: changes, catalog: catalog, &aftermath) }
      state.journal.forget(changes, freeIn: state.records)
      if !isByHand { state.newcomers.note(changes) }
      state.errors.forget(changes)
      if hadLayers {
        state.layers.note(changes)
      } else {
        state.noteChanges(changes, catalog: catalog, &aftermath)
      }
      if !staleFields.isEmpty {
        state.invalidate(fields: staleFields, catalog: catalog, &aftermath)
      }
      return (true, hadLayers)
    }
    if hasLayers { showLayers() }
    aftermath.fire()
    if isDone { report(diagnostics) }
    return isDone
  }
}

/// What a transaction begins with.
struct TransactionStart {
  let records: RecordState
  let writeCount: UInt64
  let version: UInt64
  let listFields: ListFields
  /// What later requests have written already.
  let newer: [RecordReference: WrittenFields]
  /// Entities that are there only since the request was sent.
  let newcomers: Set<RecordReference>
}
