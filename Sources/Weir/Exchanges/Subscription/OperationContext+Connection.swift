/// The connection of a running subscription.
public enum SubscriptionConnection: Sendable {
  /// The subscription runs, for the first time or again: over HTTP the server has accepted it, over a
  /// WebSocket it was sent.
  case open
  /// The connection was lost, an attempt to open it or to renew the credentials has failed, the server has
  /// ended the subscription by an error, or it has rejected the credentials and there are new ones. The next
  /// attempt follows after a delay.
  case lost(OperationError, nextAttempt: Duration)
}

extension OperationContext {
  private enum ConnectionChange: OperationContextKey {
    static let defaultValue: (@Sendable (SubscriptionConnection) -> Void)? = nil
  }

  var connectionChange: (@Sendable (SubscriptionConnection) -> Void)? {
    get { self[ConnectionChange.self] }
    set { self[ConnectionChange.self] = newValue }
  }

  /// Adds an action to perform when the connection of a subscription opens or is lost, for example to show
  /// that events may be late. Actions that were added before are performed, too.
  ///
  /// ```swift
  /// let context = OperationContext.cacheFirst.with { context in
  ///   context.onConnectionChange { change in
  ///     if case .lost(let error, let delay) = change { print("\(error), trying again in \(delay)") }
  ///   }
  /// }
  /// for await event in client.subscribe(postAdded, context: context) { show(event) }
  /// ```
  ///
  /// The end of the subscription is not reported: the loop ends, after a last result with the error if there is
  /// one. Queries and mutations do not perform the action.
  public mutating func onConnectionChange(
    _ action: @escaping @Sendable (SubscriptionConnection) -> Void
  ) {
    guard let before = connectionChange else { return connectionChange = action }
    connectionChange = { change in
      before(change)
      action(change)
    }
  }
}
