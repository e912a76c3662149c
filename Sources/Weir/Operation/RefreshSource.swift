internal import WeirSupport

/// A cause for refetching results: a change of the cache, the app coming to the foreground, a
/// timer.
///
/// An exchange owns the source, attaches its ``signal`` to results, and calls ``fire(at:)`` when
/// those results should be refetched. Firing is a state, not an event: a watch that looks at the
/// signal later still sees it, and a watch that never looks costs nothing.
///
/// ```swift
/// let cameToForeground = RefreshSource()
/// // In an exchange. Take the signal before the request is sent, to miss no firing in flight.
/// let signal = cameToForeground.signal
/// return forward(operation).map { $0.refreshed(by: signal) }
/// ```
public final class RefreshSource: Sendable {
  /// The ticks of the last firing; written under `waitersLock`, read without it.
  private let lastFired = AtomicWord()

  // Proof: read and written only while `waitersLock` is held.
  private nonisolated(unsafe) var firstWaiter: RefreshWaiter?
  // Proof: as `firstWaiter`.
  private nonisolated(unsafe) var otherWaiters: [ObjectIdentifier: RefreshWaiter] = [:]

  /// Called before each wait and, if the source has a number, before each reading.
  private let willWait: (@Sendable (RefreshSource) -> Void)?
  /// What the owner knows the source by; -1 if it fires the source at once whenever the cause occurs.
  let number: Int32

  /// Creates a source that has not fired.
  public init() {
    willWait = nil
    number = -1
  }

  /// Creates a source whose owner fires it only when somebody asks.
  ///
  /// - Parameters:
  ///   - number: what the owner knows the source by.
  ///   - willObserve: called without a lock before the state is read or awaited; fires the source if
  ///     the cause has occurred. While somebody waits, the owner fires it at once.
  init(number: Int32, willObserve: @escaping @Sendable (RefreshSource) -> Void) {
    willWait = willObserve
    self.number = number
  }

  /// Creates a source whose owner observes the cause only while somebody waits for it, such as a
  /// watch that shows a result with the source's ``signal``.
  ///
  /// ```swift
  /// let expired = RefreshSource { source in alarm.ring(at: deadline) { source.fire() } }
  /// ```
  ///
  /// - Parameter willWait: called before each wait, in the task that waits and without a lock, so
  ///   the closure may fire the source. It must return soon, and may be called several times before
  ///   the source fires. The source is passed to it so that it does not need to keep it alive.
  public init(willWait: @escaping @Sendable (RefreshSource) -> Void) {
    self.willWait = willWait
    number = -1
  }

  /// How many tasks wait for the source to fire.
  package var waiterCount: Int {
    waitersLock.withLock { (firstWaiter == nil ? 0 : 1) + otherWaiters.count }
  }

  func prepareToWait() {
    willWait?(self)
  }

  /// The instant of the last firing; ``LogicalInstant/distantPast`` if the source has never fired.
  /// Costs one atomic load, and for a result of a document cache a look into the cache.
  public var firedAt: LogicalInstant {
    if number >= 0 { willWait?(self) }
    return lastFiring
  }

  /// The instant of the last firing, without asking the owner.
  var lastFiring: LogicalInstant { LogicalInstant(ticks: lastFired.load()) }

  /// A signal that fires with the next firing of this source.
  public var signal: RefreshSignal {
    RefreshSignal(source: self, since: firedAt)
  }

  /// Declares everything that was requested before `instant` as superseded, and wakes the watches
  /// that wait for that.
  ///
  /// The latest instant wins: firing with an earlier one has no effect.
  public func fire(at instant: LogicalInstant = .next()) {
    typealias Wait = RefreshWaiter.Wait
    // Many firings are repeated. They need no lock: the first one wakes the waiters.
    guard instant > lastFiring else { return }
    let (first, others) = waitersLock.withLock { () -> (Wait?, [Wait]) in
      guard instant > lastFiring else { return (nil, []) }
      lastFired.raise(to: instant.ticks)
      // Copied, because each waiter removes itself.
      let (first, others) = (firstWaiter, otherWaiters.isEmpty ? [] : Array(otherWaiters.values))
      return (first?.takeIfSuperseded(), others.compactMap { $0.takeIfSuperseded() })
    }
    first?.resume()
    for wait in others { wait.resume() }
  }

  /// Only while `waitersLock` is held.
  fileprivate func add(_ waiter: RefreshWaiter) {
    if firstWaiter == nil {
      firstWaiter = waiter
    } else {
      otherWaiters[ObjectIdentifier(waiter)] = waiter
    }
  }

  /// Only while `waitersLock` is held.
  fileprivate func remove(_ waiter: RefreshWaiter) {
    if firstWaiter === waiter {
      firstWaiter = nil
    } else {
      otherWaiters[ObjectIdentifier(waiter)] = nil
    }
  }
}

/// One lock for the waiters of all sources. It is held for a few instructions at a time, and a
/// single lock excludes races between the several sources that a task may wait for.
private let waitersLock = Locked(())

/// A task that waits for any of several sources.
@usableFromInline
final class RefreshWaiter: Sendable {
  fileprivate typealias Wait = WaitingTask<Void>

  private let signal: RefreshSignal

  // Proof: read and written only while `waitersLock` is held.
  private nonisolated(unsafe) var continuation: Wait?
  // Proof: as `continuation`.
  private nonisolated(unsafe) var isCancelled = false

  init(_ signal: RefreshSignal) {
    self.signal = signal
  }

  /// Suspends until a source fires, or the task is cancelled.
  @inline(__always)
  func wait() async {
    await withCancellableContinuation { continuation in
      let isOver = waitersLock.withLock {
        if isCancelled || signal.lastFiring != nil { return true }
        self.continuation = continuation
        signal.forEachSource { $0.add(self) }
        return false
      }
      if isOver { continuation.resume() }
    } onCancel: {
      let wait = waitersLock.withLock {
        isCancelled = true
        return take()
      }
      wait?.resume()
    }
  }

  /// Ends the wait if one of its sources has fired. Only while `waitersLock` is held.
  fileprivate func takeIfSuperseded() -> Wait? {
    signal.lastFiring == nil ? nil : take()
  }

  /// Ends the wait. The caller resumes the returned continuation without the lock. Only while
  /// `waitersLock` is held.
  private func take() -> Wait? {
    signal.forEachSource { $0.remove(self) }
    defer { continuation = nil }
    return continuation
  }
}
