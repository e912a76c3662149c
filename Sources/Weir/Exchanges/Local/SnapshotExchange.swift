/// Records the results that pass, and replays those of an earlier run: for previews, for tests, and
/// for the first frame of an app.
///
/// ```swift
/// let snapshots = SnapshotExchange(replaying: saved)
/// let client = GraphQLClient([snapshots, .dedup, .documentCache, .fetch(url)])
/// // … when the app goes to the background:
/// try JSONEncoder().encode(snapshots.snapshot()).write(to: file)
///
/// // A preview, without any server:
/// let client = GraphQLClient([SnapshotExchange(replaying: fixture, .always)])
/// ```
///
/// It stands first, so that `client.peek` finds what it replays. By default a replayed result is a
/// first answer to a query, marked stale, and the rest of the chain is asked as well; if that fails,
/// the replayed data stand beside the error; once it has brought data, the replayed ones are gone, and
/// the cache is in charge. A `cacheOnly` query gets the replayed result alone. Queries that demand the
/// network are left alone.
///
/// Complete results of queries and mutations are recorded, with their errors, the last one of each
/// operation with its variables; not those of subscriptions, and not what a cache answered.
public final class SnapshotExchange: StatefulExchange {
  /// What a replayed result is.
  public enum Replay: Hashable, Sendable {
    /// The first of a query's results, until the rest of the chain has brought one.
    case untilFetched
    /// The only result of a query or mutation, each time: nothing is sent for it.
    case always
  }

  fileprivate struct Replayed {
    let result: OperationResult
    /// Fires when the result is gone, for the watches that show it.
    let gone = RefreshSource()
  }

  fileprivate struct State {
    var replayed: [OperationIdentity: Replayed]
    var recorded: [OperationIdentity: (number: UInt64, entry: OperationSnapshot.Entry)] = [:]
    var session = Session(number: 0)
    var lastNumber: UInt64 = 0
  }

  private let replay: Replay
  private let maximumCount: Int
  private let state: Locked<State>

  /// An exchange that records, and replays a snapshot.
  ///
  /// - Parameters:
  ///   - snapshot: what to replay; by default nothing. Entries that are damaged are passed over.
  ///   - replay: what a replayed result is.
  ///   - maximumCount: how many results are recorded; the oldest go first. Default 1,000.
  public init(
    replaying snapshot: OperationSnapshot = OperationSnapshot(),
    _ replay: Replay = .untilFetched, maximumCount: Int = 1_000
  ) {
    self.replay = replay
    self.maximumCount = maximumCount
    var replayed: [OperationIdentity: Replayed] = [:]
    for entry in snapshot.entries {
      if let result = entry.result { replayed[entry.identity] = Replayed(result: result) }
    }
    state = Locked(State(replayed: replayed))
  }

  /// What was recorded, in the order in which it came.
  public func snapshot() -> OperationSnapshot {
    var snapshot = OperationSnapshot()
    snapshot.entries = state.withLock { state in
      state.recorded.values.sorted { $0.number < $1.number }.map(\.entry)
    }
    return snapshot
  }

  /// Replays what it has; records what the rest of the chain brings.
  public func execute(_ operation: GraphQLOperation, forward: Forward) -> ResultStream {
    guard operation.kind != .subscription else { return forward(operation) }
    guard let known = replayed(operation) else { return recorded(operation, forward) }
    if replay == .always { return .just(known.result) }
    var result = known.result.refreshed(by: known.gone.signal)
    if operation.context.requestPolicy == .cacheOnly { return .just(result) }
    result.isStale = true
    return .starting(with: [result]) { [self] in
      recorded(operation, forward).map { result in
        // A failed request does not take away what was there before.
        result.data == nil && result.error != nil ? result.beside(known.result.payload) : result
      }
    }
  }

  private func replayed(_ operation: GraphQLOperation) -> Replayed? {
    let isWanted =
      replay == .always
      || operation.kind == .query && operation.context.requestPolicy.readsCacheFirst
        && operation.context.notBefore == .distantPast
    guard isWanted else { return nil }
    return state.withLock { state in
      operation.context.session >= state.session ? state.replayed[operation.identity] : nil
    }
  }

  private func recorded(_ operation: GraphQLOperation, _ forward: Forward) -> ResultStream {
    let begunAt = LogicalInstant.next()
    return forward(operation).map { [self] result in
      record(result, of: operation, begunAt: begunAt)
      return result
    }
  }

  private func record(
    _ result: OperationResult, of operation: GraphQLOperation, begunAt: LogicalInstant
  ) {
    guard !result.hasNext, !result.isStale, result.outcome == .miss,
      result.data != nil || result.error?.code == .graphQL
    else { return }
    let identity = operation.identity
    let entry = OperationSnapshot.Entry(operation, result)
    let superseded = state.withLock { state -> Replayed? in
      guard operation.context.session >= state.session else { return nil }
      state.lastNumber += 1
      state.recorded[identity] = (state.lastNumber, entry)
      if state.recorded.count > maximumCount,
        let oldest = state.recorded.min(by: { $0.value.number < $1.value.number })
      {
        state.recorded[oldest.key] = nil
      }
      guard result.data != nil, replay == .untilFetched else { return nil }
      return state.replayed.removeValue(forKey: identity)
    }
    // Not now: what the cache has just stored was requested before, and will do.
    superseded?.gone.fire(at: begunAt)
  }
}

// MARK: - Forgetting

extension SnapshotExchange {
  /// Drops what is replayed and names one of the types, or is the operation's; a snapshot that is
  /// always replayed stays.
  public func invalidate(_ invalidation: Invalidation) {
    guard replay == .untilFetched else { return }
    let dropped = state.withLock { state in
      state.drop { identity, replayed in
        switch invalidation {
        case .types(let names): replayed.result.data?.contains(names) ?? false
        case .operation(let operation): identity == operation.identity
        case .all: true
        }
      }
    }
    for replayed in dropped { replayed.gone.fire() }
  }

  /// Drops everything, what was recorded included; a snapshot that is always replayed stays.
  public func switchSession(to session: Session) {
    let dropped = state.withLock { state in
      state.session = session
      state.recorded = [:]
      return state.drop { _, _ in replay == .untilFetched }
    }
    for replayed in dropped { replayed.gone.fire() }
  }
}

extension SnapshotExchange.State {
  fileprivate mutating func drop(
    where isDropped: (OperationIdentity, SnapshotExchange.Replayed) -> Bool
  ) -> [SnapshotExchange.Replayed] {
    let dropped = replayed.filter { isDropped($0.key, $0.value) }
    for identity in dropped.keys { replayed[identity] = nil }
    return Array(dropped.values)
  }
}

extension JSON {
  /// Whether an object in it has one of these type names.
  fileprivate func contains(_ names: Set<String>) -> Bool {
    switch kind {
    case .object:
      members.contains { key, value in
        if key == "__typename", let name = value.string { return names.contains(name) }
        return value.contains(names)
      }
    case .array:
      elements.contains { $0.contains(names) }
    default:
      false
    }
  }
}

extension Exchange where Self == SnapshotExchange {
  /// Replays the results of an earlier run; see ``SnapshotExchange``. Place it first.
  public static func snapshot(
    replaying snapshot: OperationSnapshot, _ replay: SnapshotExchange.Replay = .untilFetched
  ) -> SnapshotExchange {
    SnapshotExchange(replaying: snapshot, replay)
  }
}
