/// Identifies a user session. Later sessions compare greater.
///
/// The session is part of every execution, so that no data of one user can reach the next.
public struct Session: Hashable, Comparable, Sendable {
  /// The ticks of the instant at which it began; 0 for a client's first session.
  let number: UInt64

  package init(number: UInt64) {
    self.number = number
  }

  /// The session that begins at an instant. Instants are unique in the process, so clients that share an
  /// exchange cannot mistake each other's sessions.
  package init(beganAt instant: LogicalInstant) {
    number = instant.ticks
  }

  /// The instant at which it began.
  var beginning: LogicalInstant { LogicalInstant(ticks: number) }

  /// Returns whether a session began before another one.
  public static func < (earlier: Session, later: Session) -> Bool {
    earlier.number < later.number
  }
}
