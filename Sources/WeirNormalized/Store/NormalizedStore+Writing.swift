import Weir

/// Where a piece of data comes from, as far as its place among others is concerned.
struct WriteOrigin {
  /// When the request was sent; nil for data that were written by hand, which count as the newest.
  var sentAt: LogicalInstant?
  var isMutation = false
  /// Whether a watch has asked for them only because others had changed what it shows.
  var isRepair = false
  /// How long the response may be used, by its own account.
  var maximumAge: Duration?
}

/// What became of a response.
struct WriteOutcome {
  var changes = ChangeSet()
  var diagnostics: [StoreDiagnostic] = []
  /// Whether something that it says was invalidated after the request had been sent, or is stale and
  /// was not written because it had changed meanwhile.
  var isOvertaken = false
  /// Whether layers lie on top, which have to be put there anew.
  var isBelowLayers = false
}

extension NormalizedStore {
  /// A request leaves. Its instant is what its response is compared with later.
  func beginRequest(for operation: GraphQLOperation) -> LogicalInstant {
    var aftermath = Aftermath()
    defer { aftermath.fire() }
    return state.withLock { state in
      state.switchSession(to: operation.context.session, catalog, &aftermath)
      let sentAt = state.requests.begin()
      if operation.kind == .mutation { state.newcomers.beginMutation(sentAt) }
      return sentAt
    }
  }

  /// A request is over, with or without a response.
  func endRequest(_ sentAt: LogicalInstant) {
    state.withLock { state in
      state.requests.end(sentAt)
      state.newcomers.endMutation(sentAt)
      state.journal.prune(oldest: state.requests.oldest)
      state.invalidations.prune(oldest: state.requests.oldest)
    }
  }

  /// Merges the data of a response. What an error made null is left as it was.
  func write(
    _ data: JSON, errors: [GraphQLError], of operation: GraphQLOperation, origin: WriteOrigin
  ) -> WriteOutcome {
    guard data.kind == .object else { return WriteOutcome() }
    var aftermath = Aftermath()
    let outcome =
      mergeOutsideLock(data, errors, operation, origin, &aftermath)
      ?? ResponseMerge(data, errors, operation, origin, self).run(&aftermath)
    if outcome.isBelowLayers { showLayers() }
    aftermath.fire()
    report(outcome.diagnostics)
    return outcome
  }

  /// Merges a large response into a copy of the records, so that nobody has to wait for the lock
  /// meanwhile.
  ///
  /// - Returns: nil if it is small, or if something else has been written by the end.
  private func mergeOutsideLock(
    _ data: JSON, _ errors: [GraphQLError], _ operation: GraphQLOperation, _ origin: WriteOrigin,
    _ aftermath: inout Aftermath
  ) -> WriteOutcome? {
    guard data.withTape({ $0.extent($1).cells > ResponseMerge.largeSize }) else { return nil }
    // One after the other: of two at once, one would be in vain.
    return largeMerges.withLock { _ in
      ResponseMerge(data, errors, operation, origin, self).runOutsideLock(&aftermath)
    }
  }
}

extension StoreState {
  /// Tells a writer what others have written.
  func prepare(_ writer: inout RecordWriter, origin: WriteOrigin) {
    if let sentAt = origin.sentAt, !journal.isEmpty {
      writer.newer = journal.newer(than: sentAt, isMutation: origin.isMutation)
    }
    writer.notesWrites = notesWrites(of: origin)
    writer.notesAges = storage != nil
  }

  /// Whether somebody may ask later what a write has written.
  func notesWrites(of origin: WriteOrigin) -> Bool {
    if !invalidations.isEmpty { return true }
    guard let oldest = requests.oldest else { return false }
    guard let sentAt = origin.sentAt, !origin.isMutation else { return true }
    return oldest < sentAt
  }

  /// Takes over what a writer has done to the records.
  mutating func finish(
    _ writer: RecordWriter, origin: WriteOrigin, catalog: Catalog, _ aftermath: inout Aftermath
  ) -> WriteOutcome {
    var outcome = WriteOutcome(
      changes: writer.changes, diagnostics: writer.diagnostics, isOvertaken: writer.hasLeftStale)
    listFields.formUnion(writer.listFields)
    if let sentAt = origin.sentAt, !origin.isMutation, !invalidations.isEmpty,
      invalidateOvertaken(writer.writes, sentAt: sentAt, catalog: catalog)
    {
      outcome.isOvertaken = true
    }
    if writer.notesWrites {
      let isQuery = origin.sentAt != nil && !origin.isMutation
      journal.note(
        writer.writes, sentAt: origin.sentAt, completedAt: isQuery ? nil : .next())
    }
    journal.forget(writer.changes, freeIn: records)
    if origin.sentAt != nil { newcomers.note(writer.changes) }
    errors.forget(writer.changes)
    writeCount += 1
    noteUnsaved(writer.changes, catalog: catalog, &aftermath)
    noteUnsaved(writer.refreshed, catalog: catalog, &aftermath)
    defer { noteSize(of: writer.changes, catalog: catalog, &aftermath) }
    if layers.isEmpty {
      noteChanges(
        outcome.changes, isRepair: origin.isRepair, catalog: catalog, &aftermath)
    } else {
      layers.note(outcome.changes, isRepair: origin.isRepair)
      outcome.isBelowLayers = true
    }
    return outcome
  }
}
