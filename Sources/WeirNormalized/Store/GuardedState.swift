import Weir

/// The actions that a change of the state leaves for the time when the lock is open, because they
/// resume tasks or run the app's code.
struct Effects {
  /// Each source wakes the watches of one result.
  var firings: [(source: RefreshSource, instant: LogicalInstant)] = []
  /// Payloads to release: a decoded value's deinitializer is the app's code.
  var payloads: [ResultPayload] = []
  var notices: [(StoreChanges, [AsyncStream<StoreChanges>.Continuation])] = []
  /// Whether the records below the layers have changed, so that the layers must be applied again.
  var appliesLayers = false
  /// When the first of the watched results becomes stale that do so earlier than before.
  var alarm = RowAges.never
  /// Asks the storage to save what has changed.
  var save: (@Sendable () -> Void)?

  var isEmpty: Bool {
    firings.isEmpty && payloads.isEmpty && notices.isEmpty && !appliesLayers && save == nil
      && alarm == RowAges.never
  }

  mutating func append(_ later: Effects) {
    firings += later.firings
    payloads += later.payloads
    notices += later.notices
    appliesLayers = appliesLayers || later.appliesLayers
    alarm = min(alarm, later.alarm)
    save = later.save ?? save
  }
}

/// A store's state behind its lock.
///
/// While the lock is held, changes collect ``Effects``; they are carried out as soon as it is open.
final class GuardedState: Sendable {
  private let state: Locked<StoreState>
  let catalog: Catalog
  /// The endpoint and headers of the operations that the store serves; nil for the default ones.
  let scope: String?

  init(_ state: sending StoreState, scope: String? = nil) {
    catalog = state.catalog
    self.scope = scope
    self.state = Locked(state)
  }

  func withLock<Result>(_ body: (inout StoreState) -> Result) -> Result {
    let (result, effects) = run(body)
    if let effects { perform(effects) }
    return result
  }

  /// Leaves the effects to the caller, who performs them when no lock is held any more.
  func withLock<Result>(
    deferring effects: inout Effects, _ body: (inout StoreState) -> Result
  ) -> Result {
    let (result, later) = run(body)
    if let later { effects.append(later) }
    return result
  }

  private func run<Result>(_ body: (inout StoreState) -> Result) -> (Result, Effects?) {
    state.withLock { state in
      #if DEBUG
        state.sectionCount += 1
      #endif
      let result = body(&state)
      guard !state.effects.isEmpty else { return (result, nil) }
      defer { state.effects = Effects() }
      return (result, state.effects)
    }
  }

  func perform(_ effects: Effects) {
    if effects.appliesLayers { applyLayers() }
    for (changes, listeners) in effects.notices {
      for listener in listeners { listener.yield(changes) }
    }
    RefreshSource.fire(effects.firings)
    if effects.alarm != RowAges.never {
      state.withLock { $0.results.store }?.setAlarm(effects.alarm, after: 0)
    }
    effects.save?()
  }
}
