import Weir

/// Merges one response into a store's records.
struct ResponseMerge {
  /// Responses of more cells and errors are merged into a copy. A smaller one holds the lock for less than
  /// a tenth of a millisecond, and a copy would cost more than it is worth.
  static let largeSize = 2048

  private let data: JSON
  private let errors: KnownErrors.New
  private let operation: GraphQLOperation
  private let origin: WriteOrigin
  private let plan: OperationPlan
  private let root: RootType
  private let source: WriteSource
  private let store: NormalizedStore
  private let now: Int64

  init(
    _ data: JSON, _ errors: [GraphQLError], _ operation: GraphQLOperation, _ origin: WriteOrigin,
    _ store: NormalizedStore
  ) {
    self.data = data
    self.errors = KnownErrors.New(errors)
    self.operation = operation
    self.origin = origin
    self.store = store
    let bindings = operation.bindings(store.catalog)
    plan = bindings.plan
    root = RootType(operation.kind)
    source = WriteSource(
      data, of: root.type, isRoot: true, bindings: bindings, skipped: data.cellsNulled(by: errors),
      isWhole: origin.sentAt != nil && !origin.mayLackMembers)
    now = store.milliseconds
  }

  var isLarge: Bool {
    // Looking up an error takes about as long as writing 32 cells.
    data.withTape { $0.extent($1).cells } + errors.errors.count * 32 > Self.largeSize
  }

  /// Merges in place.
  func run(_ effects: inout Effects) -> WriteOutcome {
    data.withTape { tape, index in
      store.state.withLock(deferring: &effects) { state in
        if let refusal = refusal(state) { return refusal }
        var writer = makeWriter(tape, state)
        write(index, &writer, into: &state.records)
        return finish(writer, failures(in: state.records), &state)
      }
    }
  }

  /// Merges into a copy, which takes the place of the records if they have not changed by then.
  ///
  /// - Returns: nil if they have changed.
  func runOutsideLock(_ effects: inout Effects) -> WriteOutcome? {
    data.withTape { tape, index in
      let start = store.state.withLock {
        state -> (records: RecordState, writer: RecordWriter, writeCount: UInt64)? in
        guard refusal(state) == nil else { return nil }
        return (state.records, makeWriter(tape, state), state.writeCount)
      }
      guard let start else { return nil }
      var (records, writer) = (start.records, start.writer)
      write(index, &writer, into: &records)
      let failures = failures(in: records)
      // The old records are released when the lock is open.
      return store.state.withLock(deferring: &effects) { state in
        guard state.writeCount == start.writeCount, state.lastVersion + 1 == writer.version,
          state.notesWrites(of: origin) == writer.rules.notesWrites, refusal(state) == nil
        else { return nil }
        swap(&state.records, &records)
        return finish(writer, failures, &state)
      }
    }
  }

  /// The records of a store that has nothing but the response.
  func recordsOfResponse() -> RecordState {
    var records = RecordState(seed: 0)
    data.withTape { tape, index in
      var writer = source.writer(tape, version: 1, .apart)
      write(index, &writer, into: &records)
    }
    return records
  }

  /// The outcome for a response that comes too late.
  private func refusal(_ state: StoreState) -> WriteOutcome? {
    if operation.context.session < state.session { return WriteOutcome() }
    if let sentAt = origin.sentAt, sentAt < state.clearedAt {
      return WriteOutcome(isSuperseded: true)
    }
    return nil
  }

  private func isRepair(_ state: StoreState) -> Bool {
    origin.isReadBack && state.isRepair(operation)
  }

  private func makeWriter(_ tape: JSONTape, _ state: StoreState) -> RecordWriter {
    source.writer(
      tape, version: state.lastVersion + 1,
      .response(origin, isRepair: isRepair(state), now: now, state))
  }

  private func write(
    _ object: TapeIndex, _ writer: inout RecordWriter, into records: inout RecordState
  ) {
    writer.write(
      object, node: plan.root, into: root.reference, type: root.type, isRoot: true, &records)
  }

  private func finish(
    _ writer: RecordWriter, _ failures: [KnownErrors.Failure], _ state: inout StoreState
  ) -> WriteOutcome {
    _ = state.nextVersion()
    writer.bindings.remember()
    if origin.sentAt == nil {
      state.results[operation.identity]?.freshness.noteWritten(sentAt: .next(), now: now)
    }
    // Over its budget, the store must not evict what the response has found unchanged before that is
    // read back.
    if origin.isReadBack { state.size.pin(operation) }
    let cause: ChangeCause = isRepair(state) ? .repair : .write
    var outcome = state.finish(writer, origin: origin, cause: cause)
    if !failures.isEmpty || errors.isCut { state.errors.note(failures, isCut: errors.isCut) }
    guard origin.isReadBack, let sentAt = origin.sentAt else { return outcome }
    outcome.isPinned = true
    state.noteResponse(to: operation, sentAt: sentAt, now: now)
    if state.layers.isEmpty { outcome.readBack = state.beginReadBack(of: operation, now: now) }
    return outcome
  }

  /// The fields that failed, once the data is written.
  private func failures(in records: RecordState) -> [KnownErrors.Failure] {
    guard !errors.errors.isEmpty else { return [] }
    var bindings = source.bindings
    var finder = ElementFinder()
    return errors.errors.compactMap { error, bytes in
      records.field(at: error.path, of: data, root: root.reference, &bindings, &finder)
        .map { KnownErrors.Failure(field: $0, error: error, bytes: bytes) }
    }
  }
}
