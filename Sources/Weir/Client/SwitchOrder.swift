import Foundation

/// Runs the update closures of overlapping switches in the order of their sessions, so that what the app
/// has stored belongs to the latest session.
///
/// Proof: `pending` is used only under the condition's lock, which is not held while an update runs.
final class SwitchOrder: @unchecked Sendable {
  private let condition = NSCondition()
  /// The sessions that were announced and whose updates have not run, with their threads.
  private var pending: [(session: Session, thread: Thread)] = []

  /// Announces a session, and notes that its update will run on this thread.
  ///
  /// - Returns: what `announce` returns: false if there will be no update.
  func enter(_ session: Session, if announce: () -> Bool) -> Bool {
    condition.lock()
    defer { condition.unlock() }
    guard announce() else { return false }
    pending.append((session, .current))
    return true
  }

  /// Runs the update of a session after those of the earlier ones. It does not wait for a switch in
  /// which it is nested.
  func run(_ update: () -> Void, of session: Session) {
    condition.lock()
    while pending.contains(where: { $0.session < session && $0.thread !== Thread.current }) {
      condition.wait()
    }
    condition.unlock()
    update()
    condition.lock()
    pending.removeAll { $0.session == session }
    condition.broadcast()
    condition.unlock()
  }
}
