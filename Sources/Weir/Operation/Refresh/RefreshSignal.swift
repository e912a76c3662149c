/// Reports when a result should be refetched.
///
/// An exchange attaches a signal to a result (``OperationResult/refreshed(by:)``). `client.watch`
/// awaits the signal and executes the operation again, accepting only data that is no older than
/// the instant at which the signal fired. A signal is a state, not an event: any number of
/// consumers can read it, at any time.
///
/// Copying a signal costs two retains; creating one allocates nothing.
public struct RefreshSignal: Sendable {
  @usableFromInline let source: RefreshSource?
  /// When the result was requested: earlier firings do not count.
  @usableFromInline let since: LogicalInstant
  /// Nil for nearly all signals: an empty array would cost a retain on each copy.
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

  /// Returns a signal that has fired already, for a stale result.
  package static func fired(at instant: LogicalInstant) -> RefreshSignal {
    RefreshSignal(source: nil, since: instant, others: nil)
  }

  /// Returns a signal that fires when either of the two does.
  public func merged(with other: RefreshSignal) -> RefreshSignal {
    RefreshSignal(source: source, since: since, others: (others ?? []) + [other])
  }

  /// The latest instant at which the result was superseded; nil if it was not.
  public var firedInstant: LogicalInstant? {
    forEachSource { _ = $0.firedAt }
    return lastFiring
  }

  /// The same, without asking the owners of the sources.
  var lastFiring: LogicalInstant? {
    var latest: LogicalInstant?
    if let source {
      if source.lastFiring > since { latest = source.lastFiring }
    } else {
      latest = since
    }
    for other in others ?? [] {
      if let instant = other.lastFiring { latest = latest.map { max($0, instant) } ?? instant }
    }
    return latest
  }

  /// Waits until the result is superseded.
  ///
  /// - Returns: the latest instant at which it was superseded, or nil if the calling task was
  ///   cancelled during the wait.
  public func fired() async -> LogicalInstant? {
    if let lastFiring { return lastFiring }
    await makeWaiter().wait()
    return Task.isCancelled ? nil : lastFiring
  }

  /// Asks the owners of the sources to observe, and creates what a task waits for. The wait also ends
  /// with a signal of one source, such as a session's end.
  func makeWaiter(end: RefreshSignal? = nil) -> RefreshWaiter {
    forEachSource { $0.prepareToWait() }
    return RefreshWaiter(self, end: end)
  }

  /// The part that fires when a cache can show something else without a request; nil if there is none.
  package var announcingData: RefreshSignal? {
    if source?.announcesData == true {
      return others == nil ? self : RefreshSignal(source: source, since: since, others: nil)
    }
    for other in others ?? [] {
      if let part = other.announcingData { return part }
    }
    return nil
  }

  /// Calls a closure for each source.
  func forEachSource(_ body: (RefreshSource) -> Void) {
    if let source { body(source) }
    for other in others ?? [] { other.forEachSource(body) }
  }
}
