/// Records results, and replays those of an earlier run: for previews, tests, and the first frame
/// of an app.
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
/// Place it above all other exchanges, so that `client.peek` finds replayed results. By default, a replayed result is
/// the first result of a query, marked as stale, and the query is also forwarded. If the rest of
/// the chain fails, the replayed data accompanies the error. After the first fresh data, from the server or
/// a cache, the replayed result is discarded, and the cache takes over. A `cacheOnly` query gets only the replayed
/// result. Queries that require the network are forwarded.
///
/// Complete results of queries and mutations are recorded, with their errors: the last one of each
/// operation with its variables. A replayed result of a query counts as recorded until the server has sent
/// another one, so a run without a network does not lose it. Results of subscriptions and cached results are not
/// recorded, and neither are those that caches must not keep (``OperationContext/storesResult``,
/// ``OperationResult/retention``).
public final class SnapshotExchange: StatefulExchange {
  /// When results are replayed.
  public enum Replay: Hashable, Sendable {
    /// As the first result of a query, until the rest of the chain has delivered fresh data.
    case untilFetched
    /// As the only result of a query or mutation, each time. Nothing is sent.
    case always
  }

  private let replay: Replay
  private let maximumCount: Int
  private let state: Locked<State>

  /// Makes an exchange that records results, and replays a snapshot.
  ///
  /// - Parameters:
  ///   - snapshot: The results to replay; none by default. Damaged entries are skipped.
  ///   - replay: When results are replayed.
  ///   - maximumCount: The maximum number of recorded results; the oldest are dropped first, those of
  ///     an earlier run before all others. Default 1,000.
  public init(
    replaying snapshot: OperationSnapshot = OperationSnapshot(),
    _ replay: Replay = .untilFetched, maximumCount: Int = 1_000
  ) {
    self.replay = replay
    self.maximumCount = max(0, maximumCount)
    var initial = State()
    for entry in snapshot.entries {
      guard let result = entry.result else { continue }
      // By default, mutations are not replayed. If they were kept, those of all runs would accumulate.
      let isKept = replay == .untilFetched && !entry.isMutation
      if isKept { initial.record(entry, of: entry.identity, maximumCount: self.maximumCount) }
      initial.replayed[entry.identity] = Replayed(
        result: result, number: isKept ? initial.lastNumber : 0)
    }
    state = Locked(initial)
  }

  /// Returns the recorded results, in the order in which they were recorded. Those of an earlier run come
  /// first, until they are fetched again, until they are invalidated while they are still shown, or until
  /// the session ends. Results of operations with a credential among their headers, or in their endpoint,
  /// are left out: no later process could find them.
  public func snapshot() -> OperationSnapshot {
    var snapshot = OperationSnapshot()
    snapshot.entries = state.withLock { state in
      state.recorded.sorted { $0.value.number < $1.value.number }.suffix(maximumCount)
        .filter(\.key.isLasting).map(\.value.entry)
    }
    return snapshot
  }

  /// Replays a result if there is one, and records the results of the rest of the chain.
  public func execute(_ operation: GraphQLOperation, forward: Forward) -> ResultStream {
    // A client cannot notify an exchange that another one wraps.
    let dropped = state.withLock {
      $0.arrive(in: operation.context.session, keepsReplayed: replay == .always)
    }
    for replayed in dropped { replayed.gone.fire() }
    guard operation.kind != .subscription else { return forward(operation) }
    guard let known = replayed(operation) else { return recorded(operation, forward) }
    if replay == .always { return .just(known.result) }
    var result = known.result.refreshed(
      by: RefreshSignal(source: known.gone, since: .distantPast))
    if operation.isCacheOnly {
      guard operation.context.lookPolicy != nil else { return .just(result) }
      // Otherwise a watch would wait for this exchange alone.
      let signal = forward(operation).immediate?.refreshSignal
      return .just(signal.map { result.refreshed(by: $0) } ?? result)
    }
    result.isStale = true
    return .starting(with: [result]) { [self] in
      recorded(operation, forward).map { result in
        // The replayed data accompanies the error of a failed request.
        result.data == nil && result.error != nil
          ? result.withFallback(known.result.payload) : result
      }
    }
  }

  private func replayed(_ operation: GraphQLOperation) -> Replayed? {
    let isWanted =
      replay == .always
      || operation.kind == .query && operation.context.requestPolicy.readsCacheFirst
        && !operation.context.isRefetch
    guard isWanted else { return nil }
    return state.withLock { state in
      replay == .always || state.admits(operation)
        ? state.replayed[operation.identity] : nil
    }
  }

  private func recorded(_ operation: GraphQLOperation, _ forward: Forward) -> ResultStream {
    forward(operation).map { [self] result in
      record(result, of: operation)
      return result
    }
  }

  private func record(_ result: OperationResult, of operation: GraphQLOperation) {
    guard !result.hasNext, !result.isStale, !result.isMiss else { return }
    let isNew = result.outcome == .miss
    let isRecorded = isNew && (result.data != nil || result.error?.code == .graphQL)
    let isFresh =
      result.data != nil && (isNew || result.outcome == .hit && result.error == nil)
    guard isRecorded || isFresh && replay == .untilFetched else { return }
    let identity = operation.identity
    let entry =
      isRecorded && operation.context.stores(result)
      ? OperationSnapshot.Entry(operation, result) : nil
    let superseded = state.withLock { state -> Replayed? in
      guard state.admits(operation) else { return nil }
      // A saved result outlives an error without data, as long as it is replayed beside the error.
      if let entry, isFresh || state.replayed[identity] == nil {
        state.record(entry, of: identity, maximumCount: maximumCount)
      }
      guard isFresh, replay == .untilFetched else { return nil }
      let superseded = state.replayed.removeValue(forKey: identity)
      // The server's result must not be kept, and the saved one is out of date. What comes from a cache
      // is not recorded, so the saved result stays.
      if isNew, let superseded { state.forget(superseded, of: identity) }
      return superseded
    }
    // At the first instant of all: whatever the cache has stored is new enough, even if the request
    // was another execution's, which began before this one.
    superseded?.gone.fire(at: .anyRequest)
  }
}

// MARK: - Invalidation

extension SnapshotExchange {
  /// Discards the replayed results that contain one of the types, or belong to the operation; then they
  /// are not recorded any more. A snapshot that is always replayed stays.
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

  /// Discards all replayed and recorded results. A snapshot that is always replayed stays.
  public func switchSession(to session: Session) {
    let dropped = state.withLock { state -> [Replayed] in
      guard session > state.session ?? Session(number: 0) else { return [] }
      return state.begin(session, keepsReplayed: replay == .always)
    }
    for replayed in dropped { replayed.gone.fire() }
  }
}

extension JSON {
  /// Whether an object in the JSON has one of these type names.
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
  /// Replays the results of an earlier run; see ``SnapshotExchange``. Place it above all
  /// other exchanges.
  public static func snapshot(
    replaying snapshot: OperationSnapshot, _ replay: SnapshotExchange.Replay = .untilFetched
  ) -> SnapshotExchange {
    SnapshotExchange(replaying: snapshot, replay)
  }
}
