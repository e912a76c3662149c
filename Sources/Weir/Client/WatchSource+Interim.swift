// Until the response is there, a cache of entities may show what mutations, events and optimistic results
// change.
extension WatchSource {
  /// How to follow a cache while the response is awaited.
  struct Interim {
    /// When the shown data was requested. Data that was requested later is that of the response.
    let requestedAt: LogicalInstant
    /// Fires when the cache can show something else; nil before the first look.
    var changes: RefreshSignal?

    init(requestedAt: LogicalInstant) {
      self.requestedAt = requestedAt
    }

    /// Returns nil if the signal is not that of a cache which shows changes.
    init?(_ signal: RefreshSignal) {
      guard let changes = signal.announcingData else { return nil }
      requestedAt = signal.lastFiring ?? .distantPast
      self.changes = changes
    }
  }

  /// Returns the shown result as stale, with what a cache has by now; nil if that looks the same.
  func shownUntilResponse() -> OperationResult? {
    guard let shown, let data = shown.data else { return nil }
    var emission = shown
    if let found = look(), found.data?.isIdentical(to: data) != true {
      emission.takeData(of: found.payload)
      emission.outcome = found.outcome
      emission.isDegraded = found.isDegraded
    }
    emission.isStale = true
    if shown.looksLike(emission) { return nil }
    self.shown = emission
    return emission
  }

  /// Looks at what the cache has, if that may have changed.
  private func look() -> OperationResult? {
    guard let requestedAt = interim?.requestedAt,
      interim?.changes.map({ $0.lastFiring != nil }) ?? true
    else { return nil }
    var look = operation.stamped(session)
    // As for an execution that has timed out, the cache answers at once.
    look.context.requestPolicy = .cacheOnly
    look.context.timedOutPolicy = .networkFirst
    look.context.maximumAge = nil
    look.context.notBefore = LogicalInstant(ticks: requestedAt.ticks + 1)
    let found = client.execute(look).immediate
    // A hit is the response, which is about to arrive.
    guard let found, found.isMiss, let changes = found.refreshSignal?.announcingData else {
      interim = nil
      return nil
    }
    interim?.changes = changes
    guard found.payload.hasData, session == client.sessions.announced, isUnfit?(found) != true,
      found.missingPaths.isEmpty || shown?.missingPaths.isEmpty == false
    else { return nil }
    return found
  }

  /// The wait for a result of the execution, which also ends when the cache can show something else.
  func orChange(_ wait: ResultWait) -> ResultWait {
    guard let changes = interim?.changes, shown?.payload.hasData == true,
      case .buffer(let buffer) = wait, let arrival = buffer.arrivalSignal()
    else { return wait }
    return .signal(changes.merged(with: arrival).makeWaiter())
  }
}
