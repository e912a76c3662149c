/// When a snapshot was made, or read, in this process, and of which session. It says whose it is: a
/// snapshot from before a session began belongs to another user.
///
/// All origins are equal, because they are not part of a snapshot's content.
package struct SnapshotOrigin: Hashable, Sendable {
  private let instant: LogicalInstant
  /// The session of the cache whose results it has; nil for a snapshot that was read. The instant does not
  /// tell the session, because a client may enter one that another client began long before.
  package var session: Session?

  package init() {
    instant = .next()
  }

  /// The session to which a restored snapshot belongs: the cache's, or the client's at that instant, or
  /// an older one that the caller names.
  package func session(named session: Session?) -> Session {
    let own = self.session ?? Session(beganAt: instant)
    return session.map { min($0, own) } ?? own
  }

  package func precedes(_ other: SnapshotOrigin) -> Bool {
    instant < other.instant
  }

  package static func == (one: SnapshotOrigin, other: SnapshotOrigin) -> Bool { true }

  package func hash(into hasher: inout Hasher) {}
}
