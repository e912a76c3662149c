// Until the response is there, a cache of entities may show what mutations, events and optimistic results
// change.
extension WatchSource {
  /// How to follow a cache while the response is awaited.
  struct Interim {
    /// When the shown data was requested. Data that was requested later is that of the response.
    var requestedAt: LogicalInstant
    /// Fires when the cache can show something else; nil before the first look.
    var changes: RefreshSignal?
    /// When the shown data was superseded since then, by an invalidation or the end of its time to live.
    var supersededAt: LogicalInstant?

    init(requestedAt: LogicalInstant) {
      self.requestedAt = requestedAt
    }

    /// Returns nil if the signal is not that of a cache which shows changes.
    init?(_ signal: RefreshSignal) {
      guard let changes = signal.announcingData else { return nil }
      requestedAt = signal.lastFiring ?? .distantPast
      self.changes = changes
    }

    /// Changes fire at the instant of the data's request, anything that asks for newer data later.
    mutating func noteFiring() {
      guard let instant = changes?.lastFiring, instant > requestedAt else { return }
      supersededAt = instant
    }
  }

  /// Returns the shown result as stale, with what a cache has by now; nil if that looks the same.
  func shownUntilResponse() -> OperationResult? {
    guard let shown, shown.payload.hasData, session == client.sessions.announced else { return nil }
    var emission = shown
    if let found = look(), let data = found.data, shown.data?.isIdentical(to: data) != true {
      // An error of the server belongs to the data beside it, that of a failed request does not.
      emission.error =
        found.error ?? (shown.error?.graphQLErrors.isEmpty == true ? shown.error : nil)
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
    interim?.noteFiring()
    var look = operation.stamped(session).look(showing: .networkFirst)
    look.context.maximumAge = nil
    look.context.notBefore = LogicalInstant(ticks: requestedAt.ticks + 1)
    guard let found = client.execute(look).immediate,
      let changes = found.refreshSignal?.announcingData
    else {
      interim = nil
      return nil
    }
    interim?.changes = changes
    guard found.isMiss else {
      // A hit is the response, which is about to arrive, or that of another request.
      interim?.requestedAt = .next()
      return nil
    }
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
