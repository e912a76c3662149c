internal import WeirSupport

/// The current session, and the actions to perform when a session ends.
///
/// A switch has three steps: the session is announced, which ends the one before; each exchange is
/// told; the session begins. An operation is executed in the session that has begun. So no exchange
/// meets a session that it has not been told of, whatever wakes and executes during the switch.
final class SessionKeeper: Sendable {
  /// Fires when a session has begun; watches wait for it.
  let switched = RefreshSource()

  /// The last session that was announced.
  private let announcedNumber: AtomicWord
  /// The last session that has begun.
  private let begunNumber: AtomicWord
  private let order = SwitchOrder()
  private let endings = Locked<[UInt64: (session: Session, action: @Sendable () -> Void)]>([:])

  /// The sessions that were announced in any client and have not begun, with the keepers that were made
  /// meanwhile. Exchanges know of such a session already, but what the app keeps of its user is still
  /// the old one's.
  private static let unbegun = Locked<[Session: [Waiting]]>([:])

  private struct Waiting {
    weak var keeper: SessionKeeper?
  }

  /// Begins in the latest session of the client's exchanges, or waits for it if another client is
  /// switching to it.
  init(beginningWith session: Session) {
    announcedNumber = AtomicWord(session.number)
    // Not the session before, which nobody knows here, but one that is over, too.
    begunNumber = AtomicWord(max(session.number, 1) - 1)
    let hasBegun = Self.unbegun.withLock { unbegun in
      unbegun[session]?.append(Waiting(keeper: self))
      return unbegun[session] == nil
    }
    if hasBegun { begunNumber.raise(to: session.number) }
  }

  /// The session in which operations are executed.
  @inline(__always)
  var begun: Session {
    Session(number: begunNumber.load())
  }

  /// Whether an operation's results may be delivered: its session has not ended.
  @inline(__always)
  func mayDeliver(_ operation: GraphQLOperation) -> Bool {
    operation.context.session == announced
  }

  /// The session that was announced last.
  var announced: Session {
    Session(number: announcedNumber.load())
  }

  /// Whether a session is announced that has not begun.
  var isSwitching: Bool { begun < announced }

  /// The wait until the next session begins, after which another one may be announced already; nil if no
  /// session is announced that has not begun.
  var switching: ResultWait? {
    guard isSwitching else { return nil }
    let signal = switched.signal
    // It may have begun before the signal was taken.
    return isSwitching ? .signal(signal.makeWaiter()) : nil
  }

  /// Ends the sessions before the one that `next` returns, and returns it; nil if this one or a later
  /// one was announced already.
  ///
  /// One thread at a time calls `next`. So a session that it makes is later than all that were announced.
  func announce(_ next: () -> Session) -> Session? {
    order.enter {
      let session = next()
      guard announcedNumber.raise(to: session.number) else { return nil }
      Self.unbegun.withLock { $0[session] = $0[session] ?? [] }
      return session
    }
  }

  /// Runs the update of a session that was announced, after those of the sessions before it.
  func run(_ update: () -> Void, of session: Session) {
    order.run(update, of: session)
  }

  /// Begins a session, unless a later one has begun. Performs the actions of all older sessions, and
  /// wakes the watches.
  func begin(_ session: Session) {
    begunNumber.raise(to: session.number)
    let waiting = Self.unbegun.withLock { $0.removeValue(forKey: session) }
    for keeper in (waiting ?? []).compactMap(\.keeper) { keeper.begin(session) }
    let actions = endings.withLock { endings in
      let over = endings.filter { $0.value.session < session }
      for id in over.keys { endings[id] = nil }
      return over.values.map(\.action)
    }
    for action in actions { action() }
    // Later requests are not superseded.
    switched.fire(at: session.beginning)
  }

  /// Registers an action for the end of a session. Performs it at once if the session has ended
  /// already.
  func onEnd(of session: Session, _ action: @escaping @Sendable () -> Void) -> SessionEnding {
    let id = LogicalInstant.next().ticks
    endings.withLock { $0[id] = (session, action) }
    // The next session may have begun before the action was registered.
    if session < begun, endings.withLock({ $0.removeValue(forKey: id) }) != nil { action() }
    return SessionEnding(keeper: self, id: id)
  }

  fileprivate func forget(_ id: UInt64) {
    endings.withLock { $0[id] = nil }
  }
}

/// Removes an action that was registered for a session's end.
struct SessionEnding {
  fileprivate let keeper: SessionKeeper
  fileprivate let id: UInt64

  func forget() {
    keeper.forget(id)
  }
}
