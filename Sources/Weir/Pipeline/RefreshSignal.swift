/// Says of a result when it should be fetched again.
///
/// An exchange attaches it to a result (``OperationResult/refreshed(by:)``); `client.watch` awaits
/// it and runs the operation again, asking for data no older than the instant that the signal
/// answers with. A signal is a state: it can be asked late, often, and by many.
///
/// Copying one costs two retains; making one allocates nothing.
public struct RefreshSignal: Sendable {
  @usableFromInline let source: RefreshSource?
  /// The instant before which firings do not count: what is shown was requested then.
  @usableFromInline let since: LogicalInstant
  /// Nil for a simple signal, which nearly all are: an empty array would be counted on each copy.
  @usableFromInline let others: [RefreshSignal]?

  @inlinable
  package init(source: RefreshSource, since: LogicalInstant) {
    self.source = source
    self.since = since
    others = nil
  }

  private init(source: RefreshSource?, since: LogicalInstant, others: [RefreshSignal]?) {
    self.source = source
    self.since = since
    self.others = others
  }

  /// A signal that has fired already: of a result that is known to be stale.
  package static func fired(at instant: LogicalInstant) -> RefreshSignal {
    RefreshSignal(source: nil, since: instant, others: nil)
  }

  /// A signal that fires when either of the two does.
  public func merged(with other: RefreshSignal) -> RefreshSignal {
    RefreshSignal(source: source, since: since, others: (others ?? []) + [other])
  }

  /// The latest instant at which what is shown was overtaken; nil if it was not.
  public var firedInstant: LogicalInstant? {
    var latest: LogicalInstant?
    if let source {
      let firedAt = source.firedAt
      if firedAt > since { latest = firedAt }
    } else {
      latest = since
    }
    for other in others ?? [] {
      if let instant = other.firedInstant { latest = latest.map { max($0, instant) } ?? instant }
    }
    return latest
  }

  /// Waits until what is shown is overtaken.
  ///
  /// - Returns: the latest instant at which it was, or nil if the calling task was cancelled first.
  public func fired() async -> LogicalInstant? {
    if let firedInstant { return firedInstant }
    forEachSource { $0.prepareToWait() }
    guard let instant = await RefreshWaiter(self).wait() else { return nil }
    // Another of the sources may have fired later meanwhile.
    return firedInstant ?? instant
  }

  /// The source of a simple signal, for who wants to keep it alive without the rest.
  func forEachSource(_ body: (RefreshSource) -> Void) {
    if let source { body(source) }
    for other in others ?? [] { other.forEachSource(body) }
  }
}
