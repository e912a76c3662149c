import Foundation
import Weir

/// User's code that is given a transaction, and runs now: it must not change the store in other ways.
///
/// What it writes to the store itself would make every attempt to commit the transaction fail.
final class RunningTransaction: Sendable {
  /// Those of the current task, or thread; the innermost last. Tasks that are started meanwhile
  /// inherit them.
  @TaskLocal private static var all: [RunningTransaction] = []

  private struct State {
    var isOver = false
    var hasRefused = false
    var postponed: [Invalidation] = []
    var missed: [ReadTarget] = []
  }

  private let store: ObjectIdentifier
  /// The code is synchronous, so what runs elsewhere is not called by it.
  private let thread = ObjectIdentifier(Thread.current)
  private let state = Locked(State())

  init(on store: NormalizedStore) {
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

  /// The one that calls a method of the store.
  static func calling(_ store: NormalizedStore) -> RunningTransaction? {
    innermost { $0.store == ObjectIdentifier(store) }
  }

  /// The one whose code is about to be called.
  static var current: RunningTransaction? { innermost { _ in true } }

  func run<Result>(_ body: () throws -> Result) rethrows -> Result {
    try Self.$all.withValue(Self.all + [self], operation: body)
  }

  /// Its code has written to the store; nothing was written.
  func refuse() { state.withLock { $0.hasRefused = true } }

  /// Whether something was refused since this was asked last.
  func takeRefusal() -> Bool {
    state.withLock { state in
      defer { state.hasRefused = false }
      return state.hasRefused
    }
  }

  /// Its code has read something that is not in memory, or not all of it.
  func noteMiss(_ target: ReadTarget) { state.withLock { $0.missed.append(target) } }

  /// What its code has not found.
  var missed: [ReadTarget] { state.withLock(\.missed) }

  /// Its code has invalidated something, which has to wait.
  func postpone(_ invalidation: Invalidation) {
    state.withLock { $0.postponed.append(invalidation) }
  }

  /// It begins anew.
  func forgetPostponed() { state.withLock { $0.postponed = [] } }

  /// No code of it runs any more.
  ///
  /// - Returns: what has waited for that.
  func end() -> [Invalidation] {
    state.withLock { state in
      state.isOver = true
      return state.postponed
    }
  }
}

extension StoreError {
  static var nestedTransaction: StoreError {
    StoreError(.nested, "A transaction on this store is running already.")
  }

  static var writeWithinTransaction: StoreError {
    StoreError(
      .nested, "The body of a transaction has written to the store itself, not by the transaction.")
  }
}
