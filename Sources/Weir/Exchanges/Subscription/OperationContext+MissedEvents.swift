import Synchronization

/// How often a server has accepted one subscription. Every time but the first, events may have been
/// missed before. And where it was lost, for whoever sends it again.
final class SubscriptionAcceptance: Sendable {
  private let accepted = Atomic<Int>(0)

  let resumption = Locked(Resumption())

  var count: Int { accepted.load(ordering: .relaxed) }

  /// A server has accepted it.
  ///
  /// - Returns: whether one has before.
  func note() -> Bool {
    accepted.add(1, ordering: .relaxed).oldValue > 0
  }
}

extension OperationContext {
  private enum Acceptance: OperationContextKey {
    static let defaultValue: SubscriptionAcceptance? = nil
  }

  /// What an exchange counts acceptances with that may send a subscription more than once.
  var acceptance: SubscriptionAcceptance? {
    get { self[Acceptance.self] }
    set { self[Acceptance.self] = newValue }
  }

  private enum MissedEvents: OperationContextKey {
    static let defaultValue: (@Sendable () -> Void)? = nil
  }

  /// Called when a subscription that was lost runs again: the server may have sent events meanwhile
  /// that nobody will ever see.
  package var missedEvents: (@Sendable () -> Void)? { self[MissedEvents.self] }

  /// Says what to do when a subscription was lost and runs again, so that events may have been
  /// missed. What was said before is done, too.
  ///
  /// A cache says it on the way down, about every subscription that passes: it lets what is watched
  /// be fetched again. So can an exchange of yours:
  ///
  /// ```swift
  /// InlineExchange { operation, forward in
  ///   forward(operation.with { $0.onMissedEvents { print("reconnected") } })
  /// }
  /// ```
  public mutating func onMissedEvents(_ action: @escaping @Sendable () -> Void) {
    guard let before = missedEvents else { return self[MissedEvents.self] = action }
    self[MissedEvents.self] = {
      before()
      action()
    }
  }
}
