import Foundation

/// Runs the update closures of overlapping switches in the order of their sessions, so that what the app
/// has stored belongs to the latest session.
///
/// Proof: `pending` is used only under the condition's lock, which is not held while an update runs.
final class SwitchOrder: @unchecked Sendable {
  private struct Pending {
    let session: Session
    let thread: Thread
    /// Whether the update runs, and waits for one that is nested in it.
    var isInterrupted = false
  }

  private let condition = NSCondition()
  /// The sessions that were announced and whose updates have not ended.
  private var pending: [Pending] = []

  /// Announces a session, and notes that its update will run on this thread.
  ///
  /// - Returns: What `announce` returns: nil if there will be no update.
  func enter(_ announce: () -> Session?) -> Session? {
    condition.lock()
    defer { condition.unlock() }
    guard let session = announce() else { return nil }
    pending.append(Pending(session: session, thread: .current))
    return session
  }

  /// Runs the update of a session after those of the earlier ones. It does not wait for a switch in
  /// which it is nested, and neither do others meanwhile, for which it may have to wait.
  func run(_ update: () -> Void, of session: Session) {
    condition.lock()
    let thread = Thread.current
    interrupt(before: session, true)
    while pending.contains(where: {
      $0.session < session && $0.thread !== thread && !$0.isInterrupted
    }) { condition.wait() }
    interrupt(before: session, false)
    condition.unlock()
    update()
    condition.lock()
    pending.removeAll { $0.session == session }
    condition.broadcast()
    condition.unlock()
  }

  /// Notes for the updates in which this thread's next one is nested that they wait, or go on.
  private func interrupt(before session: Session, _ isInterrupted: Bool) {
    for index in pending.indices
    where pending[index].session < session && pending[index].thread === Thread.current {
      pending[index].isInterrupted = isInterrupted
    }
    condition.broadcast()
  }
}
