internal import WeirSupport

/// Counts how often a server has accepted one subscription, and notes how to resume it. Events may
/// have been missed before each acceptance but the first.
final class SubscriptionAcceptance: Sendable {
  private let accepted = AtomicWord()
  private let proven = AtomicWord()

  let resumption = Locked(Resumption())

  let renewals = Locked(Renewals())

  /// The renewals of the credentials since a connection was stable.
  struct Renewals {
    var count = 0
    /// How often a connection was lost since then, rejections included.
    var losses = 0
    /// How many renewals in a row have failed since then, and since the last event.
    var failures = 0
    /// The last rejection, until the subscription is sent with new credentials.
    var rejection: OperationError?
  }

  /// Whether an error says that the server rejects the credentials, so that to send the subscription
  /// again helps only with new ones. False without an exchange that renews them.
  let isRejection: @Sendable (OperationError) -> Bool

  init(isRejection: @escaping @Sendable (OperationError) -> Bool = { _ in false }) {
    self.isRejection = isRejection
  }

  var count: Int { Int(accepted.load()) }

  /// Counts an acceptance.
  ///
  /// - Returns: Whether there was an earlier one.
  func note() -> Bool {
    accepted.add(1) > 1
  }

  /// How often something has shown that the server lets the subscription run: an event, the time
  /// that a connection has lasted, or a loss of the connection that the server has not caused.
  var proofs: UInt64 { proven.load() }

  func noteProof() {
    proven.add(1)
  }

  /// Notes a result that is delivered.
  func noteResult(_ result: OperationResult) {
    if result.payload.hasData { noteProof() }
    if result.hasNext { renewals.withLock { $0.failures = 0 } }
  }

  /// Returns the delay before another attempt to renew the credentials, by the rules for an attempt to open the
  /// connection; nil if there is none.
  func delay(
    afterRenewal failure: OperationError, _ reconnection: Reconnection
  ) -> Duration? {
    let retryAfter = (failure.underlying as? OperationError)?.retryAfter() ?? .zero
    guard count > 0 || reconnection.includesFirstAttempt, !failure.isAppsOwn,
      reconnection.mayReopen(after: failure.asRenewalFailure),
      retryAfter <= reconnection.maximumRetryAfter
    else { return nil }
    let (losses, failures) = renewals.withLock { renewals in
      renewals.losses += 1
      renewals.failures += 1
      return (renewals.losses, renewals.failures)
    }
    guard failures <= reconnection.maximumAttempts else { return nil }
    let own = reconnection.delay(before: losses)
    return retryAfter
      + reconnection.renewals.delay(before: losses, own: own, now: reconnection.now())
  }
}
