/// What an auth exchange knows and who waits for it: a pure state machine. Its methods are events;
/// they return what to do without the lock.
struct AuthState<Credentials: Sendable> {
  /// What an operation is sent with.
  struct Pass: Sendable {
    let credentials: Credentials?
    /// Grows with each change of the credentials.
    let version: UInt64
    /// Grows with each attempt to load or refresh them, whether it succeeded or not.
    let attempt: UInt64
  }

  enum Admission: Sendable {
    case pass(Pass)
    case failure(any Error)
  }

  typealias Waiter = OneShot<Admission>

  struct Work: Sendable {
    let id: UInt64
    /// What is to be renewed; nil to load.
    let rejected: Credentials?
  }

  enum Action {
    case answer(Waiter, Admission)
    case begin(Work)
  }

  /// What an operation does that is about to be sent, or was rejected.
  enum Decision {
    case pass(Pass)
    case wait(Waiter)
    case fail(any Error)
    /// Nothing can be renewed: the rejection is the answer.
    case giveUp
  }

  private enum Phase {
    case unloaded
    case ready
    case working(Work)
  }

  private var phase = Phase.unloaded
  private var session = Session(number: 0)
  private var credentials: Credentials?
  private var version: UInt64 = 0
  private var attempt: UInt64 = 0
  private var lastFailure: (any Error)?
  private var lateWork: UInt64?
  /// Who waits, in order of arrival. After a refresh they are let go one by one, each by the one
  /// before it, so that their requests leave in this order.
  private(set) var waiters = WaitingList<Waiter>()

  private var pass: Pass { Pass(credentials: credentials, version: version, attempt: attempt) }
}

extension AuthState {
  /// An operation is about to be sent. One of an older session must not be sent with the
  /// credentials of the user who is at work now.
  mutating func arrive(of session: Session) -> (Decision, [Action]) {
    if session < self.session { return (.fail(OperationError.cancelled), []) }
    return switch phase {
    case .ready where waiters.isEmpty: (.pass(pass), [])
    case .ready, .working: (.wait(enqueue()), [])
    case .unloaded: (.wait(enqueue()), begin(renewing: nil))
    }
  }

  /// An operation was rejected that was sent with `used`, or `used` will soon expire.
  ///
  /// Only the first to come back with the newest credentials starts a refresh. Who comes back
  /// with older ones is sent again; who was on its way while a refresh failed shares its error.
  mutating func reject(_ used: Pass, of session: Session) -> (Decision, [Action]) {
    switch phase {
    case .working, .unloaded:
      return arrive(of: session)
    case .ready:
      if used.version < version { return arrive(of: session) }
      if used.attempt < attempt, let lastFailure { return (.fail(lastFailure), []) }
      guard let credentials else { return (.giveUp, []) }
      return (.wait(enqueue()), begin(renewing: credentials))
    }
  }

  /// Loading or refreshing has ended, or has taken too long.
  mutating func finish(
    _ id: UInt64, _ outcome: Result<Credentials?, any Error>, isTimeout: Bool = false
  ) -> [Action] {
    guard case .working(let work) = phase, work.id == id else {
      return finishLate(id, outcome)
    }
    switch outcome {
    case .success(let credentials):
      return take(credentials)
    case .failure(let error):
      attempt += 1
      lastFailure = error
      lateWork = isTimeout ? id : nil
      // Loading is tried again by whoever comes next.
      phase = work.rejected == nil ? .unloaded : .ready
      return answerAll(error)
    }
  }

  /// A server may have replaced the token by the time that we stopped waiting: what comes late
  /// is taken, unless something newer has come.
  private mutating func finishLate(
    _ id: UInt64, _ outcome: Result<Credentials?, any Error>
  ) -> [Action] {
    guard lateWork == id, case .success(let credentials) = outcome else { return [] }
    if case .working = phase { return [] }
    return take(credentials)
  }

  /// There are new credentials, however they came.
  mutating func take(_ credentials: Credentials?) -> [Action] {
    self.credentials = credentials
    version += 1
    attempt += 1
    lastFailure = nil
    lateWork = nil
    phase = .ready
    return releaseNext()
  }

  /// Another user is at work: nothing of the one before is used any more.
  mutating func reset(for session: Session) -> [Action] {
    // Of several clients that share the exchange, the first one to tell counts.
    guard session > self.session else { return [] }
    self.session = session
    credentials = nil
    version += 1
    attempt += 1
    lastFailure = nil
    lateWork = nil
    phase = .unloaded
    return answerAll(OperationError.cancelled)
  }

  private mutating func answerAll(_ error: any Error) -> [Action] {
    defer { waiters = WaitingList() }
    return waiters.all.map { .answer($0, .failure(error)) }
  }

  /// The one that was let go has sent its request, or has left.
  mutating func releaseNext() -> [Action] {
    guard case .ready = phase, let first = waiters.popFirst() else { return [] }
    return [.answer(first, .pass(pass))]
  }

  mutating func leave(_ waiter: Waiter) {
    waiters.remove(waiter)
  }

  private mutating func enqueue() -> Waiter {
    let waiter = Waiter()
    waiters.append(waiter)
    return waiter
  }

  private mutating func begin(renewing rejected: Credentials?) -> [Action] {
    attempt += 1
    let work = Work(id: attempt, rejected: rejected)
    phase = .working(work)
    return [.begin(work)]
  }
}
