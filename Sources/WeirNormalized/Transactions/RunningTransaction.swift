import Foundation
import Weir

/// A transaction whose body, the app's code, is running. The body must not change the store in other ways:
/// a direct write would make every attempt to commit the transaction fail.
final class RunningTransaction: Sendable {
  /// The running transactions of the current task or thread, the innermost last. New tasks inherit them.
  @TaskLocal private static var all: [RunningTransaction] = []

  private struct State {
    var isOver = false
    var hasRefused = false
    var postponed: [Invalidation] = []
    var missed: [ReadTarget] = []
  }

  private let store: ObjectIdentifier
  /// The body is synchronous, so it does not call what runs on another thread.
  private let thread = ObjectIdentifier(Thread.current)
  private let state = Locked(State())

  /// - Parameter store: identifies the store.
  init(on store: AnyObject) {
    self.store = ObjectIdentifier(store)
  }

  private static func innermost(
    where isMeant: (RunningTransaction) -> Bool
  ) -> RunningTransaction? {
    let all = all
    guard !all.isEmpty else { return nil }
    let thread = ObjectIdentifier(Thread.current)
    return all.last { $0.thread == thread && isMeant($0) && !$0.state.withLock(\.isOver) }
  }

  /// The transaction whose body is calling a method of the store.
  static func calling(_ store: AnyObject) -> RunningTransaction? {
    innermost { $0.store == ObjectIdentifier(store) }
  }

  /// The transaction whose body runs.
  static var current: RunningTransaction? { innermost { _ in true } }

  func run<Result>(_ body: () throws -> Result) rethrows -> Result {
    try Self.$all.withValue(Self.all + [self], operation: body)
  }

  /// The body has called a writing method of the store, which has written nothing.
  func refuse() { state.withLock { $0.hasRefused = true } }

  /// Whether a write was refused since the last call.
  func takeRefusal() -> Bool {
    state.withLock { state in
      defer { state.hasRefused = false }
      return state.hasRefused
    }
  }

  /// The body has read something that is not completely in memory.
  func noteMiss(_ target: ReadTarget) { state.withLock { $0.missed.append(target) } }

  /// The reads that were not complete.
  var missed: [ReadTarget] { state.withLock(\.missed) }

  /// The body has invalidated something, which waits for the end.
  func postpone(_ invalidation: Invalidation) {
    state.withLock { $0.postponed.append(invalidation) }
  }

  /// The transaction begins again.
  func forgetPostponed() {
    // Released without the lock: an operation's context has values of the app.
    var forgotten: [Invalidation] = []
    state.withLock { swap(&$0.postponed, &forgotten) }
  }

  /// The body does not run any more.
  ///
  /// - Returns: the invalidations that have waited for that.
  func end() -> [Invalidation] {
    state.withLock { state in
      state.isOver = true
      return state.postponed
    }
  }
}

extension StoreError {
  static var nestedTransaction: StoreError {
    StoreError(
      .nested,
      "A transaction on this store is running. Its body can neither begin another one nor write to "
        + "the store directly.")
  }

  static var writeWithinTransaction: StoreError {
    StoreError(
      .nested,
      "The body of a transaction has written to the store directly. Write through the transaction.")
  }
}
