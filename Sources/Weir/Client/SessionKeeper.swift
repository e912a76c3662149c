import Synchronization

/// The current session, and the actions to perform when a session ends.
final class SessionKeeper: Sendable {
  /// Fires when a session ends; watches wait for it.
  let ended = RefreshSource()

  private let number = Atomic<UInt64>(0)
  private let endings = Locked<[UInt64: (session: Session, action: @Sendable () -> Void)]>([:])

  @inline(__always)

  var current: Session {
    Session(number: number.load(ordering: .acquiring))
  }

  @inline(__always)

  func isCurrent(_ operation: GraphQLOperation) -> Bool {
    operation.context.session == current
  }

  /// Begins a session; returns false if this one or a later one has begun already.
  func begin(_ session: Session) -> Bool {
    number.max(session.number, ordering: .acquiringAndReleasing).oldValue < session.number
  }

  /// Performs the actions of all older sessions, and wakes the watches.
  func endSessions(before session: Session) {
    let actions = endings.withLock { endings in
      let over = endings.filter { $0.value.session < session }
      for id in over.keys { endings[id] = nil }
      return over.values.map(\.action)
    }
    for action in actions { action() }
    // The session's number is the instant at which it began: later requests are not superseded.
    ended.fire(at: LogicalInstant(ticks: session.number))
  }

  /// Registers an action for the end of a session. Performs it at once if the session has ended
  /// already.
  func onEnd(of session: Session, _ action: @escaping @Sendable () -> Void) -> SessionEnding {
    let id = LogicalInstant.next().ticks
    endings.withLock { $0[id] = (session, action) }
    // The next session may have begun before the action was registered.
    if session < current, endings.withLock({ $0.removeValue(forKey: id) }) != nil { action() }
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
