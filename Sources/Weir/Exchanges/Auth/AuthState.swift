/// The credentials of an auth exchange, and the operations that wait for them. Its methods are
/// events; they return the actions to perform outside of the lock.
struct AuthState<Credentials: Sendable> {
  /// The permission to send an operation.
  struct Pass: Sendable {
    let credentials: Credentials?
    /// Grows with each change of the credentials.
    let version: UInt64
    /// Grows with each attempt to load or refresh them, successful or not.
    let attempt: UInt64
    /// Grows when the exchange has loaded or refreshed the credentials, but not when the app has set others,
    /// which may be another user's.
    let renewalCount: UInt64
  }

  typealias Admission = Result<Pass, any Error>
  typealias Waiter = OneShot<Admission>
  typealias Renewal = Task<Credentials?, any Error>

  /// The result of a refresh.
  struct Renewed: Sendable {
    let credentials: Credentials
    let old: Credentials
  }

  struct Work: Sendable {
    enum Step: Sendable {
      case load
      case refresh(Credentials)
      /// Stores the result of a refresh that had timed out.
      case store(Renewed)
    }

    let id: UInt64
    let step: Step
  }

  enum Action {
    case answer(Waiter, Admission)
    case begin(Work)
    case cancel(Renewal)
    /// The action itself releases these: the user's code may run then.
    case discard([Credentials?], (any Error)?)
  }

  /// The next step of an operation that is about to be sent, or was rejected.
  enum Decision {
    case admit(Admission)
    case wait(Waiter)
    /// Nothing can be renewed: the rejection is the result.
    case giveUp
  }

  private enum Phase {
    case unloaded
    case ready
    case working(Work)
  }

  private var phase = Phase.unloaded
  private(set) var session = Session(number: 0)
  private var credentials: Credentials?
  private var version: UInt64 = 0
  private var attempt: UInt64 = 0
  private var renewalCount: UInt64 = 0
  private var lastFailure: (any Error)?
  /// The work that timed out since the credentials were replaced; the first result is still accepted.
  private var lateWorks: Set<UInt64> = []
  /// The renewed credentials of such work. While another refresh runs, they are kept, and used if that
  /// fails.
  private var lateResult: Renewed?
  /// The tasks that load or refresh, by their work.
  private var renewals: [UInt64: Renewal] = [:]
  /// The waiting operations in order of arrival. After a refresh they are admitted one by one, each
  /// by the one before it, so that they are forwarded in this order.
  private(set) var waiters = WaitingList<Waiter>()
  /// The number of operations that were admitted after waiting and have not been sent. An operation
  /// that arrives meanwhile waits, too; otherwise it could be sent before them.
  private var unsentCount = 0

  private var pass: Pass {
    Pass(
      credentials: credentials, version: version, attempt: attempt, renewalCount: renewalCount)
  }
}

extension AuthState {
  /// An operation is about to be sent. It is sent only with credentials of its own session.
  mutating func arrive(of session: Session) -> (Decision, [Action]) {
    if session < self.session { return (.admit(.failure(OperationError.cancelled)), []) }
    // This operation may be the first of a new session.
    let ended = reset(for: session)
    return switch phase {
    case .ready where waiters.isEmpty && unsentCount == 0: (.admit(.success(pass)), ended)
    case .ready, .working: (.wait(enqueue()), ended)
    case .unloaded: (.wait(enqueue()), ended + begin(.load))
    }
  }

  /// An operation that was sent with `used` was rejected, or `used` will soon expire.
  ///
  /// Only the first operation that is rejected with the newest credentials starts a refresh. One
  /// that is rejected with older credentials is sent again. One that was in flight while a refresh
  /// failed fails with the same error, unless the server had accepted its credentials before
  /// (`followsProof`): a subscription may have been sent long before the refresh.
  mutating func reject(
    _ used: Pass, of session: Session, followsProof: Bool = false
  ) -> (Decision, [Action]) {
    guard session == self.session, case .ready = phase, used.version >= version else {
      return arrive(of: session)
    }
    if !followsProof, used.attempt < attempt, let lastFailure {
      return (.admit(.failure(lastFailure)), [])
    }
    guard let credentials else { return (.giveUp, []) }
    return (.wait(enqueue()), begin(.refresh(credentials)))
  }

  /// Whether the result of loading or refreshing will be used.
  func awaits(_ id: UInt64) -> Bool {
    if case .working(let work) = phase { work.id == id } else { false }
  }

  /// A refresh has brought new credentials. Those of one that timed out are kept until its work ends.
  ///
  /// - Returns: whether to store and use them now.
  mutating func receive(_ renewed: Renewed, from id: UInt64) -> Bool {
    if awaits(id) { return true }
    // The first one: it may have made the others invalid.
    if lateResult == nil, lateWorks.contains(id) { lateResult = renewed }
    return false
  }

  /// Notes the task that does some work; returns false if its result is not awaited any more.
  mutating func note(_ renewal: Renewal, of id: UInt64) -> Bool {
    guard awaits(id) else { return false }
    renewals[id] = renewal
    return true
  }

  /// Loading or refreshing has ended, or has timed out.
  mutating func finish(
    _ id: UInt64, _ outcome: Result<Credentials?, any Error>, isTimeout: Bool = false
  ) -> [Action] {
    if !isTimeout { renewals[id] = nil }
    guard case .working(let work) = phase, work.id == id else {
      return finishLate(id, outcome)
    }
    switch outcome {
    case .success(let credentials):
      renewalCount += 1
      return take(credentials)
    case .failure(let error):
      let former = Action.discard([], lastFailure)
      attempt += 1
      lastFailure = error
      if isTimeout { lateWorks.insert(id) }
      if let late = lateResult.take() { return begin(.store(late)) + [former] }
      // Without credentials, the next operation tries to load again.
      phase = credentials == nil ? .unloaded : .ready
      return failAll(error) + [former]
    }
  }

  /// The server may have replaced the token when the work timed out: its result is used, unless the
  /// credentials were replaced meanwhile, or are being refreshed. A load that runs meanwhile brings nothing
  /// newer than that.
  private mutating func finishLate(
    _ id: UInt64, _ outcome: Result<Credentials?, any Error>
  ) -> [Action] {
    guard lateWorks.remove(id) != nil else { return [] }
    if case .working(let work) = phase {
      guard case .load = work.step else { return [] }
    }
    // That there are none may be the answer of code that was cancelled.
    if case .success(let credentials?) = outcome {
      renewalCount += 1
      return take(credentials)
    }
    return lateResult.take().map { begin(.store($0)) } ?? []
  }

  /// The app has renewed the credentials.
  mutating func update(_ credentials: Credentials?, in session: Session?) -> [Action] {
    guard let session else { return take(credentials) }
    guard session >= self.session else { return [] }
    // These may be the first ones of a new session.
    let ended = reset(for: session)
    return ended + take(credentials)
  }

  /// There are new credentials.
  private mutating func take(_ credentials: Credentials?) -> [Action] {
    let former = replace(credentials, phase: .ready)
    // An operation that was admitted and not sent yet admits the next one itself.
    return (unsentCount == 0 ? releaseNext() : []) + [former]
  }

  /// The session was switched: the credentials of the previous user are not used any more.
  mutating func reset(for session: Session) -> [Action] {
    // If several clients share the exchange, the first one to switch resets it.
    guard session > self.session else { return [] }
    self.session = session
    let cancelled = renewals.values.map { Action.cancel($0) }
    renewals = [:]
    let former = replace(nil, phase: .unloaded)
    return cancelled + failAll(OperationError.cancelled) + [former]
  }

  private mutating func replace(_ credentials: Credentials?, phase: Phase) -> Action {
    let former = Action.discard(
      [self.credentials, lateResult?.credentials, lateResult?.old], lastFailure)
    self.credentials = credentials
    self.phase = phase
    version += 1
    attempt += 1
    lastFailure = nil
    lateWorks = []
    lateResult = nil
    return former
  }

  private mutating func failAll(_ error: any Error) -> [Action] {
    defer { waiters = WaitingList() }
    return waiters.all.map { .answer($0, .failure(error)) }
  }

  /// An operation that was admitted after waiting was sent, or has left: admits the next one.
  mutating func release() -> [Action] {
    unsentCount -= 1
    return releaseNext()
  }

  private mutating func releaseNext() -> [Action] {
    guard case .ready = phase, let first = waiters.popFirst() else { return [] }
    unsentCount += 1
    return [.answer(first, .success(pass))]
  }

  mutating func leave(_ waiter: Waiter) {
    waiters.remove(waiter)
  }

  private mutating func enqueue() -> Waiter {
    let waiter = Waiter()
    waiters.append(waiter)
    return waiter
  }

  private mutating func begin(_ step: Work.Step) -> [Action] {
    attempt += 1
    let work = Work(id: attempt, step: step)
    phase = .working(work)
    return [.begin(work)]
  }
}
