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
  /// The last of those that wait for the source as their end. All watches of a client do, and each enters
  /// and leaves whenever it wakes: they are a list, which needs no hashing.
  // Proof: as `firstWaiter`.
  private nonisolated(unsafe) var lastEnding: RefreshWaiter?

  /// Called before each wait and, if the source has a number, before each reading.
  private let willWait: (@Sendable (RefreshSource) -> Void)?
  /// What the owner knows the source by; -1 if it fires the source at once whenever the cause occurs.
  let number: Int32
  /// Whether the owner can show something else without a request when the source has fired.
  let announcesData: Bool

  /// Creates a source that has not fired.
  public init() {
    willWait = nil
    number = -1
    announcesData = false
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
    announcesData = false
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
    announcesData = false
  }

  /// The same, for a cache whose data changes without requests, too: a watch that waits for a response
  /// looks at what the cache has when the source fires.
  package init(announcesData: Bool, willWait: @escaping @Sendable (RefreshSource) -> Void) {
    self.willWait = willWait
    number = -1
    self.announcesData = announcesData
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
    // Many firings are repeated. They need no lock: the first one wakes the waiters.
    guard instant > lastFiring else { return }
    let (first, others) = waitersLock.withLock { waits(supersededAt: instant) }
    first?.resume()
    for wait in others { wait.resume() }
  }

  /// Fires several sources. Takes the lock once for some of them, so that the first tasks to be woken do
  /// not compete for it with the firing of the others.
  package static func fire(_ firings: [(source: RefreshSource, instant: LogicalInstant)]) {
    var (next, waits) = (0, [RefreshWaiter.Wait]())
    while next < firings.count {
      let some = firings[next..<min(next + 32, firings.count)]
      next += some.count
      waitersLock.withLock {
        for (source, instant) in some {
          let (first, others) = source.waits(supersededAt: instant)
          if let first { waits.append(first) }
          if !others.isEmpty { waits += others }
        }
      }
      for wait in waits { wait.resume() }
      waits.removeAll(keepingCapacity: true)
    }
  }

  /// Notes a firing, and returns the waits that it ends. Only while `waitersLock` is held.
  private func waits(
    supersededAt instant: LogicalInstant
  ) -> (first: RefreshWaiter.Wait?, others: [RefreshWaiter.Wait]) {
    guard instant > lastFiring else { return (nil, []) }
    lastFired.raise(to: instant.ticks)
    let first = firstWaiter?.takeIfSuperseded()
    guard !otherWaiters.isEmpty || lastEnding != nil else { return (first, []) }
    // Copied, because each waiter removes itself.
    var others = Array(otherWaiters.values).compactMap { $0.takeIfSuperseded() }
    var ending = lastEnding
    while let waiter = ending {
      ending = waiter.previous
      if let wait = waiter.takeIfSuperseded() { others.append(wait) }
    }
    return (first, others)
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

  /// Only while `waitersLock` is held.
  fileprivate func addEnding(_ waiter: RefreshWaiter) {
    waiter.previous = lastEnding
    lastEnding?.next = waiter
    lastEnding = waiter
  }

  /// Only while `waitersLock` is held.
  fileprivate func removeEnding(_ waiter: RefreshWaiter) {
    if let next = waiter.next {
      next.previous = waiter.previous
    } else if lastEnding === waiter {
      lastEnding = waiter.previous
    }
    waiter.previous?.next = waiter.next
    (waiter.previous, waiter.next) = (nil, nil)
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
  private let end: RefreshSignal?

  // Proof: read and written only while `waitersLock` is held.
  private nonisolated(unsafe) var continuation: Wait?
  // Proof: as `continuation`.
  private nonisolated(unsafe) var isCancelled = false
  // Proof: as `continuation`.
  fileprivate nonisolated(unsafe) var previous: RefreshWaiter?
  // Proof: as `continuation`. The next one is in the list as long as this one is: whoever removes it
  // sets this link again.
  fileprivate nonisolated(unsafe) unowned(unsafe) var next: RefreshWaiter?

  /// The wait also ends with `end`: a signal of one source, for which many tasks wait.
  init(_ signal: RefreshSignal, end: RefreshSignal? = nil) {
    self.signal = signal
    self.end = end
  }

  /// Suspends until a source fires, or the task is cancelled.
  @inline(__always)
  func wait() async {
    await withCancellableContinuation { continuation in
      let isOver = waitersLock.withLock {
        if isCancelled || hasFired { return true }
        self.continuation = continuation
        signal.forEachSource { $0.add(self) }
        end?.source?.addEnding(self)
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
    hasFired ? take() : nil
  }

  private var hasFired: Bool { signal.lastFiring != nil || end?.lastFiring != nil }

  /// Ends the wait. The caller resumes the returned continuation without the lock. Only while
  /// `waitersLock` is held.
  private func take() -> Wait? {
    guard let wait = continuation else { return nil }
    continuation = nil
    signal.forEachSource { $0.remove(self) }
    end?.source?.removeEnding(self)
    return wait
  }
}
