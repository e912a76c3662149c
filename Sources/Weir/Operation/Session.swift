/// Identifies a user session. Later sessions compare greater.
///
/// The session is part of every execution, so that no data of one user can reach the next.
public struct Session: Hashable, Comparable, Sendable {
  package let number: UInt64

  package init(number: UInt64) {
    self.number = number
  }

  /// Returns whether a session began before another one.
  public static func < (earlier: Session, later: Session) -> Bool {
    earlier.number < later.number
  }
}
