import Weir

/// The optimistic results that lie on top of the records until they are removed.
struct Layers {
  private(set) var list: [Layer] = []
  /// The records with the layers on top; nil if there are none.
  private(set) var shown: RecordState?
  /// Changes whenever a layer is added or removed.
  private(set) var generation: UInt64 = 0
  /// The records that the layers changed when they were last applied, be it only how old they are.
  private(set) var touched: Set<RecordReference> = []
  /// The records below that have changed since.
  private var changedBelow: Set<RecordReference> = []
  /// The cause of all changes since; nil if there are none. Different causes count as a write.
  private var cause: ChangeCause?
  /// The operations whose response was shown as it came, because layers hide some of it.
  private var hidden: Set<OperationIdentity> = []
  /// Those of them that may be complete since a layer was removed.
  private var revealed: Set<OperationIdentity> = []

  /// What ``shown`` was made from, and the lists that it knows.
  private var basis: (generation: UInt64, writeCount: UInt64, listFields: ListFields)?

  var isEmpty: Bool { list.isEmpty && shown == nil }

  /// Returns the lists that ``shown`` knows if nothing has happened since, except that one layer was
  /// added: that one can be applied to what is shown, instead of all to the records.
  func listFieldsBelowNewest(writeCount: UInt64) -> ListFields? {
    guard let basis, list.count > 1, changedBelow.isEmpty, revealed.isEmpty,
      basis.generation + 1 == generation, basis.writeCount == writeCount
    else { return nil }
    return basis.listFields
  }

  mutating func add(_ layer: Layer) {
    list.append(layer)
    generation += 1
    cause = .write
  }

  mutating func remove(_ id: UInt64) {
    list.removeAll { $0.id == id }
    generation += 1
    // The shown records contain the layer, so the next one cannot be put on top of them.
    basis = nil
    cause = .write
    revealed.formUnion(hidden)
    hidden = []
  }

  mutating func noteHidden(_ operation: OperationIdentity) {
    if !list.isEmpty { hidden.insert(operation) }
  }

  mutating func note(_ changesBelow: ChangeSet, cause: ChangeCause = .write) {
    changedBelow.formUnion(changesBelow.changes.map(\.record))
    self.cause = self.cause.map { $0 == cause ? cause : .write } ?? cause
  }

  /// The records and results that may be different when the layers have been applied again.
  struct Difference {
    let records: Set<RecordReference>
    let cause: ChangeCause
    let revealed: Set<OperationIdentity>
  }

  /// Shows the layers as they were applied last: the newest alone, or all.
  mutating func show(
    _ records: RecordState, _ outcome: TransactionOutcome, writeCount: UInt64, isNewestAlone: Bool
  ) -> Difference {
    let now = Set((outcome.changes.changes + outcome.refreshed.changes).map(\.record))
    let all = now.union(touched)
    let difference = Difference(
      records: isNewestAlone ? now : all.union(changedBelow), cause: cause ?? .write,
      revealed: revealed)
    shown = list.isEmpty ? nil : records
    basis = (generation, writeCount, outcome.listFields)
    touched = isNewestAlone ? all : now
    changedBelow = []
    cause = nil
    revealed = []
    return difference
  }
}

/// One optimistic result.
///
/// It is applied again whenever something below it changes, so that several commute and a removed one
/// leaves nothing behind.
struct Layer: Sendable {
  let id: UInt64
  /// When the request was sent whose result it anticipates.
  let sentAt: LogicalInstant
  /// Names the operation to people.
  let name: String
  let apply: @Sendable (inout StoreTransaction) throws -> Void
}

extension NormalizedStore {
  /// Puts a layer on top; readers see it when this returns. Does nothing if its session has ended.
  ///
  /// - Returns: the number of the layer, to remove it.
  func addLayer(
    of name: String, sentAt: LogicalInstant, session: Session,
    _ apply: @escaping @Sendable (inout StoreTransaction) throws -> Void
  ) -> UInt64? {
    let id = LogicalInstant.next().ticks
    let layer = Layer(id: id, sentAt: sentAt, name: name, apply: apply)
    return state.withLock { state in
      guard session >= state.session else { return nil }
      state.layers.add(layer)
      state.effects.appliesLayers = true
      return id
    }
  }

  func removeLayer(_ id: UInt64) {
    state.withLock { $0.removeLayer(id) }
  }
}

extension StoreState {
  mutating func removeLayer(_ id: UInt64) {
    layers.remove(id)
    effects.appliesLayers = true
  }
}

extension GuardedState {
  /// Applies the layers to the records as they are now. The closures of layers run without the lock; if
  /// something has changed by the end, they run again.
  func applyLayers() {
    while true {
      let work = withLock(LayerWork.init)
      var transaction = StoreTransaction(work.start, .layer, scope: scope)
      // Invalidations made by a layer are ignored: they would make the layers apply again, endlessly.
      let running = RunningTransaction(on: self)
      defer { _ = running.end() }
      running.run {
        for (layer, newer) in zip(work.layers, work.newer) {
          transaction.newer = newer
          // A layer that does not fit what is below it any more shows nothing.
          transaction.apply(layer)
        }
      }
      let (records, outcome) = (transaction.records, transaction.outcome)
      // The clock may be the app's code.
      let now = work.store?.milliseconds ?? 0
      guard withLock({ $0.show(records, outcome, of: work, now: now) }) else { continue }
      work.store?.report(outcome.diagnostics)
      return
    }
  }
}

extension StoreTransaction {
  /// Applies a layer, and notes what of it cannot be shown.
  fileprivate mutating func apply(_ layer: Layer) {
    let count = outcome.diagnostics.count
    let error = attempt(layer.apply)
    let messages =
      error.map { [StoreDiagnostic.text(of: $0)] }
      ?? outcome.diagnostics[count...].filter { $0.code != .noKey }.map(\.message)
    outcome.diagnostics.removeSubrange(count...)
    outcome.diagnostics += messages.map {
      StoreDiagnostic(
        code: .optimisticResult,
        message: "\(layer.name): the optimistic result cannot be shown: \($0)")
    }
  }
}

extension StoreState {
  /// - Returns: false if the records or the layers have changed since the work began.
  fileprivate mutating func show(
    _ top: RecordState, _ outcome: TransactionOutcome, of work: LayerWork, now: Int64
  ) -> Bool {
    guard writeCount == work.start.writeCount, layers.generation == work.generation else {
      return false
    }
    let before = visible
    let difference = layers.show(
      top, outcome, writeCount: writeCount, isNewestAlone: work.isNewestAlone)
    _ = nextVersion()
    heedLessons()
    let after = visible
    var (changes, shortened) = (ChangeSet(), ChangeSet())
    for record in difference.records {
      if let change = after.change(of: record, since: before, catalog) {
        changes.changes.append(change)
      } else if !layers.touched.contains(record) || after.hasOlderOrder(record) {
        for place in after.renewedLists(of: record, since: before, catalog) {
          changes.append(record, place)
        }
      }
      if let change = after.shortening(of: record, since: before, catalog) {
        shortened.changes.append(change)
      }
    }
    wakeWatches(of: changes, since: before, cause: difference.cause)
    // An optimistic result does not age. The data below it does, and may have the same values.
    shortenDependents(of: shortened, in: after, now: now)
    for operation in difference.revealed {
      if let entry = results[operation] { fire(entry) }
    }
    return true
  }
}

/// A snapshot of the state for applying the layers.
private struct LayerWork {
  let start: TransactionStart
  let layers: ArraySlice<Layer>
  /// Whether the newest layer alone has to be applied, to what is shown.
  let isNewestAlone: Bool
  /// The fields written by mutations that were sent after each layer's: they stay on top of it.
  let newer: [[RecordReference: WrittenFields]]
  let generation: UInt64
  let store: NormalizedStore?

  init(_ state: inout StoreState) {
    store = state.results.store
    var start = TransactionStart(&state)
    let lists = state.layers.listFieldsBelowNewest(writeCount: state.writeCount)
    isNewestAlone = lists != nil
    if let lists {
      start.records = state.visible
      start.listFields = lists
    }
    self.start = start
    layers = isNewestAlone ? state.layers.list.suffix(1) : state.layers.list[...]
    newer = layers.map { [journal = state.history.journal] layer in
      journal.mutations(since: layer.sentAt)
    }
    generation = state.layers.generation
  }
}
