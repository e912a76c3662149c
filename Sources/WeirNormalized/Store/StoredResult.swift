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
    result(of: ReadTarget(executing: operation))
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
      if state.track(entry) {
        instant = entry.changeInstant
        // An invalidation asks for a request, which the failure of an earlier one does not answer.
        if let failure = entry.failure, failure.sentAt < state.lastInvalidation {
          state.setFailure(nil, of: entry)
        }
      } else if entry.freshness.noteUnseenExpiry(freshUntil, now: now) {
        instant = .next()
      }
      // The next result needs a source that has not fired, or its watch would never wait.
      if instant != nil { _ = state.results.replaceSource(of: entry) }
      return instant
    }
    if let firesAt { source.fire(at: firesAt) } else { setAlarm(freshUntil, after: now) }
  }
}
