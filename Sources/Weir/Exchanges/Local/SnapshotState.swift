extension SnapshotExchange {
  /// A result of an earlier run.
  struct Replayed {
    let result: OperationResult
    /// The number of the recorded entry that it comes from; zero if there is none.
    let number: UInt64
    /// Fires when the result is discarded, for the watches that show it.
    let gone = RefreshSource()
  }

  /// The replayed and the recorded results, which belong to one session. Its methods return the results
  /// that they discard. The caller fires their sources outside of the lock.
  struct State {
    var replayed: [OperationIdentity: Replayed] = [:]
    var recorded: [OperationIdentity: (number: UInt64, entry: OperationSnapshot.Entry)] = [:]
    /// The session of the results; nil until an operation or a switch has told it.
    var session: Session?
    /// When the exchange was made. Its replayed results do not belong to a session that has begun since.
    let origin = SnapshotOrigin()
    var lastNumber: UInt64 = 0
  }
}

extension SnapshotExchange.State {
  /// Replaces the recorded result of an operation. Drops the oldest of all if there are a quarter more
  /// than the maximum: to find them takes a look at all.
  mutating func record(
    _ entry: OperationSnapshot.Entry, of identity: OperationIdentity, maximumCount: Int
  ) {
    lastNumber += 1
    recorded[identity] = (lastNumber, entry)
    guard recorded.count - maximumCount > maximumCount / 4 else { return }
    let newest = recorded.values.map(\.number).sorted().suffix(maximumCount)
    recorded = recorded.filter { $0.value.number >= newest.first ?? .max }
  }

  /// Drops a result of an earlier run from the recording, unless a newer one has replaced it there.
  mutating func forget(
    _ replayed: SnapshotExchange.Replayed, of identity: OperationIdentity
  ) {
    if recorded[identity]?.number == replayed.number { recorded[identity] = nil }
  }

  /// Whether an operation belongs to the session.
  func admits(_ operation: GraphQLOperation) -> Bool {
    session == operation.context.session
  }

  /// Notes the session of an operation, which may be the first one in a new session.
  mutating func arrive(
    in session: Session, keepsReplayed: Bool
  ) -> [SnapshotExchange.Replayed] {
    // The first operation determines the session, if that is not younger than the exchange.
    guard session > self.session ?? origin.session(named: nil) else {
      self.session = self.session ?? session
      return []
    }
    return begin(session, keepsReplayed: keepsReplayed)
  }

  /// Drops the results of the session before.
  mutating func begin(
    _ session: Session, keepsReplayed: Bool
  ) -> [SnapshotExchange.Replayed] {
    self.session = session
    recorded = [:]
    return drop { _, _ in !keepsReplayed }
  }

  mutating func drop(
    where isDropped: (OperationIdentity, SnapshotExchange.Replayed) -> Bool
  ) -> [SnapshotExchange.Replayed] {
    let dropped = replayed.filter { isDropped($0.key, $0.value) }
    for (identity, result) in dropped {
      replayed[identity] = nil
      forget(result, of: identity)
    }
    return Array(dropped.values)
  }
}
