import Weir

extension NormalizedStore {
  /// Stale data that may answer a query while a request brings newer ones.
  func revalidated(_ operation: GraphQLOperation) -> OperationResult? {
    let limit = configuration.staleWhileRevalidate
    guard limit > .zero, operation.context.requestPolicy == .cacheFirst,
      let stored = result(of: operation), stored.isComplete, let payload = stored.payload,
      stored.requestedAt >= operation.context.notBefore,
      stored.isYoungEnough(for: operation.context),
      let overdue = stored.overdue, overdue <= limit.milliseconds
    else { return nil }
    var result = OperationResult(payload: payload)
    result.outcome = .hit
    result.isStale = true
    return result.withSignal(stored.signal)
  }

  /// Stale data that may stand beside the error of a request that has failed.
  func overdueData(of operation: GraphQLOperation) -> ResultPayload? {
    let limit = configuration.staleIfError
    guard limit > .zero, operation.context.requestPolicy == .cacheFirst,
      let stored = result(of: operation), stored.isComplete,
      let overdue = stored.overdue, overdue <= limit.milliseconds
    else { return nil }
    return stored.payload
  }

  /// The data of an operation were written by hand.
  func noteWrite(of operation: GraphQLOperation) {
    let now = milliseconds
    state.withLock { $0.entries[operation.identity]?.writtenAt = now }
  }
}

extension StoredResult {
  /// Whether it was written late enough for this execution. What came with other operations has no
  /// age of its own, and counts as too old.
  func isYoungEnough(for context: OperationContext) -> Bool {
    guard let maximumAge = context.maximumAge else { return true }
    return age.map { $0 <= maximumAge.milliseconds } ?? false
  }
}

extension NormalizedCacheConfiguration {
  /// In milliseconds; negative if nothing is said.
  func timeToLive(of policy: FieldPolicy?, on typename: String) -> Int64 {
    if let own = policy?.timeToLive { return own.milliseconds }
    guard !timeToLive.isEmpty else { return -1 }
    if let own = timeToLive[typename] { return own.milliseconds }
    for (name, duration) in timeToLive.sorted(by: { $0.key < $1.key })
    where isType(typename, within: name) {
      return duration.milliseconds
    }
    return -1
  }
}

extension RowAges {
  /// When something becomes stale that may be used for a number of milliseconds; nil for a negative
  /// number.
  @inline(__always)
  static func expiry(_ timeToLive: Int64, now: Int64) -> Int64? {
    guard timeToLive >= 0 else { return nil }
    let (expiry, isTooFar) = now.addingReportingOverflow(timeToLive)
    // 0 stands for what was made stale by hand.
    return isTooFar ? never : max(1, expiry)
  }
}

extension Duration {
  /// Never negative, and bounded.
  var milliseconds: Int64 {
    let (seconds, attoseconds) = components
    guard seconds >= 0 else { return 0 }
    let (product, isTooFar) = seconds.multipliedReportingOverflow(by: 1000)
    let milliseconds = attoseconds / 1_000_000_000_000_000
    return isTooFar
      ? .max
      : product.addingReportingOverflow(milliseconds).overflow
        ? .max : product + milliseconds
  }
}
