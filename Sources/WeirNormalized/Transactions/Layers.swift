import Weir

/// What lies on top of the records until it is taken away: optimistic results.
struct Layers {
  private(set) var list: [Layer] = []
  /// Changes whenever a layer comes or goes.
  private(set) var generation: UInt64 = 0
  /// The records that the layers have changed when they were put on top last.
  private(set) var touched: Set<RecordReference> = []
  /// Records below that have changed since.
  private(set) var pending: Set<RecordReference> = []
  /// Whether all that has changed since is what watches have fetched because others had changed
  /// their data; see ``OperationEntry/isWokenByRepair``.
  private(set) var isRepaired = true
  /// Operations of which a response was shown as it came, because layers hide something of it.
  private var hidden: Set<OperationIdentity> = []
  /// Those of them from which a layer has gone since.
  private var revealed: Set<OperationIdentity> = []

  var isEmpty: Bool { list.isEmpty }

  mutating func add(_ layer: Layer) {
    list.append(layer)
    generation += 1
    isRepaired = false
  }

  mutating func remove(_ id: UInt64) {
    list.removeAll { $0.id == id }
    generation += 1
    isRepaired = false
    revealed.formUnion(hidden)
    hidden = []
  }

  mutating func noteHidden(_ operation: OperationIdentity) {
    if !list.isEmpty { hidden.insert(operation) }
  }

  mutating func takeRevealed() -> Set<OperationIdentity> {
    defer { revealed = [] }
    return revealed
  }

  /// Something below has changed.
  mutating func note(_ changes: ChangeSet, isRepair: Bool = false) {
    pending.formUnion(changes.changes.map(\.record))
    if !isRepair { isRepaired = false }
  }

  /// They were put on top anew.
  mutating func noteShown(_ touched: Set<RecordReference>) {
    self.touched = touched
    pending = []
    isRepaired = true
  }
}

/// One of them. It is carried out anew whenever something below it changes, so that several
/// commute and one that goes leaves nothing behind.
struct Layer: Sendable {
  let id: UInt64
  /// When the request was sent whose result it stands for.
  let sentAt: LogicalInstant?
  let apply: @Sendable (inout StoreTransaction) throws -> Void
}

extension NormalizedStore {
  /// Puts a layer on top; readers see it when this returns.
  func addLayer(
    sentAt: LogicalInstant? = nil,
    _ apply: @escaping @Sendable (inout StoreTransaction) throws -> Void
  ) -> UInt64 {
    let id = LogicalInstant.next().ticks
    state.withLock { $0.layers.add(Layer(id: id, sentAt: sentAt, apply: apply)) }
    showLayers()
    return id
  }

  /// Takes a layer away.
  func removeLayer(_ id: UInt64) {
    state.withLock { $0.layers.remove(id) }
    showLayers()
  }

  /// Puts the layers on top of the records anew. Their closures run without the lock; if something
  /// has changed by the time that they are done, they run once more.
  func showLayers() {
    while true {
      let work = state.withLock { state in
        LayerWork(
          records: state.records, layers: state.layers.list, writeCount: state.writeCount,
          newer: state.layers.list.map { layer in
            layer.sentAt.map { state.journal.newerMutations(than: $0) } ?? [:]
          }, generation: state.layers.generation, version: state.nextVersion(),
          listFields: state.listFields)
      }
      var transaction = StoreTransaction(
        catalog: catalog, records: work.records, version: work.version,
        listFields: work.listFields)
      // What it has been told to put off would put the layers on top anew, without end.
      let running = RunningTransaction(on: self)
      defer { _ = running.end() }
      running.run {
        for (layer, newer) in zip(work.layers, work.newer) {
          transaction.newer = newer
          // A layer that does not fit what is below it any more has nothing to show.
          transaction.attempt(layer.apply)
        }
      }
      if show(transaction.records, touched: transaction.changes, of: work) { return }
    }
  }

  private func show(
    _ top: RecordState, touched: ChangeSet, of work: LayerWork
  ) -> Bool {
    var aftermath = Aftermath()
    defer { aftermath.fire() }
    return state.withLock { state in
      guard state.writeCount == work.writeCount, state.layers.generation == work.generation else {
        return false
      }
      let before = state.visible
      let now = Set(touched.changes.map(\.record))
      let concerned = now.union(state.layers.touched).union(state.layers.pending)
      let isRepair = state.layers.isRepaired
      state.layers.noteShown(now)
      state.layered = work.layers.isEmpty ? nil : top
      _ = state.nextVersion()
      let after = state.visible
      var changes = ChangeSet()
      for record in concerned {
        if let change = after.difference(of: record, from: before) {
          changes.changes.append(change)
        }
      }
      state.noteChanges(changes, isRepair: isRepair, catalog: catalog, &aftermath)
      for operation in state.layers.takeRevealed() {
        if let entry = state.entries[operation] { state.fire(entry, &aftermath) }
      }
      return true
    }
  }
}

private struct LayerWork {
  let records: RecordState
  let layers: [Layer]
  let writeCount: UInt64
  /// What mutations that were sent later than each layer's have brought already: it stays above.
  let newer: [[RecordReference: WrittenFields]]
  let generation: UInt64
  let version: UInt64
  let listFields: ListFields
}

extension StoreTransaction {
  /// Carries something out, or nothing of it if it throws, or has written to the store itself.
  mutating func attempt(_ body: (inout StoreTransaction) throws -> Void) {
    let before = copy()
    let running = RunningTransaction.current
    do {
      try body(&self)
      if let running, running.takeRefusal() { throw StoreError.writeWithinTransaction }
    } catch {
      self = before
      _ = running?.takeRefusal()
    }
  }

  private borrowing func copy() -> StoreTransaction {
    var other = StoreTransaction(
      catalog: catalog, records: records, version: version, listFields: listFields)
    other.changes = changes
    other.writes = writes
    other.diagnostics = diagnostics
    other.staleFields = staleFields
    other.overtaken = overtaken
    other.selections = selections
    other.refreshed = refreshed
    other.touched = touched
    other.isByHand = isByHand
    other.now = now
    other.newer = newer
    other.newcomers = newcomers
    return other
  }
}
