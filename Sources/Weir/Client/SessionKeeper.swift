import Synchronization

/// The session that is on, and what has to happen when it ends.
final class SessionKeeper: Sendable {
  /// Fires when a session ends; watches listen to it.
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

  /// Begins a session; false if this one or a later one has begun already.
  func begin(_ session: Session) -> Bool {
    number.max(session.number, ordering: .acquiringAndReleasing).oldValue < session.number
  }

  /// Does what has to happen when a session ends.
  func endSessions(before session: Session) {
    let actions = endings.withLock { endings in
      let over = endings.filter { $0.value.session < session }
      for id in over.keys { endings[id] = nil }
      return over.values.map(\.action)
    }
    for action in actions { action() }
    // The instant at which the session began: what was requested since then is not overtaken.
    ended.fire(at: LogicalInstant(ticks: session.number))
  }

  /// Something to do when a session ends, at once if it has ended already.
  func onEnd(of session: Session, _ action: @escaping @Sendable () -> Void) -> SessionEnding {
    let id = LogicalInstant.next().ticks
    endings.withLock { $0[id] = (session, action) }
    // Begun after the session was read, and before the action was noted.
    if session < current, endings.withLock({ $0.removeValue(forKey: id) }) != nil { action() }
    return SessionEnding(keeper: self, id: id)
  }

  fileprivate func forget(_ id: UInt64) {
    endings.withLock { $0[id] = nil }
  }
}

/// Takes back what was to happen at a session's end.
struct SessionEnding {
  fileprivate let keeper: SessionKeeper
  fileprivate let id: UInt64

  func forget() {
    keeper.forget(id)
  }
}
