extension OperationContext {
  private enum Acceptance: OperationContextKey {
    static let defaultValue: SubscriptionAcceptance? = nil
  }

  /// The acceptances of a subscription that an exchange may send more than once.
  var acceptance: SubscriptionAcceptance? {
    get { self[Acceptance.self] }
    set { self[Acceptance.self] = newValue }
  }

  private enum MissedEvents: OperationContextKey {
    static let defaultValue: (@Sendable () -> Void)? = nil
  }

  /// Called when a lost subscription runs again: the server may have sent events meanwhile, which
  /// are lost.
  package internal(set) var missedEvents: (@Sendable () -> Void)? {
    get { self[MissedEvents.self] }
    set { self[MissedEvents.self] = newValue }
  }

  /// Adds an action to perform when a lost subscription runs again, so that events may have been
  /// missed. Actions that were added before are performed, too. A further call of `subscribe`, after the end of
  /// a subscription or of its session, is a new subscription: it performs them only if it is lost and runs again.
  ///
  /// A cache adds one to every subscription that it forwards: it refetches the watched results.
  /// Your own exchange can do the same:
  ///
  /// ```swift
  /// InlineExchange { operation, forward in
  ///   forward(operation.with { $0.onMissedEvents { print("reconnected") } })
  /// }
  /// ```
  public mutating func onMissedEvents(_ action: @escaping @Sendable () -> Void) {
    guard let before = missedEvents else { return missedEvents = action }
    missedEvents = {
      before()
      action()
    }
  }
}
