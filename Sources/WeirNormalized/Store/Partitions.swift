import Weir

/// The partitions of a store: a store of its own for each endpoint and set of headers that
/// operations have had, except the default.
///
/// A partition lives as long as something needs it: an execution, a watch, a pin, or the app. The
/// others are dropped, the least recently used one first, when all together exceed the budget.
final class Partitions: Sendable {
  fileprivate struct Entry {
    var store: NormalizedStore
    var lastUse: UInt64
  }

  fileprivate struct State {
    var entries: [String: Entry] = [:]
    var useCount: UInt64 = 0
    /// The size at which something is dropped; above the limit if the last attempt has freed too little.
    var nextTrim = 0
    var session = Session(number: 0)
    /// Whether the store is gone to which the partitions belong.
    var hasEnded = false
    weak var main: NormalizedStore?
  }

  /// About what an empty partition takes.
  private static let overhead = 16 << 10

  private let state = Locked(State())
  private let limit: Int
  private let make: @Sendable (OperationContext, Partitions) -> NormalizedStore
  /// The diagnostics that were reported, by any of the stores.
  let reported = Locked<Set<StoreDiagnostic>>([])

  init(
    limit: Int, make: @escaping @Sendable (OperationContext, Partitions) -> NormalizedStore
  ) {
    self.limit = limit
    self.make = make
  }

  /// Sets the store of the default partition.
  func begin(_ main: NormalizedStore) {
    state.withLock { $0.main = main }
  }

  /// The default partition is gone.
  func end() {
    let entries = state.withLock { state in
      state.hasEnded = true
      defer { state.entries = [:] }
      return state.entries
    }
    withExtendedLifetime(entries) {}
  }

  /// All partitions but the default one.
  var all: [NormalizedStore] { state.withLock { $0.entries.values.map(\.store) } }

  /// The partition of a context's endpoint and headers, which is made at its first use.
  func store(for context: OperationContext, scope: String) -> NormalizedStore {
    let known = state.withLock { state -> NormalizedStore? in
      state.useCount += 1
      state.entries[scope]?.lastUse = state.useCount
      return state.entries[scope]?.store
    }
    if let known { return known }
    let made = make(context, self)
    var store: NormalizedStore?
    while store == nil {
      let session = state.withLock(\.session)
      made.state.withLock { $0.begin(session) }
      // Nobody may reach a store of an older session, whose work could still write to it.
      store = state.withLock { state in state.session == session ? state.insert(made, scope) : nil }
    }
    trim()
    return store ?? made
  }

  /// A response was written to a partition. Now and then, looks at the budget.
  func noteResponse() {
    let isTurn = state.withLock { state in
      state.useCount += 1
      // A partition that was in use at the last trim may be idle now.
      if state.useCount % 256 == 0 { state.nextTrim = 0 }
      return state.useCount % 16 == 0
    }
    if isTurn { trim() }
  }

  /// Begins a session for partitions that are made later.
  ///
  /// - Returns: the present ones, which are to join it.
  func switchSession(to session: Session) -> [NormalizedStore] {
    state.withLock { state in
      state.session = max(state.session, session)
      state.nextTrim = 0
      return state.entries.values.map(\.store)
    }
  }
}

extension Partitions.State {
  /// - Returns: the partition that another thread has made meanwhile, or this one.
  fileprivate mutating func insert(_ made: NormalizedStore, _ scope: String) -> NormalizedStore {
    if let other = entries[scope]?.store { return other }
    if !hasEnded { entries[scope] = Partitions.Entry(store: made, lastUse: useCount) }
    return made
  }
}

// MARK: - The budget

extension Partitions {
  /// Keeps all partitions together within the budget.
  func trim() {
    let (uses, next) = state.withLock { ($0.entries.mapValues(\.lastUse), $0.nextTrim) }
    guard !uses.isEmpty, totalBytes > max(limit, next) else { return }
    defer { noteTrim() }
    // A little more than needed, so that the effort serves many writes.
    let target = limit - limit / 8
    var total = totalBytes
    for (scope, _) in uses.sorted(by: { $0.value < $1.value }) where total > target {
      guard let bytes = drop(scope) else { continue }
      total -= bytes
    }
    guard total > limit else { return }
    // What is left is in use: each gives up a share.
    let stores = all + [main].compactMap(\.self)
    let unsaved = stores.reduce(0) { $0 + $1.state.withLock { $0.storage?.unsavedCount ?? 0 } }
    for store in stores {
      let bytes = store.state.withLock { $0.size.total }
      store.collectAlone(
        .bytes(Int(Double(bytes) * Double(target) / Double(total))),
        keepsRefused: unsaved <= store.configuration.maximumUnsavedRecords)
    }
  }

  private func noteTrim() {
    let total = totalBytes
    state.withLock { $0.nextTrim = total > limit ? total + limit / 8 : 0 }
  }

  private var main: NormalizedStore? { state.withLock { $0.main } }

  private var totalBytes: Int {
    all.reduce(main?.bytes ?? 0) { $0 + $1.bytes + Self.overhead }
  }

  /// Drops a partition that nothing needs.
  ///
  /// - Returns: about how much it took; nil if it is needed.
  private func drop(_ scope: String) -> Int? {
    // Released without the lock: the deinitializers of decoded values are the app's code.
    let dropped = state.withLock { state -> NormalizedStore? in
      guard var entry = state.entries.removeValue(forKey: scope) else { return nil }
      if isKnownUniquelyReferenced(&entry.store), entry.store.state.withLock(\.isIdle) {
        return entry.store
      }
      state.entries[scope] = entry
      return nil
    }
    return dropped.map { $0.bytes + Self.overhead }
  }
}

extension NormalizedStore {
  fileprivate var bytes: Int { state.withLock { $0.size.total } }
}

extension StoreState {
  /// Whether the store can be dropped: it has no layers and no listeners, and nothing is in flight,
  /// watched, pinned or unsaved.
  fileprivate var isIdle: Bool {
    layers.isEmpty && listeners.isEmpty && history.oldest == nil && size.pins.isEmpty
      && storage?.hasUnsavedChanges != true
      && results.entries.values.allSatisfy { !$0.isWatched }
  }
}
