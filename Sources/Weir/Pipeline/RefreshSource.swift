import Synchronization

/// Something that can overtake results: a cached query, the app coming to the foreground, a timer.
///
/// An exchange owns the source, attaches its ``signal`` to results, and calls ``fire(at:)`` when
/// what those results show should be fetched again. Firing is a state, not an event: a watch that
/// looks only afterwards sees it all the same, and one that never looks costs nothing.
///
/// ```swift
/// let cameToForeground = RefreshSource()
/// // in an exchange: take the signal before the request leaves, or a firing meanwhile is lost
/// let signal = cameToForeground.signal
/// return forward(operation).map { $0.refreshed(by: signal) }
/// ```
public final class RefreshSource: Sendable {
  /// The ticks of the last firing; written under `waitersLock`, read without it.
  private let lastFired: Atomic<UInt64>

  // Proof: read and written only while `waitersLock` is held.
  private nonisolated(unsafe) var firstWaiter: RefreshWaiter?
  private nonisolated(unsafe) var otherWaiters: [ObjectIdentifier: RefreshWaiter] = [:]

  /// Called before somebody waits for it.
  private let willWait: (@Sendable (RefreshSource) -> Void)?

  /// A source that has not fired.
  public init() {
    lastFired = Atomic(0)
    willWait = nil
  }

  /// A source whose owner need only watch for what fires it while somebody waits.
  ///
  /// `willWait` is called each time, before the wait begins, and may fire the source.
  package init(willWait: @escaping @Sendable (RefreshSource) -> Void) {
    lastFired = Atomic(0)
    self.willWait = willWait
  }

  func prepareToWait() {
    willWait?(self)
  }

  /// When it fired last; `.distantPast` if it never did.
  @inline(__always)
  package var firedAt: LogicalInstant {
    LogicalInstant(ticks: lastFired.load(ordering: .acquiring))
  }

  /// A signal that answers to the next firing after this moment.
  public var signal: RefreshSignal {
    RefreshSignal(source: self, since: firedAt)
  }

  /// Says that everything requested before `instant` is overtaken, and wakes who waits for that.
  ///
  /// The latest instant wins: an earlier one than the last changes nothing.
  public func fire(at instant: LogicalInstant = .next()) {
    typealias Wait = RefreshWaiter.Wait
    let (first, others) = waitersLock.withLock { () -> (Wait?, [Wait]) in
      guard instant > firedAt else { return (nil, []) }
      lastFired.store(instant.ticks, ordering: .releasing)
      // Copied first: each of them removes itself.
      let (first, others) = (firstWaiter, otherWaiters.isEmpty ? [] : Array(otherWaiters.values))
      return (first?.takeIfOvertaken(), others.compactMap { $0.takeIfOvertaken() })
    }
    first?.resume(returning: instant)
    for wait in others { wait.resume(returning: instant) }
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

/// One lock for the waiters of every source. It is held for a few instructions at a time, and one
/// lock makes waiting for several sources at once free of races between them.
private let waitersLock = Lock()

/// One suspended wait for any of several sources.
package final class RefreshWaiter: Sendable {
  fileprivate typealias Wait = CheckedContinuation<LogicalInstant?, Never>

  private let signal: RefreshSignal

  // Proof: read and written only while `waitersLock` is held.
  private nonisolated(unsafe) var continuation: Wait?
  private nonisolated(unsafe) var isCancelled = false

  init(_ signal: RefreshSignal) {
    self.signal = signal
  }

  /// Suspends until a source fires; nil if the waiting task is cancelled first.
  func wait() async -> LogicalInstant? {
    await withCancellableContinuation { continuation in
      let answer: LogicalInstant?? = waitersLock.withLock {
        if isCancelled { return .some(nil) }
        if let instant = signal.firedInstant { return instant }
        self.continuation = continuation
        signal.forEachSource { $0.add(self) }
        return .none
      }
      if let answer { continuation.resume(returning: answer) }
    } onCancel: {
      let wait = waitersLock.withLock {
        isCancelled = true
        return take()
      }
      wait?.resume(returning: nil)
    }
  }

  /// Ends the wait if a source that it waits for has fired. Only while `waitersLock` is held.
  fileprivate func takeIfOvertaken() -> Wait? {
    signal.firedInstant == nil ? nil : take()
  }

  /// Ends the wait; who calls it resumes what it answers with, when the lock is open. Only while
  /// `waitersLock` is held.
  private func take() -> Wait? {
    signal.forEachSource { $0.remove(self) }
    defer { continuation = nil }
    return continuation
  }
}
