/// How often and how fast the lost connection of a subscription is opened again.
///
/// Only a subscription that the server had accepted is resumed, unless ``includesFirstAttempt`` is true; if
/// the first attempt fails, its error is the result. The loop over the events does not notice a resumption
/// (``OperationContext/onConnectionChange(_:)`` does); after too many failures, it gets a last result with
/// the error. The caches learn that events may have been missed (see
/// ``OperationContext/onMissedEvents(_:)``), and refetch the watched results, at most every 10 seconds
/// (``DocumentCacheConfiguration/missedEventsInterval``).
public struct Reconnection: Sendable {
  /// The maximum number of attempts in a row to open a lost connection again. Default 8, which with the
  /// other defaults takes at most 92 seconds, without the time of the attempts themselves, which
  /// ``FetchConfiguration/subscriptionIdleTimeout`` and
  /// ``WebSocketConfiguration/acknowledgementTimeout`` limit; 0 opens none. The connection that was lost does not
  /// count, while ``RetryConfiguration/maximumAttempts`` includes the first attempt. Each event resets this
  /// count, and so does a connection that lasted for ``stableAfter``. An ``AuthExchange`` above repeats
  /// renewals that fail as many times.
  public var maximumAttempts = 8

  /// Whether the first attempt is repeated, too, if it fails for a reason that may pass, such as a missing
  /// network. Default false: its error is the result. To try again for as long as that reason lasts:
  ///
  /// ```swift
  /// var reconnection = Reconnection()
  /// reconnection.includesFirstAttempt = true
  /// reconnection.maximumAttempts = .max
  /// ```
  ///
  /// It also makes an ``AuthExchange`` above try again if it cannot load or renew the credentials for the first
  /// attempt because of such a reason.
  public var includesFirstAttempt = false

  /// The upper bound of the delay before the first attempt; it doubles for each further attempt.
  /// Default 0.5 seconds. The delay is a random part of the bound, so that the clients of a
  /// restarted server do not return all at once. It is at least the `retry` time of the event
  /// stream, and added to a `Retry-After`.
  public var initialDelay: Duration = .milliseconds(500)

  /// The maximum upper bound of a delay. Default 30 seconds.
  public var maximumDelay: Duration = .seconds(30)

  /// How long a connection must last until its loss counts as the first one, after which the delay
  /// begins with ``initialDelay`` again. Default 30 seconds. Events alone do not reset the delay:
  /// a server that sends an event and drops the connection would get several attempts a second.
  public var stableAfter: Duration = .seconds(30)

  /// The maximum `Retry-After` of a server that rejects the subscription, and the maximum `retry` time
  /// of an event stream; if the server asks for more, the error is the result. Default 5 minutes.
  public var maximumRetryAfter: Duration = .seconds(300)

  /// Returns whether another attempt may succeed after the error of an attempt or of the lost connection, or
  /// after the errors by which the server has ended the subscription: a message or an event `error`, or Apollo
  /// Router's `errors` beside the payload null. By default ``OperationError/isTransient``. Errors of an event
  /// that others may follow lead to no attempt. Errors that an ``AuthExchange`` takes for a rejection are left to
  /// it, whatever this returns, and the first attempt is repeated only with ``includesFirstAttempt``. If the
  /// exchange cannot renew the credentials, this decides, too, by an error with the code
  /// ``OperationError/Code/authentication``, unless the renewal has thrown an error of your app's own.
  ///
  /// Many servers refuse an invalid subscription by a message `error`. A closure that returns true for every
  /// error sends it again, up to ``maximumAttempts`` times. To go on after the `max_lifetime` of Apollo Router:
  ///
  /// ```swift
  /// reconnection.shouldReopen = { error in
  ///   error.isTransient
  ///     || error.graphQLErrors.contains {
  ///       $0.extensions?["code"]?.string == "SUBSCRIPTION_MAX_LIFETIME_EXCEEDED"
  ///     }
  /// }
  /// ```
  ///
  /// For a subscription that survives the page of a Wi-Fi login, which answers instead of the server:
  ///
  /// ```swift
  /// reconnection.shouldReopen = { error in
  ///   error.isTransient || error.mediaType == "text/html"
  ///     || (error.underlying as? HTTPTransportError)?.code == .insecure
  /// }
  /// ```
  public var shouldReopen: @Sendable (OperationError) -> Bool = { $0.isTransient }

  let sleep: @Sendable (Duration) async throws -> Void
  let now: @Sendable () -> Duration
  /// When subscriptions whose renewal has failed ask again, by this clock: all at once, for one renewal.
  let renewals = ReconnectionTimes()
  private let random: @Sendable () -> Double

  /// Makes the default settings.
  ///
  /// - Parameters:
  ///   - clock: The clock that measures delays.
  ///   - random: Returns a number of at least 0 and less than 1.
  public init(
    clock: some Clock<Duration> = ContinuousClock(),
    random: @escaping @Sendable () -> Double = { .random(in: 0..<1) }
  ) {
    sleep = { try await clock.wait(for: $0) }
    now = clock.elapsed()
    self.random = random
  }

  /// Whether a connection has lasted for ``stableAfter``.
  func isStable(since beginning: Duration) -> Bool {
    now() - beginning >= stableAfter
  }

  /// Whether to open a connection again after an error. A session that is over and the status 204 end the
  /// subscription in any case.
  func mayReopen(after error: OperationError) -> Bool {
    error.code != .cancelled && error.httpStatus != 204 && shouldReopen(error)
  }

  /// Returns the delay before an attempt, counted from 1.
  func delay(before attempt: Int) -> Duration {
    Backoff(initial: initialDelay, maximum: maximumDelay).delay(
      after: attempt, fraction: random())
  }
}

/// How often a subscription has been sent again.
struct ReconnectionCount {
  /// The attempts since a connection was stable, which decide the delay.
  private(set) var sinceStable = 0
  /// The attempts since the last event, which are limited.
  private(set) var inARow = 0

  /// Whether a lost connection was opened again and has brought no event yet.
  var isAfterLoss: Bool { inARow > 0 }

  /// The count with one more attempt.
  var next: ReconnectionCount {
    ReconnectionCount(sinceStable: sinceStable + 1, inARow: inARow + 1)
  }

  /// The count after an event.
  var afterEvent: ReconnectionCount { ReconnectionCount(sinceStable: sinceStable, inARow: 0) }
}
